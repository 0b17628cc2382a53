"""The `grimalkin` command as a process of its own; `python -m grimalkin` is the same."""

import gc
import os


def main() -> int:
    """Run the command. Memory is watched less closely than Python does by itself: a command ends soon, and nearly all
    that it holds are modules and faces, which stay to the end. A quarter of the time of a small job went into that.
    """
    gc.set_threshold(250_000, 20, 20)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # it would look for them in every distribution
    from grimalkin import cli

    try:
        return cli.main()
    finally:
        gc.freeze()  # what is left goes with the process


if __name__ == "__main__":
    raise SystemExit(main())
