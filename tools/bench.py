#!/usr/bin/env python3
"""Speed and memory of `ttscope mem` against `wc -l`, of its page in a browser, of `ttscope graph` against a plain pass,
and of captures, the simulated chips and the recorder; prints tables. No test depends on it.

Logs are generated into a temporary folder and read once before measuring, so that they are in the page cache. Times are
the best of --repeat runs; memory is the highest RssAnon seen while the program runs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import bench_capture
import bench_chip
import bench_diff
import bench_perf_report
import bench_perf_table
import bench_record
import bench_timeline
from bench_table import table_text


def peak_anonymous_kib(pid, stop, result):
    """Polls /proc: the kernel keeps no high-water mark of anonymous memory alone."""
    path = f"/proc/{pid}/status"
    while not stop.is_set():
        try:
            with open(path) as f:
                for line in f:
                    if line.startswith("RssAnon:"):
                        result[0] = max(result[0], int(line.split()[1]))
        except OSError:
            return
        time.sleep(0.002)


def run_once(command, watch):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak, stop = [0], threading.Event()
    watcher = threading.Thread(target=peak_anonymous_kib, args=(process.pid, stop, peak))
    if watch:
        watcher.start()
    _, errors = process.communicate()
    seconds = time.perf_counter() - start
    stop.set()
    if watch:
        watcher.join()
    if process.returncode not in (0, 3):  # 3: a difference was found, an answer too
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{errors.decode(errors='replace')}")
    return seconds, peak[0] * 1024


def best(command, repeat, before=lambda: None):
    """Shortest time of undisturbed runs; memory from one more run that is watched."""
    seconds = []
    for _ in range(repeat):
        before()
        seconds.append(run_once(command, False)[0])
    before()
    return min(seconds), run_once(command, True)[1]


class Bench:
    def __init__(self, build, folder, repeat):
        self.program, self.generator = os.path.join(build, "ttscope"), os.path.join(build, "ttscope-gen-log")
        self.folder, self.repeat, self.rows, self.page_rows = folder, repeat, [], []
        self.capture_rows = []
        self.chip_rows = []
        self.record_rows = []

    def make_log(self, name, megabytes, *options):
        path = os.path.join(self.folder, name)
        subprocess.run([self.generator, "-o", path, "--target-mb", str(megabytes), "--layers", "4", *options],
                       check=True, stderr=subprocess.DEVNULL)
        with open(path, "rb") as f:
            while f.read(1 << 24):
                pass
        return path

    def compare(self, log, title):
        """wc, --json and --out on one log; returns the --json time."""
        size = os.path.getsize(log)
        out = os.path.join(self.folder, "out")
        wc, _ = best(["wc", "-l", log], self.repeat)
        document, document_memory = best([self.program, "mem", log, "-q", "--json", "/dev/null"], self.repeat)
        files, files_memory = best([self.program, "mem", log, "-q", "--out", out], self.repeat,
                                   lambda: shutil.rmtree(out, ignore_errors=True))
        allowed = 0.15 * size + 64 * 2 ** 20
        self.rows += [(f"{title}: wc -l", f"{wc:.3f} s", "1.0x", "", ""),
                      (f"{title}: mem --json /dev/null", f"{document:.3f} s", f"{document / wc:.1f}x", "8x", memory(document_memory, allowed)),
                      (f"{title}: mem --out DIR", f"{files:.3f} s", f"{files / wc:.1f}x", "25x", memory(files_memory, allowed))]
        shutil.rmtree(out, ignore_errors=True)
        summary, _ = best([self.program, "mem", log, "-q"], self.repeat)
        fit, fit_memory = best([self.program, "fit", log, "-q"], self.repeat)
        self.rows.append((f"{title}: fit, of mem", f"{fit:.3f} s", f"{fit / summary:.1f}x", "2x", memory(fit_memory, allowed)))
        return document

    def scaling(self, title, small, large):
        self.rows.append((f"{title}: ten times the log", "", f"{large / small:.1f}x", "11x", ""))

    def json_time(self, log):
        return best([self.program, "mem", log, "-q", "--json", "/dev/null"], self.repeat)[0]

    def print_tables(self):
        tables = [(("measured", "best time", "ratio", "bar", "peak RssAnon"), self.rows),
                  (("in the browser", "measured", "bar"), self.page_rows), (bench_capture.HEADING, self.capture_rows),
                  (bench_chip.HEADING, self.chip_rows), (bench_record.HEADING, self.record_rows)]
        print("\n\n".join(table_text([heading] + rows) for heading, rows in tables if rows))


PAGE_BARS = [
    # what, of the measurements, bar
    ("curve drawn", lambda m: f"{m['curve_ms']:.0f} ms", "2000 ms"),
    ("table there", lambda m: f"{m['table_ms']:.0f} ms", "2000 ms"),
    ("zoom by key", lambda m: f"{m['zoom']['fps']:.0f} fps", "50 fps"),
    ("pan by key", lambda m: f"{m['pan']['fps']:.0f} fps", "50 fps"),
    ("zoom by wheel", lambda m: f"{m['wheel']['fps']:.0f} fps", "50 fps"),
    ("scroll the table", lambda m: f"{m['scroll']['fps']:.0f} fps", ""),
    ("longest task while panning", lambda m: f"{m['pan']['longest_task_ms']:.0f} ms", "200 ms"),
]


def bench_page(bench, megabytes):
    """The page of a log with about a million recorded ops and 5,000 distinct op texts, in headless Chromium."""
    log = bench.make_log("million.log", megabytes, "--layers", "42")
    page = os.path.join(bench.folder, "page.html")
    document = bench.json_time(log)
    seconds, _ = best([bench.program, "mem", log, "-q", "--html", page], bench.repeat)
    os.remove(log)
    bench.rows += [(f"page of {megabytes} MB: mem --json /dev/null", f"{document:.3f} s", "1.0x", "", ""),
                   (f"page of {megabytes} MB: mem --html FILE", f"{seconds:.3f} s", f"{seconds / document:.1f}x", "2x", "")]
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page", "measure.mjs")
    runs = [json.loads(subprocess.run(["node", script, page], check=True, capture_output=True, text=True).stdout)
            for _ in range(3)]
    quickest = min(runs, key=lambda run: run["table_ms"])
    bench.page_rows = [("page", f"{os.path.getsize(page) / 1e6:.1f} MB", "40 MB")]
    bench.page_rows += [(what, text(quickest), bar) for what, text, bar in PAGE_BARS]


def memory(used, allowed):
    return f"{used / 2 ** 20:.0f} MiB of {allowed / 2 ** 20:.0f}"


def bench_logs(bench, megabytes):
    small = bench.json_time(bench.make_log("small.log", megabytes // 10))
    log = bench.make_log("large.log", megabytes)
    bench.scaling("repeated runs", small, bench.compare(log, f"{megabytes} MB"))
    os.remove(log)
    small = bench.json_time(bench.make_log("live_small.log", megabytes // 10, "--keep-live"))
    log = bench.make_log("live.log", megabytes, "--keep-live")
    bench.scaling("tensors stay live", small, bench.compare(log, f"{megabytes} MB, all live"))
    os.remove(log)
    log = bench.make_log("locs.log", megabytes, "--distinct-locs")
    bench.compare(log, f"{megabytes} MB, distinct locs")
    os.remove(log)


def bench_graph(bench, megabytes):
    """A graph capture against the plain pass over it (tools/plain_pass), both from the page cache."""
    build = os.path.dirname(bench.program)
    for title, options in (("graph", []), ("graph, NO_DISPATCH", ["--no-dispatch"]), ("graph report", ["--report"])):
        capture = os.path.join(bench.folder, "capture.json")
        subprocess.run([os.path.join(build, "ttscope-gen-graph"), "--bytes", str(megabytes * 10 ** 6), "--out", capture, *options],
                       check=True)
        size = os.path.getsize(capture)
        plain, _ = best([os.path.join(build, "ttscope-plain-pass"), capture], bench.repeat)
        read, used = best([bench.program, "graph", capture, "--summary"], bench.repeat)
        everything, _ = best([bench.program, "graph", capture, "-q", "--llm", "/dev/null"], bench.repeat)
        name = f"{title} of {megabytes} MB"
        bench.rows += [(f"{name}: plain simdjson pass", f"{plain:.3f} s", "1.0x", "", ""),
                       (f"{name}: graph --summary", f"{read:.3f} s", f"{read / plain:.1f}x", "2x", memory(used, 0.1 * size)),
                       (f"{name}: graph --llm", f"{everything:.3f} s", f"{everything / plain:.1f}x", "", "")]
        os.remove(capture)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--build", required=True)
    options.add_argument("--megabytes", type=int, default=1000, help="size of the large log (default 1000)")
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--folder", help="where the logs are made (default: a temporary folder)")
    options.add_argument("--page-megabytes", type=int, default=4100,
                         help="size of the log whose page is opened; 4100 has a million recorded ops (default)")
    options.add_argument("--device-rows", type=int, default=10000000, help="rows of the device log (default 10 million)")
    options.add_argument("--zones", type=int, default=10000000, help="zones of the timeline (default 10 million)")
    options.add_argument("--only", choices=["log", "page", "capture", "chip", "graph", "perf-report", "perf-table", "diff", "timeline", "record"], help="this part alone")
    args = options.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        bench = Bench(args.build, folder, args.repeat)
        if args.only in (None, "log"):
            bench_logs(bench, args.megabytes)
        if args.only in (None, "page"):
            bench_page(bench, args.page_megabytes)
        if args.only in (None, "graph"):
            bench_graph(bench, args.megabytes)
        if args.only in (None, "capture"):
            bench.capture_rows = bench_capture.rows(args.build, folder, args.megabytes, args.repeat)
        if args.only in (None, "chip"):
            bench.chip_rows = bench_chip.rows(args.build, args.repeat)
        if args.only in (None, "perf-report"):
            bench.rows += bench_perf_report.rows(args.build, folder, args.device_rows,
                                                 lambda command, before: best(command, args.repeat, before), memory)
        if args.only in (None, "perf-table"):
            bench.rows += bench_perf_table.rows(bench.program, folder, args.repeat, best, memory)
        if args.only in (None, "diff"):
            bench.rows += bench_diff.rows(bench.program, folder, args.repeat, best, memory)
        if args.only in (None, "timeline"):
            rows, in_browser = bench_timeline.rows(args.build, folder, args.zones,
                                                   lambda command, before: best(command, args.repeat, before), memory)
            bench.rows += rows
            bench.page_rows += in_browser
        if args.only in (None, "record"):
            bench.record_rows = bench_record.rows(args.build, folder)
        bench.print_tables()


if __name__ == "__main__":
    main()
