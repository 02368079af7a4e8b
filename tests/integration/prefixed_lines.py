"""What tools write in front of the lines of a log. A style is a function from the number of a line and the rank to
the text in front of it; `wrap` changes the line behind it where the tool does."""
import itertools
import json
import re

ISO = "2025-10-14T04:33:{:02}.{:07}Z"


def iso(number):
    return ISO.format(number % 60, number * 7919 % 10000000)


def clock(number):
    return f"{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}"


# Styles that say nothing about the process.
PLAIN = {
    "github_actions": lambda n: iso(n) + " ",
    "github_cli": lambda n: f"test-n150 / run (3, llama)\tRun the tests\t{iso(n)} ",
    "gitlab": lambda n: f"{iso(n)} {n % 2:02}{'OE'[n % 2]} ",
    "docker_time": lambda n: f"2025-10-14T04:33:23.{n:09}Z ",
    "docker_offset": lambda n: f"2025-10-14T04:33:23.{n:06}+02:00 ",
    "container_runtime": lambda n: f"2025-10-14T04:33:23.{n:09}Z std{'out' if n % 2 else 'err'} F ",
    "jenkins_iso": lambda n: f"[{iso(n)}] ",
    "jenkins_clock": lambda n: clock(n) + "  ",
    "jenkins_note": lambda n: "\x1b[8mha:////4Bf8x+ab/AAAAA=\x1b[0m",
    "ts": lambda n: f"Nov {n % 28 + 1:2} {clock(n)} ",
    "ts_date": lambda n: f"2026-11-18 {clock(n)} ",
    "ts_fraction": lambda n: f"2026-11-18 {clock(n)}.{n % 1000000:06} ",
    "ts_bracket": lambda n: f"[2026-11-18 {clock(n)}] ",
    "ts_elapsed": lambda n: clock(n) + " ",
    "ts_seconds": lambda n: f"17{n % 100000000:08}.123456 ",
    "grep_number": lambda n: f"{n}:",
    "grep_context": lambda n: f"{n}-",
    "grep_file": lambda n: f"logs/run-2/profile.log:{n}:",
    "cat_number": lambda n: f"{n:6}\t",
    "pytest": lambda n: "E       ",
    "server": lambda n: "[SERVER] ",
    "vllm_level": lambda n: f"INFO 10-23 {clock(n)} [engine.py:{n % 300}] ",
}

# Styles that tell processes apart.
RANKED = {
    "mpirun": lambda n, r: f"[1,{r}]<std{'out' if n % 2 else 'err'}>: ",
    "mpirun_old": lambda n, r: f"[1,{r}]<stdout>:",
    "torch": lambda n, r: f"[rank{r}]: ",
    "torchrun": lambda n, r: f"[default{r}]:",
    "host": lambda n, r: f"[2026-05-29 17:55:46.{n % 1000:03}] [host=bh-glx-110-c01u0{r}] ",
    "kubectl": lambda n, r: f"[pod/trainer-{r}-x7f9k/main] ",
    "kubectl_time": lambda n, r: f"[pod/trainer-{r}-x7f9k/main] {iso(n)} ",
    "compose": lambda n, r: f"trainer-{r}  | ",
    "compose_coloured": lambda n, r: f"\x1b[3{r + 3}mtrainer-{r}  | \x1b[0m",
    "ray": lambda n, r: f"(RayTrainWorker pid={4100 + r}, ip=10.0.0.{r}) ",
    "ray_coloured": lambda n, r: f"\x1b[36m(step_{n % 3} pid={4100 + r})\x1b[0m ",
    "vllm": lambda n, r: f"(EngineCore_DP{r} pid={812 + r}) ",
    "xdist": lambda n, r: f"[gw{r}] ",
    "jenkins_branch": lambda n, r: f"[{iso(n)}] [shard-{r}] ",
    "actions_torch": lambda n, r: f"{iso(n)} [rank{r}]: ",
    "ts_torch": lambda n, r: f"2026-11-18 {clock(n)} [rank{r}]: ",
    "srun": lambda n, r: f"{r}: ",
    "srun_many": lambda n, r: f"{r:02}: ",
    "journal": lambda n, r: f"Nov {n % 28 + 1:2} {clock(n)} bh-glx-110 python3[{4711 + r}]: ",
    "journal_iso": lambda n, r: f"2026-11-18T{clock(n)}+0000 bh-glx-110 tt-train@{r}.service[{4711 + r}]: ",
    "pods_of_ranks": lambda n, r: f"[pod/trainer-{r // 2}/main] [rank{r % 2}]: ",
}


def with_plain(style, lines):
    return [PLAIN[style](n) + line for n, line in enumerate(lines, 1)]


def with_rank(style, lines, rank=0):
    return [RANKED[style](n, rank) + line for n, line in enumerate(lines, 1)]


def in_docker_file(lines):
    """As docker's json-file driver keeps them: Go escapes more than it must, and lines are split at 16 KiB."""
    result = []
    for number, line in enumerate(lines, 1):
        text = line + "\n"
        for at in range(0, len(text), 16384):
            record = json.dumps({"log": text[at:at + 16384], "stream": "stdout" if number % 3 else "stderr", "time": iso(number)},
                                separators=(",", ":"), ensure_ascii=False)
            for plain in "<>&":
                record = record.replace(plain, f"\\u{ord(plain):04x}")
            result.append(record)
    return result


def with_mixed(lines):
    """Another style on every line, none of which tells processes apart."""
    styles = itertools.cycle(sorted(PLAIN))
    return [PLAIN[next(styles)](n) + line for n, line in enumerate(lines, 1)]


def interleaved(ranks, burst=7):
    """Lines of the ranks in turn, a few at a time."""
    queues = [list(lines) for lines in ranks]
    result = []
    step = 0
    while any(queues):
        queue = queues[step % len(queues)]
        count = 1 + step * 5 % burst
        result += queue[:count]
        del queue[:count]
        step += 1
    return result


COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def folded(lines, width):
    """Broken after so many characters, as `fold` does it."""
    return [[line[i:i + width] for i in range(0, len(line), width)] or [""] for line in lines]


def wrapped(lines, width):
    """Broken after so many characters on the screen, as a terminal does it; colours take no room there."""
    result = []
    for line in lines:
        pieces, piece, column = [], "", 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if COLOUR.fullmatch(part):
                piece += part
                continue
            for character in part:
                if column == width:
                    pieces.append(piece)
                    piece, column = "", 0
                piece += character
                column += 1
        result.append(pieces + [piece])
    return result
