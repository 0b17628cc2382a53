"""Run the `grimalkin` command as a process; `python -m grimalkin` does the same."""

import gc
import os


def main() -> int:
    """Run the command, with fewer garbage collections than Python makes by default.

    A command ends soon, and nearly everything it holds are modules and faces, which stay to the end. Collecting took a
    quarter of the time of a small job.
    """
    gc.set_threshold(250_000, 20, 20)
    os.environ.setdefault(
        "PYDANTIC_DISABLE_PLUGINS", "__all__"
    )  # pydantic would look for plugins in every installed package
    from grimalkin import cli

    try:
        return cli.main()
    finally:
        gc.freeze()  # whatever is left ends with the process


if __name__ == "__main__":
    raise SystemExit(main())
