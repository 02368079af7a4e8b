"""Finds the program that the scripts beside this one stand for."""
import os
import pathlib
import shutil
import sys

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent


def become(name, *arguments):
    """Goes on as the program `name`: of this checkout, which builds it where needed, else of PATH."""
    launcher = CHECKOUT / name
    program = str(launcher) if launcher.exists() else shutil.which(name)
    if program is None:
        sys.exit(f"{name} was not found: neither in this checkout nor in PATH")
    sys.stdout.flush()
    os.execv(program, [program, *arguments])
