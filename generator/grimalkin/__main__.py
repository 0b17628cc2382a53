"""`python -m grimalkin` is the `grimalkin` command."""

from grimalkin.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
