"""How the result of an audit is shown: each kind of output is a function from a result to a text or to bytes."""
