"""`python -m tracy ...`: hands its words to `ttscope trace`, with this Python."""
import os
import shutil
import sys


def main():
    program = os.environ.get("TTSCOPE_PROGRAM") or shutil.which("ttscope")
    if not program:
        print("tracy: ttscope was not found; put it into PATH, or: eval \"$(.../ttscope trace --env)\"", file=sys.stderr)
        return 127
    environment = dict(os.environ, TTSCOPE_PYTHON=sys.executable)
    try:
        os.execve(program, [program, "trace"] + sys.argv[1:], environment)
    except OSError as error:
        print(f"tracy: {program}: {error.strerror}", file=sys.stderr)
        return 126


if __name__ == "__main__":
    sys.exit(main())
