"""Logs for the tests of the command lines."""
import log_text as log
from program_case import ProgramCase


class CliTest(ProgramCase):
    def file(self, name, *parts):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(log.text(*parts))
        return path

    def usual_log(self, name="run.log"):
        return self.file(name, log.module(), log.program(), log.program())
