"""Train recognizers of entities with and without the swapped sentences."""
