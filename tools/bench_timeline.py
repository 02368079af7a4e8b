"""Speed, size and memory of `ttscope timeline` on device logs, against `wc -l`: rows for the table of bench.py."""
import os
import shutil
import subprocess

PAGE_BAR, PAGE_BYTES, ZONE_BYTES = 20, 100e6, 60


def rows(build, folder, zones, best, memory):
    """`best` and `memory` are those of bench.py: (command, before) -> (seconds, bytes), (bytes, bytes) -> text."""
    program, logs = os.path.join(build, "ttscope"), os.path.join(folder, "timeline_logs")
    # A zone is two rows. Without files of the host: what is measured is reading the device log.
    subprocess.run([os.path.join(build, "ttscope-gen-device-log"), "-o", logs, "--rows", str(2 * zones), "--no-host"], check=True)
    log = os.path.join(logs, "profile_log_device.csv")
    page, tracy = os.path.join(folder, "timeline.html"), os.path.join(folder, "timeline.tracy")
    wc, _ = best(["wc", "-l", log], lambda: None)
    read, read_bytes = best([program, "timeline", log], lambda: None)
    paged, page_bytes = best([program, "timeline", log, "-o", page], lambda: None)
    written, tracy_bytes = best([program, "timeline", log, "-o", tracy], lambda: None)
    name = f"{zones / 1e6:g} M zones"
    table = [(f"{name}: wc -l", f"{wc:.3f} s", "1.0x", "", ""),
             (f"{name}: timeline", f"{read:.3f} s", f"{read / wc:.1f}x", "", memory(read_bytes, ZONE_BYTES * zones)),
             (f"{name}: timeline -o page ({os.path.getsize(page) / 1e6:.0f} MB of {PAGE_BYTES / 1e6:.0f})", f"{paged:.3f} s",
              f"{paged / wc:.1f}x", f"{PAGE_BAR}x", memory(page_bytes, ZONE_BYTES * zones)),
             (f"{name}: writing .tracy, of reading", f"{written - read:.3f} s", f"{(written - read) / read:.1f}x", "1x",
              memory(tracy_bytes, ZONE_BYTES * zones))]
    shutil.rmtree(logs)
    for path in (page, tracy):
        os.remove(path)
    return table
