"""Run the command `textparity` as `python -m textparity`."""

import sys

from textparity.command import main

if __name__ == "__main__":
    sys.exit(main())
