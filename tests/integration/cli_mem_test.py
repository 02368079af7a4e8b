"""`ttscope mem`: outputs, limits, streams and files."""
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
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402
from cli_case import CliTest  # noqa: E402
from program_case import BUILD, FAILED, LIMIT, OK, SOURCE, USAGE  # noqa: E402


class LiveAt(CliTest):
    def test_an_op_has_one_index_and_line_everywhere(self):
        self.check(OK, "mem", self.usual_log("run.log"), "-q", "--json", "m.json", "--llm", "m.md", "--out", "files", "--name", "run")
        peak = json.loads((self.folder / "m.json").read_text())["memory"]["DRAM"]["peak"]
        rows = [line for line in (self.folder / "m.md").read_text().splitlines() if line.startswith("| DRAM |")]
        self.assertEqual(rows[0].split(" | ")[1:3], [str(peak["op_index"]), f"`{peak['op']}`"])
        for name in ("run_memory.json", "run_operations.json"):
            document = json.loads((self.folder / "files" / name).read_text())
            records = document if isinstance(document, list) else document["operations"]
            self.assertEqual([one["line"] for one in records if one["op_index"] == peak["op_index"]], [peak["line"]], name)

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
        for place in ("999999", "op:999999"):
            self.assertIn("no op there; the last is op:", self.check(USAGE, "mem", sample, "--at", place).stderr)
        for place in ("somewhere", "0", "op:", "op:-1", "-1", "3x"):
            self.check(USAGE, "mem", sample, "--at", place)

    def test_an_op_is_the_same_by_its_line_and_by_its_index(self):
        sample = str(SOURCE / "examples" / "sample.log")
        place = "op:8"
        by_index = json.loads(self.check(OK, "mem", sample, "--json", "-", "--at", place).stdout)["live_at"]
        line = str(by_index["line"])
        by_line = json.loads(self.check(OK, "mem", sample, "--json", "-", "--at", line).stdout)["live_at"]
        self.assertEqual(by_line, by_index)
        self.assertEqual(by_index["op_index"], 8)
        text = self.check(OK, "mem", sample, "--at", place).stdout
        self.assertIn(f"before line {by_line['line']:,}, op {by_line['op_index']:,}", text)


class Mem(CliTest):
    def test_summary(self):
        shown = self.check(OK, "mem", self.usual_log()).stdout
        self.assertTrue(shown.startswith("FINISHED  fits"), shown[:60])
        for word in ("Peak memory", "5.00 MB", "ttnn.multiply", "multiply.1", "Top growth", "+2.00 MB", "measured"):
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
        self.assertTrue(report.startswith("# Memory Profile: `run`\n"), report[:60])
        self.assertTrue(report.endswith("\n") and not report.endswith("\n\n"))
        self.assertNotIn("Peak memory", report)

    def test_headings_keep_their_order(self):
        report = self.check(OK, "mem", self.usual_log(), "--llm", "-").stdout
        headings = [line.split(" (")[0] for line in report.splitlines() if line.startswith("## ")]
        self.assertEqual(headings, ["## Configuration", "## Peak Memory", "## Top 10 Memory Consumers", "## Model Weights",
                                    "## Operation Distribution", "## What to Do", "## Trust", "## Growth", "## Live at Peak"])

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

    def test_any_failure_of_the_run_is_over_any_limit(self):
        run = self.usual_log().read_text()
        fatal = "2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: bad shape (assert.hpp:104)\n"
        crashed = self.file("crashed.log", run + fatal + "Segmentation fault (core dumped)\n")
        done = self.check(LIMIT, "mem", "-q", crashed, "--max-dram", "100%")
        self.assertIn("over any limit", done.stderr)
        shown = self.check(OK, "mem", crashed).stdout  # without a limit the outcome is told, not complained of
        self.assertIn("CRASHED", shown.splitlines()[0])
        self.assertIn("CRASHED", shown.splitlines()[-1])
        self.assertNotIn("fits", shown)
        failed = str(SOURCE / "examples" / "sample_oom.log")
        self.check(LIMIT, "mem", "-q", failed, "--max-dram", "100%", "--max-l1", "100%")

    def outcome(self, path):
        return json.loads(self.check(OK, "mem", path, "--json", "-").stdout)["verdict"]["outcome"]

    def test_a_log_that_is_still_written_is_running(self):
        whole = self.usual_log().read_text()
        cut = self.file("cut.log", whole[:whole.rindex("Finished execution")])
        self.assertEqual(self.outcome(cut), "cut")
        with open(cut, "a", encoding="utf-8"):
            self.assertEqual(self.outcome(cut), "running")
        with open(cut, encoding="utf-8"):
            self.assertEqual(self.outcome(cut), "cut", "who reads it does not write it")

    def test_a_compressed_log_that_ends_too_early_is_cut(self):
        sample = (SOURCE / "examples" / "sample.log").read_bytes()
        packed = self.folder / "cut.log.gz"
        packed.write_bytes(gzip.compress(sample)[:-100])
        self.assertEqual(self.outcome(packed), "cut")
        self.assertIn("end too early", " ".join(self.check(OK, "mem", packed).stdout.split()))
        packed.write_bytes(gzip.compress(sample)[:400])
        said = self.check(FAILED, "mem", packed).stderr
        self.assertRegex(said, "end too early.*: neither op lines nor memory lines are there")

    def test_a_device_supplies_what_the_log_does_not_tell(self):
        ops = self.file("ops.log", log.program(memory=False))
        document = json.loads(self.check(OK, "mem", ops, "--device", "p150", "--json", "-").stdout)
        self.assertEqual((document["device"]["arch"], document["device"]["source"]), ("blackhole", "given"))
        self.assertEqual(document["memory"]["DRAM"]["banks"], 8)
        self.assertEqual(document["verdict"]["fit"], "unknown")
        self.check(LIMIT, "mem", "-q", ops, "--device", "p150", "--max-dram", "0.0001%")
        self.check(USAGE, "mem", ops, "--device", "q7")

    def test_a_device_that_the_log_contradicts_is_not_taken_in_silence(self):
        measured = self.usual_log()
        run = self.check(OK, "mem", measured, "--device", "p150")
        self.assertIn("--device p150: the log tells of another chip", run.stderr)
        self.assertIn("not a p150", " ".join(run.stdout.split()))
        self.assertNotIn("another chip", self.check(OK, "mem", measured, "--device", "n150").stderr)

    def test_verbose_has_the_notes_that_are_the_same_for_every_log(self):
        run = self.usual_log()
        note = "temporaries that an op makes"
        self.assertNotIn(note, self.check(OK, "mem", run).stdout)
        self.assertIn(note, " ".join(self.check(OK, "mem", run, "--verbose").stdout.split()))

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


    def test_the_complaint_of_a_log_that_shrinks_had_the_name_of_another_program(self):
        run = self.file("run.log", *[log.program(ops=("add",) * 50) for _ in range(20)])
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        (self.folder / "ttmem").symlink_to(BUILD / "ttscope")
        process = subprocess.Popen([str(self.folder / "ttmem"), "--llm", "--logfile", str(run), "-o", str(fifo)], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"HOME": str(self.home)})
        with open(fifo, "rb") as reader:
            os.truncate(run, 0)
            reader.read()
        complaint = process.communicate(timeout=60)[1]
        self.assertIn(b"ttmem: the input shrank", complaint)
        self.assertNotIn(b"ttscope", complaint)

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


if __name__ == "__main__":
    unittest.main(verbosity=1)
