"""What a zone of marked code costs: off, recorded, and with Tracy's client where TTSCOPE_TRACY_SOURCE names Tracy's sources (a folder with
public/TracyClient.cpp), which are compiled with the same program."""
import os
import re
import subprocess
import tempfile

HEADING = ("a zone", "time", "against", "ratio", "bar")
OFF_BAR, RECORDED_BAR = 1.2, 0.7
_RUNS = 5
_HERE = os.path.dirname(os.path.abspath(__file__))


def zone_times(program, environment=None):
    """The best of several runs: nanoseconds of a turn of the empty loop and of one with a zone."""
    runs = []
    for _ in range(_RUNS):
        with tempfile.TemporaryDirectory() as folder:
            more = {key: value.format(folder=folder) for key, value in (environment or {}).items()}
            text = subprocess.run([program], env=dict(os.environ, **more), capture_output=True, text=True, check=True).stdout
        runs.append(tuple(map(float, re.search(r"empty ([0-9.]+) ns, zone ([0-9.]+) ns", text).groups())))
    return min(run[0] for run in runs), min(run[1] for run in runs)


def tracy_bench(folder):
    """The same program with Tracy's client; None where its sources are not at hand."""
    source = os.environ.get("TTSCOPE_TRACY_SOURCE")
    if not source:
        return None
    public = os.path.join(source, "public")
    program = os.path.join(folder, "tracy_bench")
    subprocess.run(["g++", "-std=c++20", "-O2", "-DNDEBUG", "-DTRACY_ENABLE", "-DTRACY_NO_SYSTEM_TRACING", "-I", public,
                    os.path.join(_HERE, "../simulator/tools/record_bench/main.cc"), os.path.join(public, "TracyClient.cpp"), "-o", program,
                    "-lpthread", "-ldl"], check=True)
    return program


def rows(build, folder):
    ours = os.path.join(build, "ttscope-record-bench")
    empty, off = zone_times(ours, {"TTSCOPE_RECORD": ""})
    _, recorded = zone_times(ours, {"TTSCOPE_RECORD": "{folder}"})
    table = [("off", f"{off:.2f} ns", f"empty loop {empty:.2f} ns", f"{off / empty:.2f}", f"{OFF_BAR}")]
    peer = tracy_bench(folder)
    if peer is None:
        return table + [("recorded", f"{recorded:.1f} ns", "Tracy's client: not here (TTSCOPE_TRACY_SOURCE)", "", "")]
    _, theirs = zone_times(peer)
    return table + [("recorded", f"{recorded:.1f} ns", f"Tracy's client {theirs:.1f} ns", f"{recorded / theirs:.2f}", f"{RECORDED_BAR}")]
