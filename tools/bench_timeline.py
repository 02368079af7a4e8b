"""Speed, size and memory of `ttscope timeline` on device logs, against `wc -l`: rows for the table of bench.py."""
import json
import os
import shutil
import subprocess

PICTURE_BAR, FRAMES_BAR, TASK_BAR_MS = 3, 0.8, 200
PAGE_BAR, PAGE_BYTES, ZONE_BYTES = 20, 100e6, 60


def rows_in_browser(page):
    """The first picture against a page that only unpacks the same columns, frames against an empty canvas of the same size."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page", "measure_timeline.mjs")
    found = json.loads(subprocess.run(["node", script, page], check=True, capture_output=True, text=True).stdout)
    frames = {zoom: one["fps"] / one["empty_fps"] for zoom, one in found["zooms"].items()}
    slowest = min(frames, key=frames.get)
    longest = max(one["longest_task_ms"] for one in found["zooms"].values())
    return [("timeline: first picture, of unpacking", f"{found['picture_ms'] / found['decode_ms']:.2f}x", f"{PICTURE_BAR}x"),
            (f"timeline: panning, of an empty canvas ({slowest})", f"{frames[slowest]:.2f}x", f"at least {FRAMES_BAR}x"),
            ("timeline: longest task while panning", f"{longest:.0f} ms", f"{TASK_BAR_MS} ms")]


def rows(build, folder, zones, best, memory):
    """Rows of the table and those of the browser's. `best` and `memory` are those of bench.py: (command, before) -> (seconds, bytes),
    (bytes, bytes) -> text."""
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
    in_browser = rows_in_browser(page)
    shutil.rmtree(logs)
    for path in (page, tracy):
        os.remove(path)
    return table, in_browser
