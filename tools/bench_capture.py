#!/usr/bin/env python3
"""Speed of a capture: the same child, paced, writing to a file and into the pipe of `ttscope run`; prints a table.

The child writes the text of a generated log again and again at 200 MB/s (or as fast as it can) in pieces of the size that
a buffered program writes, and notes how long that took. The bar is for the paced child: into the pipe it may take 5 %
longer than into a file. Both go through the same file system. The pseudo-terminal is shown without a bar.
"""
import argparse
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import threading

from bench_table import table_text

HEADING = ("captured", "child's time", "rate", "ratio", "bar")
CHILD = r"""
import os, sys, time
source, note, total, rate, piece = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
with open(source, "rb") as f:
    data = f.read()
pieces = [memoryview(data)[at:at + piece] for at in range(0, len(data), piece)]
start = time.perf_counter()
done = count = 0
while done < total:
    part = pieces[count % len(pieces)]
    count += 1
    at = 0
    while at < len(part):
        at += os.write(1, part[at:])
    done += len(part)
    if rate > 0 and count % 16 == 0:
        ahead = start + done / rate - time.perf_counter()
        if ahead > 0.002:
            time.sleep(ahead)
seconds = time.perf_counter() - start
with open(note, "w") as f:
    f.write(repr(seconds))
"""


class CaptureBench:
    def __init__(self, build, folder, megabytes):
        self.program = os.path.join(build, "ttscope")
        self.folder = folder
        self.total = megabytes * 10 ** 6
        self.note = os.path.join(folder, "seconds")
        self.script = os.path.join(folder, "child.py")
        self.source = os.path.join(folder, "source.log")
        with open(self.script, "w") as f:
            f.write(CHILD)
        subprocess.run([os.path.join(build, "ttscope-gen-log"), "-o", self.source, "--target-mb", "30", "--layers", "4"],
                       check=True, stderr=subprocess.DEVNULL)

    def child(self, rate, piece):
        return [sys.executable, self.script, self.source, self.note, str(self.total), str(rate), str(piece)]

    def seconds(self):
        with open(self.note) as f:
            return float(f.read())

    def to_file(self, rate, piece):
        path = os.path.join(self.folder, "plain.log")
        with open(path, "wb") as f:
            subprocess.run(self.child(rate, piece), stdout=f, check=True)
        os.remove(path)
        return self.seconds()

    def captured(self, rate, piece, *options):
        runs = os.path.join(self.folder, "runs")
        subprocess.run([self.program, "run", "--log", "-q", "--output-dir", runs, *options, "--", *self.child(rate, piece)],
                       stdout=subprocess.DEVNULL, check=True)
        shutil.rmtree(runs)
        return self.seconds()

    def on_terminal(self, piece):
        """As fast as it goes through a pseudo-terminal, with a reader that throws everything away."""
        runs = os.path.join(self.folder, "runs")
        ours, theirs = pty.openpty()
        process = subprocess.Popen([self.program, "run", "--log", "--output-dir", runs, "--", *self.child(0, piece)],
                                   stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        reader = threading.Thread(target=drain, args=(ours,))
        reader.start()
        process.wait()
        reader.join()
        os.close(ours)
        shutil.rmtree(runs)
        return self.seconds()


def drain(descriptor):
    try:
        while os.read(descriptor, 65536):
            pass
    except OSError:
        pass


def rows(build, folder, megabytes, repeat):
    """Lines of the table: what, time, rate, ratio, bar."""
    bench = CaptureBench(build, folder, megabytes)
    rate = 200e6
    table = []
    for piece in (65536, 4096):
        plain = min(bench.to_file(rate, piece) for _ in range(repeat))
        caught = min(bench.captured(rate, piece) for _ in range(repeat))
        table.append((f"200 MB/s in pieces of {piece} B: to a file", *figures(bench, plain), "", ""))
        table.append((f"200 MB/s in pieces of {piece} B: captured", *figures(bench, caught), f"{caught / plain:.3f}x",
                      "1.05x"))
    fast = min(bench.captured(0, 65536) for _ in range(repeat))
    packed = min(bench.captured(0, 65536, "--compress") for _ in range(repeat))
    table.append(("as fast as it can: captured", *figures(bench, fast), "", ""))
    table.append(("as fast as it can: captured with --compress", *figures(bench, packed), "", ""))
    bench.total //= 10
    table.append(("as fast as it can: on a terminal", *figures(bench, bench.on_terminal(65536)), "", ""))
    return table


def figures(bench, seconds):
    return f"{seconds:.3f} s", f"{bench.total / seconds / 1e6:.0f} MB/s"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--build", required=True)
    options.add_argument("--megabytes", type=int, default=1000, help="that the child writes (default 1000)")
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--folder", help="where the logs are made (default: a temporary folder)")
    args = options.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        table = [HEADING, *rows(args.build, folder, args.megabytes, args.repeat)]
    print(table_text(table))


if __name__ == "__main__":
    main()
