"""How well swapped sentences agree with the reviewed ones, and which names they use."""
