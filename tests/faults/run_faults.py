#!/usr/bin/env python3
"""Makes single calls of the system fail below some twenty commands, and holds each run against these rules: no signal
and no hang, an exit code of ours, a sentence on standard error where something is missing, every output file either as
it was before or whole, and nothing left over.

    run_faults.py              a sample of 300 runs, the same ones every time
    run_faults.py --all        every call of every kind (TTSCOPE_FAULTS=all); of allocations the first 400 of each command
                               and 400 more, evenly spread
    run_faults.py COMMAND...   the same of these commands
    run_faults.py --show COMMAND KIND:N     one run: what it said, and the verdict

Environment: TTSCOPE_BUILD_DIR, TTSCOPE_SOURCE_DIR. The library that is preloaded is fault_injection.c.
"""
import collections
import dataclasses
import os
import pathlib
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parent.parent.parent)).resolve()
BUILD = pathlib.Path(os.environ.get("TTSCOPE_BUILD_DIR", SOURCE / "build/release")).resolve()
LIBRARY = pathlib.Path(os.environ.get("TTSCOPE_FAULT_LIBRARY", BUILD / "tests/libfault_injection.so"))
KINDS = ("malloc", "read", "write", "open", "rename", "fsync", "mmap", "thread")
SAMPLE = 300
SEED = 30
# Allocations fail at each of the first calls, and at this many of the others, evenly spread: most of a command's
# thousands of allocations come from the same few places.
FIRST_MALLOCS, OTHER_MALLOCS = 400, 400
OLD = b"this file was here before\n"
PATIENCE_SECONDS = 60
EXIT_CODES = (0, 1, 2, 3, 4)
RUN_EXIT_CODES = (*EXIT_CODES, 125, 126, 127)


@dataclasses.dataclass
class Command:
    """A command line; it runs in a folder with the inputs. `outputs` exist before in every other run."""
    name: str
    line: str
    outputs: tuple = ()
    exit_codes: tuple = EXIT_CODES
    program: str = "ttscope"
    looks_at_machine: bool = False  # what cannot be read is what it tells


COMMANDS = (
    Command("version", "--version"),
    Command("help", "mem --help"),
    Command("mem", "mem run.log --json mem.json --html mem.html --llm mem.md", ("mem.json", "mem.html", "mem.md")),
    Command("mem_out", "mem run.log --out made/here -q"),
    Command("mem_packed", "mem run.log.gz --json mem.json", ("mem.json",)),
    Command("oom", "oom oom.log --markdown oom.md --json oom.json", ("oom.md", "oom.json")),
    Command("phases", "phases phases.log --json phases.json --llm phases.md", ("phases.json", "phases.md")),
    Command("graph", "graph graph.json --json out.json --html out.html", ("out.json", "out.html")),
    Command("graph_packed", "graph graph.json.gz --llm out.md", ("out.md",)),
    Command("graph_sqlite", "graph graph.json --sqlite out.sqlite"),
    Command("perf", "perf ops.csv --json perf.json --html perf.html --csv perf.csv", ("perf.json", "perf.html", "perf.csv")),
    Command("perf_compare", "perf compare ops.csv later.csv --json compare.json", ("compare.json",)),
    Command("diff", "diff ops.csv later.csv --json diff.json --html diff.html", ("diff.json", "diff.html")),
    Command("gate", "gate run.log ops.csv --budget budgets.toml --json gate.json --junit gate.xml", ("gate.json", "gate.xml")),
    Command("timeline", "timeline run.tracy --json line.json -o line.html", ("line.json", "line.html")),
    Command("fit", "fit oom.log --search --json fit.json --llm fit.md", ("fit.json", "fit.md")),
    Command("sql", "sql run.log 'select name, count(*) from ops group by name' --csv sql.csv", ("sql.csv",)),
    Command("export", "export ops.csv --table ops -o ops_table.json", ("ops_table.json",)),
    Command("last_run", "last-run run.log -o last.log", ("last.log",)),
    Command("tail", "tail run.log --once"),
    Command("run", "run --name model --output-dir logs -q -- cat run.log", (), RUN_EXIT_CODES),
    Command("ttmem", "--llm --logfile run.log -o ttmem.md", ("ttmem.md",), EXIT_CODES, "ttmem"),
    Command("list", "list", (), EXIT_CODES, "ttmem"),
    Command("doctor", "doctor --llm", looks_at_machine=True),
)


def make_inputs(folder):
    """Small inputs of every kind."""
    examples = SOURCE / "examples"
    for source, name in (("sample.log", "run.log"), ("sample_oom.log", "oom.log"), ("training/phases.log", "phases.log"),
                         ("sample_graph.json", "graph.json")):
        shutil.copy(examples / source, folder / name)
    for name in ("run.log", "graph.json"):
        subprocess.run(["gzip", "-kn", name], cwd=folder, check=True)
    subprocess.run([sys.executable, SOURCE / "tools/make_op_runs.py", "--change", "cores", "--seed", "7",
                    folder / "ops.csv", folder / "later.csv", folder / "truth.json"], check=True, stdout=subprocess.DEVNULL)
    (folder / "truth.json").unlink()
    (folder / "budgets.toml").write_text('[memory]\ndram_peak = "90%"\nfits = true\n[time]\ndevice = "1 s"\n')
    tracy = SOURCE / "tests/fuzz/corpus/timeline_tracy/device_0.10.tracy"
    shutil.copy(tracy, folder / "run.tracy")


@dataclasses.dataclass
class Outcome:
    code: int  # negative: a signal; None: it did not end
    out: bytes
    err: bytes
    files: dict  # by path below the folder, without inputs


def files_below(folder, inputs):
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name in inputs:
            continue
        found[name] = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    return found


class Runner:
    def __init__(self, place):
        self.inputs = place / "inputs"
        self.inputs.mkdir()
        make_inputs(self.inputs)
        self.names = {path.name for path in self.inputs.iterdir()}
        self.folder = place / "run"
        self.counts = place / "counts"
        self.references = {}

    def run(self, command, fault=None, old=False):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "home").mkdir(parents=True)
        (self.folder / "tmp").mkdir()
        for name in self.names:
            os.link(self.inputs / name, self.folder / name)
        for name in command.outputs if old else ():
            (self.folder / name).write_bytes(OLD)
        self.counts.write_bytes(bytes(8 * len(KINDS)))
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"),
                       "LD_PRELOAD": str(LIBRARY), "TTSCOPE_FAULT_COUNTS": str(self.counts), "TZ": "UTC"}
        if fault:
            environment["TTSCOPE_FAULT"] = fault
        process = subprocess.Popen([BUILD / command.program, *shlex.split(command.line)], cwd=self.folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=PATIENCE_SECONDS)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            code = None
        return Outcome(code, out, err, files_below(self.folder, self.names))

    def reference(self, command):
        """How the command ends undisturbed, and how often it calls what."""
        if command.name not in self.references:
            done = self.run(command)
            if done.code not in (0, 3):
                sys.exit(f"{command.name}: ends with {done.code} without any fault\n{done.err.decode(errors='replace')}")
            counts = dict(zip(KINDS, struct.unpack(f"{len(KINDS)}Q", self.counts.read_bytes())))
            self.references[command.name] = (done, counts)
        return self.references[command.name]


def steady(content):
    """Without what differs from run to run: dates, times, and the names that are made of them."""
    if content is None:
        return None
    return re.sub(rb"\d{8}_\d{6}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?|[\d.,]+ (s|ms|MB/s)\b", b"*", content)


def steady_names(files):
    return {steady(name.encode()).decode(): content for name, content in files.items()}


def has_sentence(command, err):
    """A line of ours with a few words, none of the standard library's."""
    text = err.decode(errors="replace")
    names = (f"{command.program}: ", "ttscope: ")  # the second before it knows its name
    told = [line for line in text.splitlines() if line.startswith(names) and len(line.split()) > 2]
    return bool(told) and "std::" not in text and "basic_string" not in text and "terminate called" not in text


def broken_rules(command, done, reference, old):
    """What is wrong with a run; empty when nothing is."""
    if done.code is None:
        return ["does not end"]
    if done.code < 0 or done.code >= 128:
        return [f"ends by signal {-done.code if done.code < 0 else done.code - 128}"]
    problems = []
    if done.code not in command.exit_codes:
        problems.append(f"exit code {done.code}")
    said = has_sentence(command, done.err)
    if done.code != reference.code and not said:
        problems.append(f"exit code {done.code} without a sentence")
    if b"terminate called" in done.err:
        problems.append("terminate called")
    # Something may be missing without harm; what is there without a word must be all that there is to say.
    is_silent = done.code == reference.code and not done.err
    if is_silent and not command.looks_at_machine and steady(done.out) != steady(reference.out):
        problems.append("says something else on standard output, and does not say why")
    files, expected = steady_names(done.files), steady_names(reference.files)
    for name, content in files.items():
        # What was made for a report that was not written.
        is_empty = content is None and not any(other.startswith(f"{name}/") for other in files)
        if is_empty and name not in ("home", "home/.ttmem", "tmp") and any(other.startswith(f"{name}/") for other in expected):
            problems.append(f"leaves the empty folder {name}")
    for name in sorted(files.keys() | expected.keys()):
        content = files.get(name)
        if name not in expected:
            problems.append(f"leaves {name}")
        elif name not in files:
            if done.code == reference.code and not done.err:
                problems.append(f"{name} is missing, and it does not say so")
            elif name in command.outputs and old:
                problems.append(f"{name} was there before and is lost")
        elif name in command.outputs and old and content == OLD:
            if done.code == reference.code and not done.err:
                problems.append(f"{name} was not written, and it does not say so")
        elif not is_same(name, content, expected[name]) and not (said and is_whole(name, content)):
            problems.append(f"{name} is not what it should be ({len(content or b'')} bytes, {len(expected[name] or b'')} expected)")
    return problems


def is_same(name, content, expected):
    """Pages are compared by their size: the date of the run is packed into them."""
    if name.endswith(".html") and content and expected:
        return abs(len(content) - len(expected)) < 16 and content.endswith(b"</html>\n")
    if name.endswith(".png") and content and expected:  # fonts that cannot be read are replaced
        return content.endswith(b"IEND\xaeB`\x82")
    return steady(content) == steady(expected)


def is_whole(name, content):
    """A report on less than all is whole where the end of its form is there, and it was said."""
    ends = {".json": (b"}\n", b"]\n"), ".html": (b"</html>\n",), ".md": (b"\n",), ".csv": (b"\n",), ".xml": (b">\n",)}
    return content is not None and content.endswith(ends.get(pathlib.PurePath(name).suffix, (b"",)))


def spread(count, most):
    """At most so many numbers of 1 to count, evenly."""
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def every_fault(counts):
    for kind in KINDS:
        calls = counts[kind]
        if kind == "malloc":
            calls = min(calls, FIRST_MALLOCS)
        for call in range(1, calls + 1):
            yield f"{kind}:{call}"
        if kind == "malloc" and counts[kind] > FIRST_MALLOCS:
            for call in spread(counts[kind] - FIRST_MALLOCS, OTHER_MALLOCS):
                yield f"{kind}:{FIRST_MALLOCS + call}"
        # And as it is when the disk stays full, or no thread can start any more.
        for call in spread(counts[kind], 8):
            yield f"{kind}:{call}+"


def sampled(faults):
    """So many runs, of each kind alike, the same ones every time."""
    chooser = random.Random(SEED)
    by_kind = collections.defaultdict(list)
    for command, fault in faults:
        by_kind[command.name, fault.split(":")[0]].append((command, fault))
    for group in by_kind.values():
        chooser.shuffle(group)
    chosen = []
    while len(chosen) < SAMPLE and any(by_kind.values()):
        for group in by_kind.values():
            if group and len(chosen) < SAMPLE:
                chosen.append(group.pop())
    return chosen


def show(runner, name, fault):
    command = next(command for command in COMMANDS if command.name == name)
    reference, counts = runner.reference(command)
    print(counts)
    for old in (False, True):
        done = runner.run(command, fault, old)
        print(f"exit code {done.code}\n{done.out.decode(errors='replace')[-1000:]}\n{done.err.decode(errors='replace')[-3000:]}")
        print({name: len(content or b"") for name, content in done.files.items()})
        print(broken_rules(command, done, reference, old) or "fine")


def main(arguments):
    if not LIBRARY.exists():
        print(f"skipped: {LIBRARY} is not built")
        return 77
    with tempfile.TemporaryDirectory() as place:
        runner = Runner(pathlib.Path(place))
        if arguments[:1] == ["--show"]:
            show(runner, *arguments[1:])
            return 0
        wanted = [command for command in COMMANDS if not arguments or command.name in arguments or arguments[0] == "--all"]
        faults = [(command, fault) for command in wanted for fault in every_fault(runner.reference(command)[1])]
        all_of_them = "--all" in arguments or os.environ.get("TTSCOPE_FAULTS") == "all" or len(wanted) < len(COMMANDS)
        runs = faults if all_of_them else sampled(faults)
        broken = collections.Counter()
        for number, (command, fault) in enumerate(runs):
            old = number % 2 == 1
            done = runner.run(command, fault, old)
            for problem in broken_rules(command, done, runner.reference(command)[0], old):
                broken[command.name, fault.split(":")[0], problem] += 1
                if broken[command.name, fault.split(":")[0], problem] <= 3:
                    last = (done.err.decode(errors="replace").strip().splitlines() or [""])[-1]
                    print(f"{command.name} {fault}: {problem}; says: {last[:200]}", flush=True)
        print(f"{len(runs)} runs of {len(wanted)} commands with a failing call, {len(faults)} are possible: "
              f"{sum(broken.values())} broken rules")
        return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
