"""Help, wrong usage and bad input: what a new user meets first."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402
from cli_case import CliTest  # noqa: E402
from program_case import BUILD, FAILED, HAS_SIMULATOR, NOTHING, OK, SOURCE, USAGE  # noqa: E402


class Help(CliTest):
    def test_every_command_has_help(self):
        overview = self.check(OK, "--help").stdout
        commands = re.findall(r"^  ([a-z-]+)  ", overview.split("Commands:\n")[1].split("\n\n")[0], re.MULTILINE)
        self.assertGreater(len(commands), 20)
        for command in commands:
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


class FullDisk(CliTest):
    def test_what_could_not_be_printed_was_exit_code_1_without_a_word(self):
        for args, program in ((["agents"], "ttscope"), (["--version"], "ttscope"), (["--help"], "ttscope"),
                              (["mem", "--help"], "ttscope"), (["help", "mem"], "ttscope"), (["help"], "ttscope"),
                              (["sql", "--schema"], "ttscope"), (["sql", "examples/sample.log", "--schema"], "ttscope"),
                              (["completion", "bash"], "ttscope"), (["trace", "--env"], "ttscope"),
                              (["export", "examples/sample.log"], "ttscope"), (["--help"], "ttmem"),
                              (["--help"], "analyze_memory")):
            if args == ["trace", "--env"] and not HAS_SIMULATOR:
                continue
            with open("/dev/full", "w") as full:
                done = subprocess.run([BUILD / program, *args], stdout=full, stderr=subprocess.PIPE, text=True, cwd=SOURCE)
            self.assertEqual(done.returncode, FAILED, args)
            self.assertRegex(done.stderr, r"^\S+: standard output: cannot write: ", args)


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
        self.assertEqual(self.check(OK, run).stdout, self.check(OK, "mem", run).stdout)

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
    def test_a_line_feed_in_a_name_begins_no_line_of_a_complaint(self):
        name = "a\n::error::pwn"
        for path in (name, f"{name}/b.log", f"x/{name}.json"):
            for args in (["phases", path], ["mem", path], ["graph", path], ["diff", path, path], ["phases", "x", f"--{path}"],
                         ["gate", "x", f"--budget={path}"], [path], ["mem", SOURCE / "examples/sample.log", "--json", f"none/{path}"],
                         ["sql", SOURCE / "examples/sample.log", path]):
                done = self.run_program(*args)
                self.assertNotEqual(done.returncode, 0, args)
                self.assertIn("a\\n::error::pwn", done.stderr, args)
                self.assertNotIn("\n::", done.stderr, args)
        for path in ("a\n", "\na", "\n"):
            done = self.run_program("phases", path)
            self.assertIn(path.replace("\n", "\\n") + ": ", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_line_feed_in_a_name_that_was_found_begins_no_line_either(self):
        found = self.folder / "logs"
        found.mkdir()
        (found / "a\n::error::pwn.log").symlink_to("/nowhere")
        (found / "b\n::error::pwn.log.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3abc")
        for command in ("phases", "mem", "perf", "graph", "timeline"):
            self.assertNotIn("\n::", self.run_program(command, found).stderr, command)

    def test_missing_file_folder_empty_file(self):
        self.assertIn("nowhere.log", self.check(FAILED, "mem", "nowhere.log").stderr)
        self.assertIn("folder", self.check(FAILED, "mem", self.folder).stderr)
        self.assertIn("empty", self.check(NOTHING, "mem", self.file("empty.log")).stderr)
        self.check(NOTHING, "mem", "-", input="")
        self.check(NOTHING, "last-run", self.file("empty.log"), "-o", "out.log")
        self.check(FAILED, "last-run", "nowhere.log", "-o", "out.log")
        self.assertFalse((self.folder / "out.log").exists())

    def test_an_empty_input_is_called_so_by_every_command_and_from_a_pipe_too(self):
        empty = self.file("empty.log")
        for command in (["perf"], ["graph"], ["phases"], ["timeline"], ["fit"], ["sql"], []):
            for given in ({"path": empty, "input": ""}, {"path": "-", "input": ""}):
                if given["path"] == "-" and command in (["phases"], ["fit"]):
                    continue  # they read a pipe on the way, and say what they missed in it
                query = ["select 1 from ops"] if command == ["sql"] else []
                said = self.check(NOTHING, *command, given["path"], *query, input=given["input"]).stderr
                self.assertIn("empty", said, (command, given))

    def test_a_log_without_anything_names_what_prints_it(self):
        done = self.check(NOTHING, "mem", self.file("other.log", "hello", "world"), "--json", "out.json")
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


class Demo(CliTest):
    def test_new_folder_each_time(self):
        self.usual_log("data/sample.log")
        for number in (1, 2):
            shown = self.check(OK, "demo", env={"TTSCOPE_DATA_DIR": str(self.folder / "data")}).stdout
            folder = self.folder / f"ttscope-demo-{number}"
            self.assertIn(folder.name, shown)
            self.assertIn("sample_oom.log", shown)
            self.assertEqual(len(list(folder.iterdir())), 7)

    def test_no_sample(self):
        done = self.check(FAILED, "demo", env={"TTSCOPE_DATA_DIR": str(self.folder / "nothing")})
        self.assertIn("TTSCOPE_DATA_DIR", done.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["home"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
