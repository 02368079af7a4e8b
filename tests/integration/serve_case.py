"""What the tests of the server share: one in a process of its own, and raw requests to it."""
import os
import re
import signal
import socket
import subprocess
import time

import log_text as log
from program_case import BUILD, ProgramCase

ADDRESS = re.compile(r"http://(127\.0\.0\.1|\[::1\]):(\d+)/([0-9a-f]{32})/(\S*)")
FRAME = re.compile(rb'<iframe [^>]*src="/([0-9a-f]{32})/"')


class Server:
    """`ttscope serve` in its own process group; `output` is what it printed until it was ready."""

    def __init__(self, folder, home, *args, program="ttscope", env=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm", **(env or {})}
        self.process = subprocess.Popen([str(BUILD / program), "serve", *map(str, args)], cwd=folder, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, start_new_session=True)
        self.output = ""
        for line in self.process.stdout:
            self.output += line
            if line.startswith("Ctrl-C"):
                break
        found = ADDRESS.search(self.output)
        if not found:
            self.process.kill()
            raise AssertionError(f"no address in {self.output!r}: {self.process.communicate()[1]}")
        self.port, self.token, self.path = int(found[2]), found[3], found[4]

    def stop(self, number=signal.SIGINT):
        """How long it takes to end, its exit code and what it said on standard error."""
        begin = time.monotonic()
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        _, errors = self.process.communicate(timeout=20)
        return time.monotonic() - begin, self.process.returncode, errors

    def connect(self, timeout=20):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def memory_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) // 1024

    def ask(self, target, method="GET", headers=None, body=b"", raw=False):
        """(status, headers in lower case, body) of one request; `target` is behind the token unless raw."""
        path = target if raw else f"/{self.token}{target}"
        lines = {"Host": f"127.0.0.1:{self.port}", "Connection": "close", **(headers or {})}
        if body and "Content-Length" not in lines:
            lines["Content-Length"] = str(len(body))
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
        return self.send(head.encode("latin-1") + b"\r\n" + body)

    def page_token(self, report):
        """Where the page of a report is: the frame in the page around it says so."""
        return FRAME.search(self.ask(f"/reports/{report}/")[2])[1].decode()

    def page(self, report):
        return self.ask(f"/{self.page_token(report)}/", headers={"Sec-Fetch-Dest": "iframe"}, raw=True)

    def send(self, data):
        with self.connect() as connection:
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused before all was sent; the answer may still be there
            return read_answer(connection)


def read_answer(connection):
    data = b""
    while True:
        try:
            piece = connection.recv(1 << 16)
        except ConnectionResetError:
            break
        if not piece:
            break
        data += piece
    if not data:
        return 0, {}, b""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), headers, body


class ServeCase(ProgramCase):
    def setUp(self):
        super().setUp()
        self.servers = []
        self.library = self.home / ".ttmem" / "reports"

    def tearDown(self):
        for server in self.servers:
            server.stop(signal.SIGKILL)
            server.process.stdout.close()
            server.process.stderr.close()
        super().tearDown()

    def serve(self, *args, **options):
        self.servers.append(Server(self.folder, self.home, *args, **options))
        return self.servers[-1]

    def log(self, name="run.log"):
        path = self.folder / name
        path.write_text(log.text(log.module(), log.program(), log.program()))
        return path

    def report(self, name="run"):
        """A report folder in the library, made by the real program."""
        path = self.log(f"{name}.log")
        self.check(0, "--analyze", path, program="tt-memory-profiler")
        return self.library / name

    def wait_until(self, condition, what, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = condition()
            if found:
                return found
            time.sleep(0.1)
        self.fail(f"waited for {what}")
        return None
