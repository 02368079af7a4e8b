"""Capture: real programs under `ttscope run` and `tt-memory-profiler`."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from capture_case import (CaptureTest, LOG_LINES, NOT_FOUND, NOT_RUNNABLE, OWN_FAILURE, VARIABLES)  # noqa: E402
from program_case import OK, USAGE  # noqa: E402

REPORT = ("memory.json", "operations.json", "inputs_registry.json", "ir.json", "report.md")
SHOW_VARIABLES = f"import os\nprint({{n: os.environ.get(n) for n in {VARIABLES!r}}})\n"


class Success(CaptureTest):
    def test_script_gives_log_and_report(self):
        done = self.check(OK, self.printer(), program="tt-memory-profiler")
        run = self.only_run()
        self.assertRegex(run.name, r"^model_\d{8}_\d{6}$")
        self.assertEqual(done.stdout, self.captured())
        self.assertEqual(done.stdout.count("\n"), LOG_LINES)
        names = {p.name for p in run.iterdir()}
        self.assertLessEqual({f"model_{part}" for part in REPORT} | {"model_profile.log"}, names)
        self.assertIn("Peak memory", done.stderr)
        self.assertIn(run.name, done.stderr)
        self.assertTrue((self.home / ".ttmem/reports/model/model_memory.json").exists())

    def test_any_program(self):
        self.printer()
        self.check(OK, "run", "--name", "mine", "--output-dir", "deep/er", "--no-library", "--", "cat", "printed.txt")
        self.assertTrue((self.only_run("deep/er") / "mine_memory.json").exists())
        self.assertFalse((self.home / ".ttmem").exists())

    def test_never_overwrites(self):
        script = self.printer()
        for _ in range(3):
            self.check(OK, "--log", script, program="tt-memory-profiler")
        self.assertEqual(len(self.runs()), 3)
        for run in self.runs():
            self.assertRegex(run.name, r"^model_\d{8}_\d{6}(-\d)?$")

    def test_log_only_names_the_next_commands(self):
        done = self.check(OK, "--log", self.printer(), program="tt-memory-profiler")
        log = self.only_run() / "model_profile.log"
        self.assertEqual([p.name for p in self.only_run().iterdir()], [log.name])
        self.assertIn(f"tt-memory-profiler --analyze {log.relative_to(self.folder)}", done.stderr)
        self.check(OK, "--analyze", log, program="tt-memory-profiler")
        self.assertTrue((self.home / ".ttmem/reports/model").exists())

    def test_names(self):
        for args, name in ((["sh", "-c", "true"], "sh"), (["python3", "-c", "0"], "python3"),
                           (["python3", self.script("", "a b/my_test.py"), "x.py"], "my_test"),
                           (["env", "sh", "-c", "true", "tests/vit.py::one"], "vit")):
            self.check(OK, "run", "--log", "-q", "--output-dir", f"for_{name}", "--", *args)
            self.assertTrue((self.only_run(f"for_{name}") / f"{name}_profile.log").exists())

    def test_compressed(self):
        done = self.check(OK, "run", "--compress", "--", "python3", self.printer())
        log = self.only_run() / "model_profile.log.zst"
        self.assertEqual(log.read_bytes()[:4], b"\x28\xb5\x2f\xfd")
        self.assertTrue((self.only_run() / "model_memory.json").exists())
        self.assertIn("Peak memory", done.stderr)
        self.check(OK, "mem", log)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.check(OK, "run", "-q", "--", "python3", self.printer()).stderr, "")

    def test_arguments_arrive_as_typed(self):
        script = self.script("import sys\nprint(sys.argv[1:])\n", "a b/sc'ript.py")
        odd = ["a b", "", "'q'", '"d"', ";ls", "$HOME", "`id`", "--log", "-q", "--", "*", "\\", "ü"]
        for args, program in ((["--log", script, *odd], "tt-memory-profiler"),
                              (["run", "--log", "--", "python3", script, *odd], "ttscope"),
                              (["run", "--log", "python3", script, *odd], "ttscope")):
            self.assertEqual(self.check(OK, *args, program=program).stdout, f"{odd!r}\n")

    def test_input_reaches_the_program(self):
        done = self.check(OK, "run", "--log", "--", "sh", "-c", "read a; echo \"got $a\"", input="word\n")
        self.assertEqual(done.stdout, "got word\n")

    def test_both_streams_in_order(self):
        self.check(OK, "run", "--log", "--", "sh", "-c", "for i in 1 2 3; do echo o$i; echo e$i >&2; done")
        self.assertEqual(self.captured("sh"), "o1\ne1\no2\ne2\no3\ne3\n")

    def test_bytes_of_any_kind(self):
        script = self.script("import os\nfor i in range(64): os.write(1, bytes(range(256)) * 300)\n")
        with open(self.folder / "shown", "wb") as shown:
            process = self.start("run", "--log", "-q", "--", "python3", script, stdout=shown)
            self.assertEqual(process.wait(60), OK)
        expected = bytes(range(256)) * 300 * 64
        self.assertEqual((self.folder / "shown").read_bytes(), expected)
        self.assertEqual((self.only_run() / "model_profile.log").read_bytes(), expected)

    def test_megabytes_a_second(self):
        script = self.script("import os\nline = b'x' * 99 + b'\\n'\nfor i in range(400): os.write(1, line * 5000)\n")
        process = self.start("run", "--log", "--", "python3", script, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, OK)
        self.assertIn(b"2,000,000 lines", said)
        self.assertEqual((self.only_run() / "model_profile.log").stat().st_size, 200_000_000)


class Variables(CaptureTest):
    def shown(self, **options):
        done = self.check(OK, "run", "--log", "--", "python3", "-c", SHOW_VARIABLES, **options)
        return eval(done.stdout), done.stderr

    def test_set_and_said(self):
        values, said = self.shown()
        self.assertEqual(values, dict(zip(VARIABLES, ("DEBUG", "operation", "DEBUG", "1"))))
        for name, value in values.items():
            self.assertRegex(said, rf"\n  set .*\b{name}={value}\b")

    def test_the_users_are_kept_and_said(self):
        values, said = self.shown(env={"TTXLA_LOGGER_LEVEL": "VERBOSE", "TT_RUNTIME_MEMORY_LOG_LEVEL": "program"})
        self.assertEqual(values["TTXLA_LOGGER_LEVEL"], "VERBOSE")
        self.assertEqual(values["TT_RUNTIME_MEMORY_LOG_LEVEL"], "program")
        self.assertIn("kept TTXLA_LOGGER_LEVEL=VERBOSE (yours)", said)
        self.assertIn("kept TT_RUNTIME_MEMORY_LOG_LEVEL=program (yours; memory lines for each op need operation)", said)

    def test_what_keeps_lines_out_is_told(self):
        _, said = self.shown(env={"TTMLIR_RUNTIME_LOGGER_FILE": "/x/y"})
        self.assertIn("TTMLIR_RUNTIME_LOGGER_FILE=/x/y: those lines go to that file", said)

    def test_python_of_the_virtual_environment(self):
        own = self.script(f"#!/bin/sh\necho own\nexec {sys.executable} \"$@\"\n", "venv/bin/python")
        own.chmod(0o755)
        done = self.check(OK, "--log", self.script("print('ran')"), program="tt-memory-profiler",
                          env={"VIRTUAL_ENV": str(self.folder / "venv")})
        self.assertEqual(done.stdout, "own\nran\n")


class Failure(CaptureTest):
    def test_exit_code_and_report_of_a_failing_script(self):
        done = self.check(3, self.printer("sys.exit(3)"), program="tt-memory-profiler")
        self.assertIn("exited with code 3", done.stderr)
        self.assertTrue((self.only_run() / "model_memory.json").exists())

    def test_killed_by_a_signal(self):
        done = self.check(128 + signal.SIGKILL, self.printer("os.kill(os.getpid(), signal.SIGKILL)"),
                          program="tt-memory-profiler")
        self.assertIn("killed by signal 9 (SIGKILL)", done.stderr)
        self.assertTrue((self.only_run() / "model_memory.json").exists())
        self.check(128 + signal.SIGSEGV, "run", "--log", "--", "sh", "-c", "ulimit -c 0; kill -SEGV $$")

    def test_prints_nothing(self):
        done = self.check(OK, self.script(""), program="tt-memory-profiler")
        self.assertIn("printed nothing", done.stderr)
        self.assertEqual([p.name for p in self.only_run().iterdir()], ["model_profile.log"])
        done = self.check(4, self.script("import sys\nsys.exit(4)"), program="tt-memory-profiler")
        self.assertIn("exited with code 4", done.stderr)

    def test_prints_nothing_useful(self):
        done = self.check(OK, self.script("print('hello')"), program="tt-memory-profiler")
        self.assertIn("neither op lines nor memory lines found", done.stderr)
        self.assertIn("TT_RUNTIME_DEBUG", done.stderr)
        self.assertEqual(self.captured(), "hello\n")
        self.assertFalse((self.home / ".ttmem").exists())

    def test_messages_begin_with_the_program_that_was_typed(self):
        for program, words in (("tt-memory-profiler", []), ("ttscope", ["run", "--", sys.executable])):
            said = self.check(3, *words, self.script("import sys\nprint('Segmentation fault')\nsys.exit(3)"), program=program).stderr
            heads = {line.split(":")[0] for line in said.splitlines() if line.startswith("tt")}
            self.assertEqual(heads, {program}, said)

    def test_failures_are_pointed_out_with_their_line(self):
        end = ("print('TT_FATAL @ /a/bank_manager.cpp:462: false\\ninfo:\\nOut of Memory: Not enough space to allocate 64 B "
               "DRAM buffer across 2 banks, where each bank needs to store 32 B', flush=True)\nraise ValueError('a b')")
        said = self.check(1, self.printer(end), program="tt-memory-profiler").stderr
        self.assertIn(f"line {LOG_LINES + 3}: out of memory", said)
        self.assertIn(f"line {LOG_LINES + 4}: exception\n    ValueError: a b", said)
        self.assertNotIn("fatal error", said)

    def test_cannot_start(self):
        plain = self.script("print(1)", "plain.txt")
        bad = self.script("#!/no/such/python\n", "bad")
        no_line = self.script("echo hi\n", "no_line")
        for path in (bad, no_line):
            path.chmod(0o755)
        for command, code, text in (("no_such_program", NOT_FOUND, "no such program"),
                                    ("./no_such_file", NOT_FOUND, "No such file"),
                                    (plain, NOT_RUNNABLE, "chmod"), (self.folder, NOT_RUNNABLE, "not a file"),
                                    (bad, NOT_FOUND, "/no/such/python"), (no_line, NOT_RUNNABLE, "#!")):
            done = self.check(code, "run", "--", command)
            self.assertIn(text, done.stderr)
        for script, code in (("no.py", NOT_FOUND), (self.home, NOT_RUNNABLE)):
            self.check(code, script, program="tt-memory-profiler")
        self.assertEqual(self.check(NOT_FOUND, self.printer(), program="tt-memory-profiler", env={"PATH": "/nowhere"}).stdout,
                         "")
        self.assertFalse((self.folder / "logs").exists(), "nothing is left of a run that never began")

    def test_no_place_for_the_log(self):
        blocked = self.file("blocked", "a file")
        done = self.check(OWN_FAILURE, "run", "--output-dir", blocked / "x", "--", "touch", "ran")
        self.assertIn("blocked", done.stderr)
        self.assertFalse((self.folder / "ran").exists())

    def test_wrong_usage(self):
        for args, program in ((["run"], "ttscope"), (["run", "--"], "ttscope"), (["run", "--nmae", "x", "--", "ls"], "ttscope"),
                              (["run", "--name", "a/b", "--", "ls"], "ttscope"), ([], "tt-memory-profiler"),
                              (["--log"], "tt-memory-profiler"), (["--analyze", "x", "m.py"], "tt-memory-profiler")):
            self.check(USAGE, *args, program=program)
        self.assertFalse((self.folder / "logs").exists())

    def test_full_disk(self):
        """A file size limit is what a test can make of it without being root."""
        limit = 300_000
        script = self.script("import sys\nfor i in range(20000): print('%049d' % i)\nsys.exit(5)\n")
        resource_limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731
        done = self.run_program("run", "--log", "--", "python3", script, preexec_fn=resource_limit)
        self.assertEqual(done.returncode, OWN_FAILURE, done.stderr)
        self.assertEqual(done.stdout.count("\n"), 20000, "the output is shown to its end")
        self.assertIn("File too large", done.stderr)
        self.assertIn("bytes of the output are missing", done.stderr)
        self.assertIn("exited with code 5", done.stderr)
        self.assertEqual((self.only_run() / "model_profile.log").stat().st_size, limit)
        self.assertTrue(done.stdout.startswith(self.captured()))

    def test_really_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk],
                                               capture_output=True).returncode != 0:
            self.skipTest("needs the right to mount")
        try:
            done = self.check(OWN_FAILURE, "run", "--output-dir", disk, "--", "sh", "-c",
                              "head -c 3000000 /dev/zero | tr '\\0' 'x'")
            self.assertEqual(len(done.stdout), 3000000)
            self.assertIn("No space left on device", done.stderr)
            self.assertIn("only 1.00 MB are free", done.stderr)
            self.assertGreater((self.only_run("disk") / "sh_profile.log").stat().st_size, 900_000)
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_output_that_cannot_be_shown(self):
        with open("/dev/full", "wb") as full:
            process = self.start("run", "--log", "--", "echo", "x", stdout=full, stderr=subprocess.PIPE)
            _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, OWN_FAILURE)
        self.assertIn(b"could not be shown", said)
        self.assertEqual(self.captured("echo"), "x\n")

    def test_a_reader_that_goes_away_does_not_end_the_run(self):
        script = self.script("for i in range(100000): print(i)")
        process = self.start("run", "--log", "-q", "--", "python3", script, stdout=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(60), OK)
        self.assertEqual(self.captured().count("\n"), 100000)

    def test_a_process_left_behind_does_not_hold_the_command(self):
        done = self.check(OK, "run", "--log", "--", "sh", "-c", "sleep 60 & echo $! > pid; echo done")
        self.assertIn("left behind", done.stderr)
        self.assertEqual(self.captured("sh"), "done\n")
        os.kill(int(self.wait_for_file("pid")), signal.SIGKILL)


class Signals(CaptureTest):
    def test_signals_reach_the_whole_group(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            base = f"for_{number.name}"
            start = "child = os.fork()\nif child == 0: time.sleep(600)\n"
            script = self.printer("open('pids', 'w').write(f'{os.getpid()} {child}')\ntime.sleep(600)", start=start)
            process = self.start(f"--output-dir={base}", script, program="tt-memory-profiler",
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            pids = [int(pid) for pid in self.wait_for_file("pids").split()]
            self.assertTrue(all(map(self.is_running, pids)))
            os.kill(process.pid, number)
            _, said = process.communicate(timeout=60)
            self.wait_for(lambda: not any(map(self.is_running, pids)), "a process of the group goes on")
            self.assertEqual(process.returncode, 128 + number, said)
            self.assertTrue((self.only_run(base) / "model_memory.json").exists(), "the log so far is analysed")
            (self.folder / "pids").unlink()

    def test_a_program_that_handles_the_signal_ends_by_itself(self):
        handler = "signal.signal(signal.SIGTERM, lambda *_: (print('saved', flush=True), sys.exit(7)))"
        script = self.printer("open('ready', 'w').write('1')\ntime.sleep(600)", start=handler)
        process = self.start("run", "--", "python3", script, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_file("ready")
        process.terminate()
        self.assertEqual(process.wait(60), 7)
        self.assertTrue(self.captured().endswith("saved\n"))

    def test_a_log_of_a_killed_capture_is_kept(self):
        for options, name in (([], "model_profile.log"), (["--compress"], "model_profile.log.zst")):
            base = "for_" + name
            script = self.printer("open('ready', 'w').write(str(os.getpid()))\ntime.sleep(600)")
            process = self.start("run", *options, "--output-dir", base, "--", "python3", script,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            child = int(self.wait_for_file("ready"))
            log = self.only_run(base) / name
            self.wait_for(lambda: log.stat().st_size > 500)
            if options:
                self.wait_for(lambda: self.run_program("mem", log).returncode == OK)
            process.kill()
            process.wait()
            os.kill(child, signal.SIGKILL)
            self.assertIn("Peak memory", self.check(OK, "mem", log).stdout)
            (self.folder / "ready").unlink()


class Doctor(CaptureTest):
    def doctor(self, code, *args, **env):
        done = self.check(code, "doctor", "--json", *args, env={"PATH": "/usr/bin:/bin", **env})
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "ttscope.doctor/1")
        return document, {check["name"]: check for check in document["checks"]}

    def test_nothing_installed(self):
        document, checks = self.doctor(OK)
        self.assertTrue(document["ok"])
        self.assertEqual(document["gives"]["op_lines"], "unknown")
        self.assertEqual(checks["TT-XLA"]["status"], "note")
        self.assertIn("export TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG", checks["TTMLIR_RUNTIME_LOGGER_LEVEL"]["fix"])

    def make_plugin(self, place, *texts, runtime=()):
        folder = self.folder / place
        (folder / "lib").mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "pjrt_plugin_tt.so").write_bytes(b"\x7fELF\0" + b"\0".join(texts) + b"\0")
        (folder / "lib/libTTMLIRRuntime.so").write_bytes(b"\x7fELF\0" + b"\0".join(runtime) + b"\0")

    def test_builds_of_all_ages(self):
        memory, ops = b"Device memory state before operation ", b"Executing operation: "
        self.make_plugin("new/pjrt_plugin_tt", b"TT_RUNTIME_MEMORY_LOG_LEVEL", runtime=(ops, memory))
        self.make_plugin("old/pjrt_plugin_tt", b"x", runtime=(ops, memory))
        self.make_plugin("release/pjrt_plugin_tt", b"TT_RUNTIME_MEMORY_LOG_LEVEL", runtime=(b"x",))
        document, _ = self.doctor(OK, "--tt-xla", "new")
        self.assertEqual(set(document["gives"].values()), {"yes"})
        document, checks = self.doctor(1, "--tt-xla", "old")
        self.assertEqual(document["gives"]["memory_lines"], "no")
        self.assertIn("setMemoryLogLevel", checks["memory log level"]["fix"])
        document, checks = self.doctor(1, "--tt-xla", "release")
        self.assertEqual((document["gives"]["op_lines"], document["gives"]["memory_lines"]), ("no", "no"))
        self.assertIn("-DTT_RUNTIME_DEBUG=ON", checks["runtime build"]["fix"])
        _, checks = self.doctor(OK, PYTHONPATH=str(self.folder / "new"))
        self.assertIn("new/pjrt_plugin_tt", checks["TT-XLA"]["found"])

    def test_variables_in_the_way(self):
        document, checks = self.doctor(1, TTXLA_LOGGER_LEVEL="debug", TTMLIR_RUNTIME_LOGGER_FILE="/x", LOGGER_LEVEL="DEBUG")
        for name in ("TTXLA_LOGGER_LEVEL", "TTMLIR_RUNTIME_LOGGER_FILE", "LOGGER_LEVEL"):
            self.assertEqual(checks[name]["status"], "problem", name)
            self.assertIn("unset", checks[name]["fix"])
        self.assertEqual(document["gives"]["op_lines"], "no")

    def test_other_forms(self):
        text = self.check(OK, "doctor").stdout
        self.assertIn("disk room for runs", text)
        markdown = self.check(OK, "doctor", "--llm").stdout
        self.assertTrue(markdown.startswith("# ttscope doctor\n"))
        self.check(USAGE, "doctor", "--llm", "--json")


if __name__ == "__main__":
    unittest.main(verbosity=1)
