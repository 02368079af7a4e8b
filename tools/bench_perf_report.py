"""Speed and memory of `ttscope perf` on device logs, against `wc -l`: rows for the table of bench.py."""
import os
import shutil
import subprocess

BAR, MEMORY_BAR, LINEAR_BAR = 8, 300e6, 11


def make_capture(generator, folder, rows, *options):
    logs = os.path.join(folder, f"device_{rows}")
    subprocess.run([generator, "-o", logs, "--rows", str(rows), *options], check=True)
    with open(os.path.join(logs, "profile_log_device.csv"), "rb") as file:
        while file.read(1 << 24):
            pass
    return logs


def rows(build, folder, device_rows, best, memory):
    """`best` and `memory` are those of bench.py: (command, before) -> (seconds, bytes), (bytes, bytes) -> text."""
    program, generator = os.path.join(build, "ttscope"), os.path.join(build, "ttscope-gen-device-log")
    out = os.path.join(folder, "perf_out")

    def clean():
        shutil.rmtree(out, ignore_errors=True)

    def measure(logs, *options):
        return best([program, "perf", logs, "-q", "-o", out, *options], clean)

    table = []
    small = make_capture(generator, folder, device_rows // 10)
    small_seconds, _ = measure(small)
    shutil.rmtree(small)
    for title, options in (("", []), (", op after op", ["--op-major"])):
        logs = make_capture(generator, folder, device_rows, *options)
        wc, _ = best(["wc", "-l", os.path.join(logs, "profile_log_device.csv")], lambda: None)
        seconds, used = measure(logs)
        name = f"{device_rows / 1e6:g} M device rows{title}"
        table += [(f"{name}: wc -l", f"{wc:.3f} s", "1.0x", "", ""),
                  (f"{name}: perf -o DIR", f"{seconds:.3f} s", f"{seconds / wc:.1f}x", f"{BAR}x", memory(used, MEMORY_BAR))]
        seconds_zones, used = measure(logs, "--zones")
        table += [(f"{name}: perf --zones", f"{seconds_zones:.3f} s", f"{seconds_zones / wc:.1f}x", "", memory(used, MEMORY_BAR))]
        if not options:
            one, _ = measure(logs, "--threads", "1")
            table += [(f"{name}: one thread", f"{one:.3f} s", f"{one / wc:.1f}x", "", ""),
                      (f"{name}: ten times the log", "", f"{seconds / small_seconds:.1f}x", f"{LINEAR_BAR}x", "")]
        shutil.rmtree(logs)
    clean()
    return table
