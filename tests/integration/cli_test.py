"""The real program in real processes: command lines, exit codes, streams and files."""
import gzip
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402

BUILD = pathlib.Path(os.environ.get("TTSCOPE_BUILD_DIR", "."))
SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parent.parent.parent))
OK, FAILED, USAGE, LIMIT = 0, 1, 2, 3


class CliTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.home = self.folder / "home"
        self.home.mkdir()

    def tearDown(self):
        self.temporary.cleanup()

    def run_program(self, *args, program="ttscope", **options):
        """Runs in the test's folder with a home of its own; the result has text streams."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "xterm"}
        environment.update(options.pop("env", {}))
        options.setdefault("stdin", subprocess.DEVNULL if "input" not in options else None)
        if options["stdin"] is None:
            options.pop("stdin")
        return subprocess.run([str(BUILD / program), *map(str, args)], capture_output=True, cwd=self.folder,
                              env=environment, encoding="utf-8", errors="surrogateescape", timeout=120, **options)

    def check(self, code, *args, **options):
        done = self.run_program(*args, **options)
        self.assertEqual(done.returncode, code, f"{args}\n{done.stdout[-500:]}\n{done.stderr[-500:]}")
        return done

    def file(self, name, *parts):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(log.text(*parts))
        return path

    def usual_log(self, name="run.log"):
        return self.file(name, log.module(), log.program(), log.program())


class Help(CliTest):
    def test_every_command_has_help(self):
        overview = self.check(OK, "--help").stdout
        for command in ("mem", "last-run", "demo", "agents", "completion", "help"):
            self.assertIn(command, overview)
            shown = self.check(OK, command, "--help").stdout
            self.assertTrue(shown.startswith("Usage: ttscope " + command), shown[:80])
            self.assertEqual(shown, self.check(OK, "help", command).stdout)
            self.assertLessEqual(max(map(len, shown.splitlines())), 80, command)

    def test_version_of_every_name(self):
        for program in ("ttscope", "ttmem", "tt-memory-profiler"):
            self.assertRegex(self.check(OK, "--version", program=program).stdout, r"^ttscope \d+\.\d+\.\d+\n$")

    def test_nothing_given_shows_the_overview_on_stderr(self):
        done = self.check(USAGE)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage: ttscope", done.stderr)

    def test_agents_prints_the_document(self):
        self.assertEqual(self.check(OK, "agents").stdout, (SOURCE / "docs/agents.md").read_text())

    def test_completion_scripts_are_those_that_are_installed(self):
        for shell, path in (("bash", "bash/ttscope"), ("zsh", "zsh/_ttscope"), ("fish", "fish/ttscope.fish")):
            self.assertEqual(self.check(OK, "completion", shell).stdout,
                             (SOURCE / "completions" / path).read_text(), shell)


class LiveAt(CliTest):
    def test_the_live_set_before_any_op_can_be_asked_for(self):
        sample = str(SOURCE / "examples" / "sample.log")
        document = json.loads(self.check(OK, "mem", sample, "--json", "-", "--at", "300").stdout)
        moment = document["live_at"]
        self.assertGreaterEqual(moment["line"], 300)
        for memory in ("DRAM", "L1"):
            live = moment[memory]
            self.assertEqual(sum(t["bytes_per_bank"] for t in live["tensors"]), live["accounted_bytes_per_bank"])
            self.assertEqual(live["accounted_bytes_per_bank"] + live["unaccounted_bytes_per_bank"],
                             live["bytes_per_bank"])
        self.assertIn("before line", self.check(OK, "mem", sample, "--at", "300").stdout)

    def test_nothing_behind_the_last_op(self):
        sample = str(SOURCE / "examples" / "sample.log")
        self.assertIsNone(json.loads(self.check(OK, "mem", sample, "--json", "-", "--at", "999999").stdout)["live_at"])
        self.check(USAGE, "mem", sample, "--at", "somewhere")


class WrongUsage(CliTest):
    def test_did_you_mean(self):
        run = self.usual_log()
        for args, program, hint in ((["memm", run], "ttscope", "mem"), (["--hepl"], "ttscope", "--help"),
                                    (["mem", run, "--jsno", "x"], "ttscope", "--json"),
                                    (["last-run", run, "--inplace"], "ttscope", "--in-place"),
                                    (["completion", "bahs"], "ttscope", "bash"),
                                    (["help", "agent"], "ttscope", "agents"), (["--lml"], "ttmem", "--llm"),
                                    (["--analyse", run], "tt-memory-profiler", "--analyze")):
            done = self.check(USAGE, *args, program=program)
            self.assertIn("did you mean", done.stderr, args)
            self.assertIn(hint, done.stderr, args)
            self.assertEqual(done.stdout, "")

    def test_a_log_without_a_command(self):
        run = self.usual_log()
        self.assertIn("ttscope mem", self.check(USAGE, run).stderr)

    def test_values(self):
        run = self.usual_log()
        for args in (["mem"], ["mem", run, "--json"], ["mem", run, "--json", ""], ["mem", "--json=", run],
                     ["mem", run, "--top", "-1"], ["mem", run, "--top", "many"], ["mem", run, "--threads", "0"],
                     ["mem", run, "--color", "pink"], ["mem", run, "--max-dram", "lots"],
                     ["mem", run, "--max-dram", "-5%"], ["mem", run, "--name", "../x", "--out", "d"],
                     ["mem", run, "--name", "", "--out", "d"], ["mem", run, "--json", "-", "--llm", "-"],
                     ["agents", "now"], ["completion"]):
            done = self.check(USAGE, *args)
            self.assertTrue(done.stderr.startswith("ttscope: "), done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["home", "run.log"])

    def test_an_output_never_overwrites_its_log(self):
        run = self.usual_log()
        before = run.read_bytes()
        self.check(USAGE, "mem", run, "--json", run)
        self.check(USAGE, "last-run", run, "-o", run)
        self.check(USAGE, "--llm", "--logfile", run, "-o", run, program="ttmem")
        self.assertEqual(run.read_bytes(), before)


class BadInput(CliTest):
    def test_missing_file_folder_empty_file(self):
        self.assertIn("nowhere.log", self.check(FAILED, "mem", "nowhere.log").stderr)
        self.assertIn("folder", self.check(FAILED, "mem", self.folder).stderr)
        self.assertIn("empty", self.check(FAILED, "mem", self.file("empty.log")).stderr)
        self.check(FAILED, "mem", "-", input="")
        self.check(FAILED, "last-run", "nowhere.log", "-o", "out.log")
        self.assertFalse((self.folder / "out.log").exists())

    def test_a_log_without_anything_names_what_prints_it(self):
        done = self.check(FAILED, "mem", self.file("other.log", "hello", "world"), "--json", "out.json")
        for word in ("TT_RUNTIME_DEBUG=ON", "TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG",
                     "TT_RUNTIME_MEMORY_LOG_LEVEL=operation", "Executing operation", "other.log"):
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "out.json").exists())

    def test_one_kind_of_line_is_enough(self):
        ops = self.check(OK, "mem", self.file("ops.log", log.program(memory=False))).stdout
        self.assertIn("TT_RUNTIME_MEMORY_LOG_LEVEL", ops)
        self.assertIn("modelled", ops)
        memory = self.check(OK, "mem", self.file("memory.log", log.block("before operation AddOp", 5.0),
                                                 log.block("before operation AddOp", 7.0))).stdout
        self.assertIn("7.00 MB", memory)
        self.assertIn("TTMLIR_RUNTIME_LOGGER_LEVEL", memory)

    def test_control_characters_of_the_log_never_reach_the_terminal(self):
        evil = log.program(ops=("add",))
        evil = [line.replace('loc("add.0")', 'loc("\x1b]0;owned\x07\x1b[2J")') for line in evil]
        done = self.check(OK, "mem", self.file("evil.log", evil))
        self.assertNotIn("\x1b", done.stdout)
        self.assertNotIn("\x07", done.stdout)
        self.assertNotIn("\x1b", self.check(FAILED, "mem", "\x1b[31mred").stderr)


class Mem(CliTest):
    def test_summary(self):
        shown = self.check(OK, "mem", self.usual_log()).stdout
        self.assertTrue(shown.startswith("OK"), shown[:60])
        for word in ("Peak memory", "5.00 MB", "ttnn.multiply", "multiply.1", "Top growth", "+2.00 MB", "Trust", "measured"):
            self.assertIn(word, shown)
        self.assertLessEqual(max(map(len, shown.splitlines())), 80)

    def test_standard_input_and_compressed_files(self):
        run = self.usual_log()
        packed = self.folder / "run.log.gz"
        packed.write_bytes(gzip.compress(run.read_bytes()))
        expected = self.check(OK, "mem", run).stdout.splitlines()[2:]
        for args, options in ((["mem", "-"], {"input": run.read_text()}), (["mem", packed], {})):
            shown = self.check(OK, *args, **options).stdout
            peak = [line for line in shown.splitlines() if line.startswith("  DRAM")]
            self.assertEqual(peak, [line for line in expected if line.startswith("  DRAM")])

    def test_outputs_on_standard_output_stand_alone(self):
        run = self.usual_log()
        document = json.loads(self.check(OK, "mem", run, "--json", "-").stdout)
        self.assertEqual(document["schema"], "ttscope.mem/1")
        report = self.check(OK, "mem", run, "--llm", "-").stdout
        self.assertTrue(report.startswith("# Memory Profile: run\n"), report[:60])
        self.assertTrue(report.endswith("\n") and not report.endswith("\n\n"))
        self.assertNotIn("Peak memory", report)

    def test_headings_keep_their_order(self):
        report = self.check(OK, "mem", self.usual_log(), "--llm", "-").stdout
        headings = [line.split(" (")[0] for line in report.splitlines() if line.startswith("## ")]
        self.assertEqual(headings, ["## Configuration", "## Peak Memory", "## Top 10 Memory Consumers", "## Model Weights",
                                    "## Operation Distribution", "## Trust", "## Growth", "## Live at Peak"])

    def test_quiet_prints_nothing(self):
        done = self.check(OK, "mem", "-q", self.usual_log(), "--json", "out.json", "--llm", "out.md", "--out", "files")
        self.assertEqual(done.stdout + done.stderr, "")
        names = sorted(p.name for p in (self.folder / "files").iterdir())
        self.assertEqual(names, ["run_inputs_registry.json", "run_ir.json", "run_memory.json", "run_operations.json"])

    def test_names_of_the_four_files(self):
        for name, expected in (("my_model_profile.log", "my-model"), ("vit.v1_profile.log", "vit.v1"),
                               ("_profile.log", "log"), ("a b.log.gz", "a b"), ("-x.log", "_x")):
            path = self.usual_log("logs/" + name)
            out = self.folder / "out" / expected
            self.check(OK, "mem", "-q", f"logs/{path.name}", "--out", out)
            self.assertTrue((out / f"{expected}_memory.json").exists(), f"{name}: {list(out.iterdir())}")
        self.check(OK, "mem", "-q", "logs/_profile.log", "--out", "named", "--name", "mine")
        self.assertTrue((self.folder / "named/mine_ir.json").exists())

    def test_limits(self):
        run = self.usual_log()
        for limit in ("0.1%", "4MB", "4.9MiB", "5000000"):
            done = self.check(LIMIT, "mem", "-q", run, "--max-dram", limit)
            self.assertIn("DRAM peak of 5.00 MB", done.stderr)
            self.assertIn("--max-dram " + limit, done.stderr)
        for limit in ("0.6%", "5MB", "5242880", "1GB"):
            self.check(OK, "mem", "-q", run, "--max-dram", limit, "--max-l1", "1%")
        done = self.check(LIMIT, "mem", run, "--max-dram", "1KB", "--json", "out.json")
        self.assertIn("Peak memory", done.stdout)
        self.assertTrue((self.folder / "out.json").exists())

    def test_a_share_needs_a_known_bank(self):
        ops = self.file("ops.log", log.program(memory=False))
        self.assertIn("bytes", self.check(FAILED, "mem", "-q", ops, "--max-dram", "90%").stderr)
        self.check(LIMIT, "mem", "-q", ops, "--max-dram", "1MB")

    def test_a_failed_output_leaves_the_old_file(self):
        run = self.usual_log()
        old = self.file("kept/out.json", "old")
        os.chmod(old.parent, 0o500)
        try:
            if os.geteuid() != 0:
                self.check(FAILED, "mem", "-q", run, "--json", old)
        finally:
            os.chmod(old.parent, 0o700)
        self.assertEqual(old.read_text(), "old\n")
        self.check(FAILED, "mem", "-q", run, "--json", self.folder / "no/such/folder/out.json")
        self.check(FAILED, "mem", "-q", run, "--json", "/dev/full")

    def test_outputs_replace_files_as_a_whole(self):
        old = self.file("out.json", "old" * 100000)
        reader = open(old, encoding="utf-8")
        self.check(OK, "mem", "-q", self.usual_log(), "--json", old)
        self.assertEqual(reader.read(3), "old")  # the old file is whole for who has it open
        reader.close()
        json.loads(old.read_text())
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith(".")], [])


class Streams(CliTest):
    def run_on_terminal(self, *args, env=None):
        """Standard output is a terminal; returns what it shows."""
        leader, follower = pty.openpty()
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "xterm"}
        environment.update(env or {})
        process = subprocess.Popen([str(BUILD / "ttscope"), *map(str, args)], stdout=follower, cwd=self.folder,
                                   stdin=subprocess.DEVNULL, env=environment)
        os.close(follower)
        shown = b""
        while select.select([leader], [], [], 60)[0]:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(leader)
        self.assertEqual(process.wait(60), OK)
        return shown.decode()

    def test_colour_only_where_it_is_wanted(self):
        run = self.usual_log()
        self.assertIn("\x1b[", self.run_on_terminal("mem", run))
        self.assertNotIn("\x1b[", self.run_on_terminal("mem", run, env={"NO_COLOR": "1"}))
        self.assertIn("\x1b[", self.run_on_terminal("mem", run, env={"NO_COLOR": ""}))
        self.assertNotIn("\x1b[", self.run_on_terminal("mem", run, env={"TERM": "dumb"}))
        self.assertNotIn("\x1b[", self.run_on_terminal("mem", run, "--color", "never"))
        self.assertNotIn("\x1b[", self.check(OK, "mem", run).stdout)
        self.assertIn("\x1b[", self.check(OK, "mem", run, "--color", "always").stdout)

    def test_colour_changes_nothing_else(self):
        run = self.usual_log()
        coloured = re.sub(r"\x1b\[[0-9;]*m", "", self.check(OK, "mem", run, "--color", "always").stdout)
        plain = self.check(OK, "mem", run).stdout
        self.assertEqual(coloured.split(), plain.split())

    def test_a_reader_that_goes_away_is_no_failure(self):
        run = self.file("long.log", *[log.program(ops=("add",) * 50) for _ in range(40)])
        for args in (["mem", run, "--json", "-"], ["mem", run, "--llm", "-"], ["mem", run], ["agents"]):
            process = subprocess.Popen([str(BUILD / "ttscope"), *map(str, args)], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env={"HOME": str(self.home)})
            process.stdout.close()
            complaint = process.stderr.read()
            process.stderr.close()
            self.assertEqual((process.wait(60), complaint), (OK, b""), args)

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([str(BUILD / "ttscope"), "mem", str(self.usual_log())], stdout=full,
                                  stderr=subprocess.PIPE, env={"HOME": str(self.home)})
        self.assertEqual(done.returncode, FAILED)
        self.assertNotEqual(done.stderr, b"")

    def test_interrupted_while_reading(self):
        process = subprocess.Popen([str(BUILD / "ttscope"), "mem", "-", "--json", "out.json"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"HOME": str(self.home)})
        process.stdin.write(log.text(log.program()).encode())
        process.stdin.flush()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["home"])


    def test_a_log_that_shrinks_meanwhile(self):
        run = self.file("run.log", *[log.program(ops=("add",) * 50) for _ in range(20)])
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        process = subprocess.Popen([str(BUILD / "ttscope"), "mem", str(run), "--json", str(fifo), "--out", "files"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={"HOME": str(self.home)})
        with open(fifo, "rb") as reader:  # the log has been read when the pipe opens
            os.truncate(run, 0)
            reader.read()
        shown, complaint = process.communicate(timeout=60)
        self.assertEqual((process.returncode, shown), (FAILED, b""))
        self.assertIn(b"shrank", complaint)
        self.assertEqual([p for p in (self.folder / "files").glob("*")], [])


class OldNames(CliTest):
    def reports(self):
        return self.home / ".ttmem/reports"

    def test_llm_report_alone_on_standard_output(self):
        done = self.check(OK, "--llm", "--logfile", self.usual_log("my_model_profile.log"), program="ttmem")
        self.assertTrue(done.stdout.startswith("# Memory Profile: my-model\n"))
        self.assertTrue(done.stdout.endswith("\n") and not done.stdout.endswith("\n\n"))
        self.assertEqual(done.stderr, "")
        names = {p.name for p in (self.reports() / "my-model").iterdir()}
        self.assertLessEqual({f"my-model_{kind}.json" for kind in ("memory", "operations", "inputs_registry", "ir")}, names)

    def test_llm_report_into_a_file(self):
        run = self.usual_log()
        for option in ("-o", "--output-file"):
            done = self.check(OK, "--llm", "--logfile", run, option, "report.md", program="ttmem")
            self.assertEqual(done.stdout, "")
            self.assertIn("report.md", done.stderr)
            self.assertEqual((self.folder / "report.md").read_text(),
                             self.check(OK, "mem", run, "--llm", "-").stdout)

    def test_complaints_of_llm(self):
        self.file("empty.log")
        for args, code, text in ((["--llm"], USAGE, "Error: --llm requires --logfile"),
                                 (["--llm", "--logfile", ""], USAGE, "Error: --llm requires --logfile"),
                                 (["--llm", "--logfile", "no.log"], FAILED, "Error: File not found: no.log"),
                                 (["--llm", "--logfile", "home"], FAILED, "Error: Not a file: home"),
                                 (["--llm", "--logfile", "empty.log"], FAILED, "Error: File is empty: empty.log"),
                                 ([], USAGE, "Usage: ttmem")):
            done = self.check(code, *args, program="ttmem")
            self.assertTrue(done.stderr.startswith(text), done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(self.reports().exists())

    def test_report_folder(self):
        run = self.usual_log("vit_profile.log")
        for args, program in ((["--analyze", run], "tt-memory-profiler"), ([run], "ttmem")):
            shown = self.check(OK, *args, program=program).stdout
            self.assertIn(str(self.reports() / "vit"), shown)
            self.assertIn("Peak memory", shown)
        self.assertEqual([p.name for p in self.reports().iterdir()], ["vit"])
        self.assertEqual(sorted(p.name for p in (self.reports() / "vit").iterdir()),
                         ["source.json", "vit_inputs_registry.json", "vit_ir.json", "vit_memory.json",
                          "vit_operations.json", "vit_report.md"])

    def test_places(self):
        run = self.usual_log()
        self.check(OK, "--analyze", run, program="tt-memory-profiler", env={"TTMEM_HOME": str(self.folder / "own")})
        self.assertTrue((self.folder / "own/reports/run/run_ir.json").exists())
        self.check(OK, "--analyze", run, "--output-dir", "deep/er", program="tt-memory-profiler")
        self.assertTrue((self.folder / "deep/er/run/run_report.md").exists())
        self.assertFalse(self.reports().exists())

    def test_same_log_replaces_its_report_another_gets_a_number(self):
        first, second = self.usual_log("a/my_run.log"), self.usual_log("b/my-run.log")
        for _ in range(2):
            for path in (first, second):
                self.check(OK, "--analyze", path, program="tt-memory-profiler")
        self.assertEqual(sorted(p.name for p in self.reports().iterdir()), ["my-run", "my-run-2"])
        self.assertTrue((self.reports() / "my-run-2/my-run-2_memory.json").exists())
        self.assertIn(str(second.resolve()), (self.reports() / "my-run-2/source.json").read_text())
        self.file("a/my_run.log", log.program(ops=("sigmoid",)))
        self.check(OK, "--analyze", first, program="tt-memory-profiler")
        self.assertIn("sigmoid", (self.reports() / "my-run/my-run_operations.json").read_text())
        self.assertEqual(len(list(self.reports().iterdir())), 2)

    def test_folders_of_others_are_left_alone(self):
        (self.reports() / "run").mkdir(parents=True)
        mine = self.reports() / "run/precious.txt"
        mine.write_text("mine")
        self.check(OK, "--analyze", self.usual_log(), program="tt-memory-profiler")
        self.assertEqual(mine.read_text(), "mine")
        self.assertTrue((self.reports() / "run-2/run-2_ir.json").exists())

    def test_a_failure_leaves_nothing(self):
        other = self.file("other.log", "nothing of interest")
        self.check(FAILED, "--analyze", other, program="tt-memory-profiler")
        self.check(FAILED, "--analyze", "no.log", "--output-dir", "out", program="tt-memory-profiler")
        blocked = self.file("blocked", "a file, not a folder")
        self.check(FAILED, "--analyze", self.usual_log(), "--output-dir", blocked / "sub", program="tt-memory-profiler")
        self.assertFalse((self.home / ".ttmem").exists())
        self.assertFalse((self.folder / "out").exists())

    def test_no_place_for_the_report_is_said(self):
        done = self.check(FAILED, "--llm", "--logfile", self.usual_log(), program="ttmem", env={"HOME": ""})
        self.assertIn("HOME", done.stderr)
        self.assertTrue(done.stdout.startswith("# Memory Profile"))

    def test_hostile_names_stay_in_the_library(self):
        for name in ("..log", "....log", "a\nb.log", "-.log"):
            self.check(OK, "--analyze", self.usual_log("logs/" + name), program="tt-memory-profiler")
        self.assertEqual(sorted(p.name for p in self.home.iterdir()), [".ttmem"])
        self.assertEqual(sorted(p.name for p in (self.home / ".ttmem").iterdir()), ["reports"])
        self.assertEqual(len(list(self.reports().iterdir())), 4)


class LastRun(CliTest):
    def cut(self, *parts, name="run.log"):
        path = self.file(name, *parts)
        done = self.check(OK, "last-run", path, "-o", "last.log")
        self.assertEqual(done.stdout, "")
        self.assertEqual(path.read_text(), log.text(*parts))
        return (self.folder / "last.log").read_text(), done.stderr

    def test_between_the_last_two_markers(self):
        runs = [log.program(base_mb=float(i), marker=True) for i in range(1, 4)]
        kept, said = self.cut(log.module(), "warm-up starts", *runs, "bye")
        self.assertEqual(kept, log.text(log.module(), "warm-up starts", runs[2], "bye"))
        self.assertIn("Got output shape", said)

    def test_several_markers_of_one_run(self):
        runs = [log.program(marker=True) + ["Got output shape: torch.Size([2])"] for _ in range(2)]
        kept, _ = self.cut(*runs)
        self.assertEqual(kept, log.text(runs[1]))

    def test_repeated_program(self):
        runs = [log.program(base_mb=float(i)) for i in range(1, 4)]
        kept, said = self.cut(log.module(), *runs)
        self.assertEqual(kept, log.text(log.module(), runs[2]))
        self.assertIn("1 of 3 program runs", said)

    def test_repeated_sequence_of_programs(self):
        a, b = log.program(ops=("add", "exp")), log.program(ops=("multiply",))
        kept, _ = self.cut(a, b, a, "between", b)
        self.assertEqual(kept, log.text(a, "between", b))

    def test_the_first_pass_may_have_const_eval(self):
        nested = log.program("main_const_eval_0", ops=("full",))
        cached = [log.load_cached(0, "main_const_eval_0")] + log.block("before operation LoadCachedOp", 1.0)
        rest = log.program()[1:]
        start = log.program()[:1]
        kept, _ = self.cut(start, cached, nested, rest, start, cached, rest)
        self.assertEqual(kept, log.text(start, cached, rest))

    def test_a_crash_in_the_last_run(self):
        run = log.program(ops=("add", "exp", "multiply"))
        kept, _ = self.cut(run, run, run[:8])
        self.assertEqual(kept, log.text(run[:8]))

    def test_one_run_is_kept_whole(self):
        kept, said = self.cut(log.module(), log.program(marker=True), "end")
        self.assertEqual(kept, log.text(log.module(), log.program(marker=True), "end"))
        self.assertIn("only one run", said)

    def test_module_dumps_stay_wherever_they_are(self):
        first, second = log.program(), log.program()
        kept, _ = self.cut(first[:7] + log.module() + first[7:], log.module("ttir"), second)
        self.assertEqual(kept, log.text(log.module(), log.module("ttir"), second))

    def test_blocks_around_earlier_programs_go(self):
        before, after = (lambda mb: log.block("before submit", mb)), (lambda mb: log.block("after submit", mb))
        run = log.program()
        kept, _ = self.cut(before(1), run, after(2), before(3), run, after(4))
        self.assertEqual(kept, log.text(before(3), run, after(4)))

    def test_interleaved_ranks(self):
        run = log.program()
        lines = [line for pair in zip(log.tagged(0, run + run), log.tagged(1, run + run)) for line in pair]
        kept, _ = self.cut(lines, "untagged")
        expected = [line for pair in zip(log.tagged(0, run), log.tagged(1, run)) for line in pair]
        self.assertEqual(kept, log.text(expected, "untagged"))

    def test_bytes_are_copied_exactly(self):
        run = log.text(log.program()).encode()
        odd = b"\xff\xfe caf\xe9 \x00 \x1b[31m\r\n"
        path = self.folder / "odd.log"
        path.write_bytes(odd + run.replace(b"\n", b"\r\n") + odd + run.replace(b"\n", b"\r\n") + b"no newline at the end\xff")
        self.check(OK, "last-run", path, "-o", "last.log")
        self.assertEqual((self.folder / "last.log").read_bytes(),
                         odd + odd + run.replace(b"\n", b"\r\n") + b"no newline at the end\xff")

    def test_in_place_and_compressed(self):
        run = log.program()
        path = self.file("run.log", run, run)
        packed = self.folder / "run.log.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        self.check(USAGE, "last-run", packed, "--in-place")
        self.check(OK, "last-run", packed, "-o", "plain.log")
        self.check(OK, "last-run", path, "--in-place")
        self.assertEqual(path.read_text(), log.text(run))
        self.assertEqual((self.folder / "plain.log").read_text(), log.text(run))
        self.assertEqual(self.check(OK, "last-run", path, "-o", "-").stdout, log.text(run))
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith(".")], [])

    def test_where_it_goes_must_be_said_once(self):
        run = self.usual_log()
        before = run.read_bytes()
        for args in ([], ["-o", "x", "--in-place"], ["-o", ""]):
            self.check(USAGE, "last-run", run, *args)
        self.check(USAGE, "last-run", "-", "-o", "x")
        self.assertEqual(run.read_bytes(), before)


class Demo(CliTest):
    def test_new_folder_each_time(self):
        self.usual_log("data/sample.log")
        for number in (1, 2):
            shown = self.check(OK, "demo", env={"TTSCOPE_DATA_DIR": str(self.folder / "data")}).stdout
            folder = self.folder / f"ttscope-demo-{number}"
            self.assertIn(folder.name, shown)
            self.assertIn("sample_oom.log", shown)
            self.assertEqual(len(list(folder.iterdir())), 6)

    def test_no_sample(self):
        done = self.check(FAILED, "demo", env={"TTSCOPE_DATA_DIR": str(self.folder / "nothing")})
        self.assertIn("TTSCOPE_DATA_DIR", done.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["home"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
