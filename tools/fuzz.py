#!/usr/bin/env python3
"""Runs the fuzz targets that `./dev fuzz` has built, and shares the time among them by what still finds coverage.

    tools/fuzz.py [TARGET] [SECONDS]    TARGET: a name, `readers`, `chains` or `all` (default); SECONDS: of all together
    tools/fuzz.py trim [TARGET]         adds what was found and covers more to the archives in tests/fuzz/corpus
    tools/fuzz.py file [TARGET]         takes up what lies in build/fuzz/findings

Every target gets a short slice. After that slices go to where the last ones found most; where nothing is found any
more, to the target that ran least. New inputs go to build/fuzz/corpus, findings to build/fuzz/findings with what the
program said. A finding is made as small as it can be and put into tests/fuzz/corpus, where it is a test from then on.
A target with a finding gets no further slices. All executions are counted in build/fuzz/executions.csv. Exit code 1:
there are findings.
"""
import collections
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import corpus

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/fuzz"
KEPT = corpus.KEPT
PROGRESS = re.compile(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+)", re.MULTILINE)
EXECUTED = re.compile(r"^stat::number_of_executed_units:\s+(\d+)", re.MULTILINE)
FINDING = re.compile(r"^broken: |runtime error:|ERROR: ")
ARTIFACT = re.compile(r"^(crash|timeout|oom|leak|slow-unit)-[0-9a-f]{40}$")
SECONDS_TO_SHRINK = 60
RECENT_SLICES = 2
# Large inputs find little that small ones do not, and take their time.
MOST_BYTES = 2048
MOST_BYTES_OF = {"graph_database": 8192, "graph_report": 4096, "mem_ttmem": 4096, "terminal_keys": 64,
                 "timeline_recording": 12288}


@dataclasses.dataclass
class Target:
    name: str
    seconds: float = 0.0
    slices: int = 0
    executions: int = 0
    coverage: int = 0
    features: int = 0
    found: int = 0
    has_finding: bool = False
    recent: collections.deque = dataclasses.field(default_factory=lambda: collections.deque(maxlen=RECENT_SLICES))

    @property
    def program(self):
        return BUILD / "tests/fuzz" / f"fuzz_{self.name}"

    @property
    def corpus(self):
        return BUILD / "corpus" / self.name

    @property
    def kept(self):
        """The inputs of the repository, unpacked."""
        return BUILD / "kept" / self.name


@dataclasses.dataclass
class Slice:
    """What one run of a target told."""
    executions: int = 0
    coverage: int = 0
    features: int = 0
    new_features: int = 0


def read_slice(output):
    """Takes the output of libFuzzer apart."""
    lines = PROGRESS.findall(output)
    if not lines:
        return Slice()
    started = next((line for line in lines if line[1] == "INITED"), lines[0])
    last = lines[-1]
    executed = EXECUTED.search(output)
    return Slice(int(executed.group(1)) if executed else int(last[0]), int(last[2]), int(last[3]),
                 int(last[3]) - int(started[3]))


def finding_in(output):
    """What was found, without the progress before it."""
    lines = [line for line in output.splitlines() if not line.startswith("#") or line.startswith("#0")]
    start = next((i for i, line in enumerate(lines) if FINDING.search(line)), len(lines) - 5)
    return "\n".join("  " + line for line in lines[start:start + 20])


def next_target(targets):
    """Whose turn it is; None when all have findings."""
    able = [target for target in targets if not target.has_finding]
    if not able:
        return None
    new = [target for target in able if target.slices == 0]
    if new:
        return new[0]
    best = max(able, key=lambda target: sum(target.recent))
    return best if sum(best.recent) > 0 else min(able, key=lambda target: target.seconds)


def slice_seconds(total_seconds, target_count):
    """So short that the first round takes at most a third of the time."""
    return max(1, min(30, total_seconds // (3 * target_count)))


def options_of(target):
    """The options of libFuzzer that every run of the target has."""
    options = ["-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1",
               "-entropic=0",  # its books take longer than most readers
               f"-artifact_prefix={BUILD}/findings/{target.name}-"]
    if not target.name.startswith("chain_"):
        options.append(f"-max_len={MOST_BYTES_OF.get(target.name, MOST_BYTES)}")
    dictionary = ROOT / "tests/fuzz/dictionaries" / f"{target.name.removeprefix('chain_')}.dict"
    return options + ([f"-dict={dictionary}"] if dictionary.exists() else [])


def environment():
    """The sanitizer's books are kept short: where memory came from shows when a finding is run again."""
    options = [os.environ.get("ASAN_OPTIONS"), "malloc_context_size=1", "quarantine_size_mb=16"]
    return {**os.environ, "ASAN_OPTIONS": ":".join(filter(None, options))}


def outcome_of(target, path):
    """What the target says of one input; empty when it has no complaint."""
    done = subprocess.run([target.program, "-rss_limit_mb=2048", "-timeout=20", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", check=False, env=environment())
    return finding_in(done.stderr) or f"  exit code {done.returncode}" if done.returncode else ""


def signature_of(outcome):
    """The first line that says what is wrong, without addresses and numbers: findings with equal ones are one."""
    told = next((line for line in outcome.splitlines() if FINDING.search(line.strip())), outcome)
    return re.sub(r"0x[0-9a-f]+|\d+", "N", told.strip())


def shrunk(target, path):
    """The smallest input with the same complaint that a minute finds."""
    signature, smallest = signature_of(outcome_of(target, path)), path.read_bytes()
    small = path.with_name(path.name + ".small")
    subprocess.run([target.program, "-minimize_crash=1", f"-max_total_time={SECONDS_TO_SHRINK}", "-rss_limit_mb=2048",
                    "-timeout=20", f"-exact_artifact_path={small}", path],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, env=environment())
    if small.exists():
        found = small.read_bytes()
        if len(found) < len(smallest) and signature_of(outcome_of(target, small)) == signature:
            smallest = found
        small.unlink()
    return smallest


def file_findings(target, findings=None):
    """Makes tests of what lies in the folder of findings: one small input of each complaint. Their paths."""
    findings = findings or BUILD / "findings"
    filed, signatures = [], set()
    for path in sorted(findings.glob(f"{target.name}-*")):
        if not ARTIFACT.match(path.name.removeprefix(f"{target.name}-")):
            continue
        outcome = outcome_of(target, path)
        done = findings / "filed"
        done.mkdir(exist_ok=True)
        if outcome and signature_of(outcome) not in signatures:
            signatures.add(signature_of(outcome))
            content = shrunk(target, path)
            test = KEPT / target.name / f"found_{hashlib.sha1(content).hexdigest()[:12]}"
            test.parent.mkdir(parents=True, exist_ok=True)
            test.write_bytes(content)
            (done / f"{path.name}.txt").write_text(outcome + "\n")
            filed.append(test)
            print(f"{target.name}: {signature_of(outcome)}\n  {len(content)} bytes: {test}", flush=True)
        shutil.move(path, done / path.name)
    return filed


def count_executions(target, executions, seconds):
    with open(BUILD / "executions.csv", "a", encoding="utf-8") as file:
        file.write(f"{target.name},{executions},{seconds:.0f}\n")


def run_slice(target, seconds):
    target.corpus.mkdir(parents=True, exist_ok=True)
    if target.slices == 0:
        corpus.unpack(target.name, target.kept)
    corpora = [target.corpus, target.kept]
    start = time.monotonic()
    done = subprocess.run(
        [target.program, f"-max_total_time={seconds}", *options_of(target), *corpora],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False, env=environment())
    told = read_slice(done.stderr)
    target.seconds += time.monotonic() - start
    count_executions(target, told.executions, time.monotonic() - start)
    target.slices += 1
    target.executions += told.executions
    target.coverage, target.features = told.coverage, told.features
    target.found += told.new_features
    target.recent.append(told.new_features / seconds)
    target.has_finding = done.returncode != 0
    print(f"{target.name:22} {seconds:3} s  {told.executions:9} executions  {told.coverage:5} edges  "
          f"{told.new_features:+5} features", flush=True)
    if target.has_finding:
        print(finding_in(done.stderr), flush=True)
        file_findings(target)


def run(targets, total_seconds):
    (BUILD / "findings").mkdir(parents=True, exist_ok=True)
    length = slice_seconds(total_seconds, len(targets))
    end = time.monotonic() + total_seconds
    while time.monotonic() < end or any(target.slices == 0 and not target.has_finding for target in targets):
        target = next_target(targets)
        if target is None:
            break
        run_slice(target, length)
    print_totals(targets)
    return 1 if any(target.has_finding for target in targets) else 0


def print_totals(targets):
    print(f"\n{'target':22} {'seconds':>8} {'executions':>11} {'a second':>9} {'edges':>6} {'features':>9} {'new':>6}")
    for target in targets:
        speed = target.executions / target.seconds if target.seconds else 0
        print(f"{target.name:22} {target.seconds:8.0f} {target.executions:11} {speed:9.0f} {target.coverage:6} "
              f"{target.features:9} {target.found:6}{'  FINDING' if target.has_finding else ''}")
    findings = sum(target.has_finding for target in targets)
    print(f"{sum(target.executions for target in targets)} executions, "
          f"{sum(target.coverage for target in targets)} edges, {findings} targets with findings"
          + (f" (see {BUILD}/findings)" if findings else ""))


def trim(target):
    """Keeps the smallest inputs that cover what all of them cover; those that are kept already stay."""
    corpus.unpack(target.name, target.kept)
    before = {path.name for path in target.kept.iterdir()}
    done = subprocess.run([target.program, "-merge=1", "-use_counters=0", *options_of(target), target.kept, target.corpus],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    corpus.pack(target.name, target.kept)
    files = list(target.kept.iterdir())
    print(f"{target.name:22} {len(files):5} inputs, {len(files) - len(before):+5}, "
          f"{sum(path.stat().st_size for path in files):8} bytes", flush=True)
    return done.returncode == 0


def chosen(wanted):
    names = sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "tests/fuzz").glob("fuzz_*.cc"))
    chains = [name for name in names if name.startswith("chain_")]
    groups = {"all": names, "chains": chains, "readers": [name for name in names if name not in chains]}
    picked = groups.get(wanted, [name for name in names if name == wanted.removeprefix("fuzz_")])
    if not picked:
        sys.exit(f"fuzz: no target named '{wanted}'; there are readers, chains, all, {', '.join(names)}")
    return [Target(name) for name in picked]


def main(arguments):
    if arguments and arguments[0] == "trim":
        targets = chosen(arguments[1] if len(arguments) > 1 else "all")
        return 0 if all([trim(target) for target in targets if target.corpus.exists()]) else 1
    if arguments and arguments[0] == "file":
        filed = [path for target in chosen(arguments[1] if len(arguments) > 1 else "all") for path in file_findings(target)]
        return 1 if filed else 0
    if len(arguments) == 1 and arguments[0].isdigit():
        arguments = ["all", *arguments]
    if len(arguments) > 2 or (len(arguments) == 2 and not arguments[1].isdigit()):
        print(__doc__, file=sys.stderr)
        return 2
    targets = chosen(arguments[0] if arguments else "all")
    seconds = int(arguments[1]) if len(arguments) == 2 else 60 if len(targets) == 1 else 600
    return run(targets, seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
