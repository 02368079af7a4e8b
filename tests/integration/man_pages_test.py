"""Every command and every option of the help is in the manual pages."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, SOURCE  # noqa: E402

PAGES = SOURCE / "docs/man"
OF_TTSCOPE_SQL = {"export": "ttscope-sql.1"}


def page(name):
    return (PAGES / name).read_text().replace("\\-", "-")


def help_of(program, *words):
    return subprocess.run([BUILD / program, *words, "--help"], check=True, capture_output=True, text=True).stdout


def options_in(text):
    """The long names at the beginnings of lines; --help is everybody's."""
    lines = [line for line in text.split("\nOptions:\n")[-1].split("\nExamples:")[0].splitlines() if re.match(r" +-", line)]
    names = (re.match(r" *(?:-\w, )?((?:--[a-z0-9-]+(?:, )?)*)", line).group(1) for line in lines)
    return {name for line in names for name in re.findall(r"--[a-z0-9-]+", line)} - {"--help"}


class ManPages(unittest.TestCase):
    def commands(self):
        found = re.findall(r"^  ([a-z][a-z-]*)  +\S", help_of("ttscope").split("The same program")[0], re.M)
        self.assertGreater(len(found), 18, "the overview lists the commands")
        return found

    def test_every_command_has_a_section(self):
        for command in self.commands():
            self.assertTrue(re.search(rf"(?m)^\.(B|RB|SS) .*\b{command}\b", page("ttscope.1")), command)

    def test_every_option_is_described(self):
        for command in self.commands():
            own = PAGES / f"ttscope-{command}.1"
            text = page(OF_TTSCOPE_SQL.get(command, own.name if own.is_file() else "ttscope.1"))
            missing = sorted(name for name in options_in(help_of("ttscope", command)) if name not in text)
            self.assertEqual(missing, [], command)

    def test_every_option_of_the_other_programs_is_described(self):
        for program in ("ttmem", "tt-memory-profiler"):
            missing = sorted(name for name in options_in(help_of(program)) if name not in page("ttscope.1") + page("ttscope-run.1"))
            self.assertEqual(missing, [], program)


if __name__ == "__main__":
    unittest.main()
