"""Speed of the simulated chips, and of libttsim where TTSCOPE_LIBTTSIM_WH and TTSCOPE_LIBTTSIM_BH name it: five RISCs of 64 tiles that count, and the
same with four of five waiting for a word."""
import os
import re
import subprocess

HEADING = ("simulated", "thousand clocks/s", "libttsim", "ratio", "bar")


def clocks(build, repeat, *options):
    """The best of several runs, in thousand clocks a second."""
    found = []
    for _ in range(repeat):
        text = subprocess.run([os.path.join(build, "ttscope-chip-bench"), *options], capture_output=True, text=True, check=True).stdout
        found.append(float(re.search(r"([0-9]+) thousand clocks", text).group(1)))
    return max(found)


def rows(build, repeat):
    table = []
    for arch, variable in (("wormhole", "TTSCOPE_LIBTTSIM_WH"), ("blackhole", "TTSCOPE_LIBTTSIM_BH")):
        for name, more in (("five RISCs at work", ()), ("four of five waiting", ("--poll",))):
            ours = clocks(build, repeat, "--arch", arch, *more)
            library = os.environ.get(variable)
            theirs = clocks(build, repeat, "--library", library, *more) if library else None
            table.append((f"{arch}, {name}", f"{ours:.0f}", f"{theirs:.0f}" if theirs else "not here", f"{ours / theirs:.2f}" if theirs else "",
                          ">= 1" if theirs else ""))
    return table
