"""Kernels of recorded runs of tt-metal's own profiler, compiled against our header and run on the embedded chip, leave the recorded words: equal to
what the recordings' model predicts, and, ids of the firmware's zones aside, to the recorded words themselves. Where TTSCOPE_LIBTTSIM_WH and
TTSCOPE_LIBTTSIM_BH name Tenstorrent's simulator, all words with all times are also those that it leaves."""
import gzip
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("TTSCOPE_BUILD_DIR", "."))
SHARED = pathlib.Path(os.environ.get("TTSCOPE_SHARED_DIR", "/nonexistent"))
RUNS = SHARED / "data/device-profiler"
COMPILER = "riscv64-unknown-elf-g++"

# What the recordings show wrong and we do not repeat (docs/design/chip.md).
CORRECTED = {
    "wh_noc_odd": "NoC events after an odd marker were lost without a flag",
    "wh_odd_parity_brisc": "an end marker was written outside of the buffer",
    "wh_no_dram": "the host index advanced though nothing was sent",
    "wh_debug_dump": "TRISC2 was never sent in a debug dump",
    "wh_clock_wrap": "times were 2**32 too small when the clock wrapped between two reads",
    "wh_main_inside": "the guaranteed zone in a kernel ended the launch",
    "wh_main_child_inside": "the guaranteed child zone in a kernel took the firmware's slot",
    "wh_trace_only": "the end of NCRISC came after that of BRISC: the launch was pushed before all was published",
}
NOT_MODELLED = {"wh_debug_dump", "wh_trace_only", "wh_main_inside"}


def words_of(path, meta):
    raw = gzip.open(path.parent / meta["raw"]).read()
    return lambda span: struct.unpack(f"<{span[1] // 4}I", raw[span[0]:span[0] + span[1]])


class ChipGoldenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.made = {}
        for path in sorted(RUNS.glob("*.json")):
            done = subprocess.run([BUILD / "ttscope-chip-replay", path, "--out", cls.folder, "--cache", cls.folder / "cache"], capture_output=True,
                                  text=True, timeout=120)
            if done.returncode != 0:
                raise AssertionError(f"{path.name}: {done.stderr}")
            cls.made[path.stem] = cls.folder / path.name

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def model(self, name):
        done = subprocess.run([sys.executable, SHARED / "tools/profiler_golden_check.py", self.made[name]], capture_output=True, text=True, timeout=60)
        return done.stdout.split()[1], done.stdout

    def markers(self, path, span_of):
        """(kind, name) of every marker in the guaranteed slots and behind them, per RISC; times are left out."""
        meta = json.loads(path.read_text())
        words = words_of(path, meta)
        names = {zone["id"]: zone["name"] for zone in meta["zones"]}
        snapshot = meta["snapshots"][-1]
        ends = words(snapshot["control"])
        found = {}
        for number, risc in enumerate(meta["riscs"]):
            buffer = words(span_of(snapshot, number))
            found[risc] = [(word >> 28 & 7, names.get(word >> 12 & 0xFFFF, word >> 12 & 0xFFFF)) for word in buffer[4:ends[number]:2] if word >> 31]
        return found

    def test_there_are_as_many_runs_as_were_recorded(self):
        self.assertGreaterEqual(len(self.made), 28)
        self.assertLessEqual(set(CORRECTED), set(self.made))

    def test_the_model_calls_them_equal(self):
        for name in self.made:
            verdict, text = self.model(name)
            with self.subTest(name):
                if name in NOT_MODELLED:
                    self.assertEqual(verdict, "not", text)
                elif name in CORRECTED and name != "wh_clock_wrap":
                    self.assertEqual(verdict, "DIFFERENT", text)
                else:
                    self.assertEqual(verdict, "equal", text)

    def test_words_are_the_recorded_ones(self):
        """Every word of every snapshot but times; ids of zones compared by name."""
        for name, path in self.made.items():
            if name in CORRECTED:
                continue
            with self.subTest(name):
                ours, theirs = json.loads(path.read_text()), json.loads((RUNS / path.name).read_text())
                self.assertEqual(self.all_words(path, ours), self.all_words(RUNS / path.name, theirs))

    def all_words(self, path, meta):
        words = words_of(path, meta)
        names = {zone["id"]: zone["name"] for zone in meta["zones"]}
        found = []
        for part in meta.get("cores") or meta["snapshots"]:
            found.append(words(part["control"]))
            spans = [[offset, min(size, meta["dram"]["bytes_per_risc"])] for offset, size in part["dram"]]
            if "buffers" in part and "cores" not in meta:
                spans.append(part["buffers"])
            for span in spans:
                found.append(list(self.without_times(words(span), names)))
                while found[-1] and found[-1][-1] == 0:  # areas end with a few bytes that are not used
                    found[-1].pop()
        return found

    def without_times(self, words, names):
        """Markers without their twelve high bits of time and without the word behind; headers and data as they are."""
        index = 0
        while index < len(words):
            word = words[index]
            kind = word >> 28 & 7
            if word >> 31 and word not in (0x80000000,) and kind in (0, 1, 2, 3, 4, 5):
                yield (kind, names.get(word >> 12 & 0xFFFF, word >> 12 & 0xFFFF))
                yield "time"
                payload = {3: 2, 5: 4}.get(kind, 0)
                yield from words[index + 2:index + 2 + payload]
                index += 2 + payload
            else:
                yield word
                index += 1

    def test_all_noc_events_are_kept(self):
        found = self.markers(self.made["wh_noc_odd"], lambda snapshot, risc: snapshot["dram"][risc])["brisc"]
        self.assertEqual(sum(name == 12345 for _, name in found), 200)

    def test_nothing_is_written_outside_of_the_buffer(self):
        path = self.made["wh_odd_parity_brisc"]
        meta = json.loads(path.read_text())
        words = words_of(path, meta)
        snapshot = meta["snapshots"][-1]
        buffers = words(snapshot["buffers"])
        self.assertEqual(buffers[512:514], (0, 0))  # the run sentinel of NCRISC
        self.assertEqual(words(snapshot["control"])[0], 512)
        kinds = [kind for kind, _ in self.markers(path, lambda shot, risc: shot["dram"][risc])["brisc"][4:]]
        self.assertEqual(kinds.count(0), kinds.count(1) + 1)  # padding looks like a start of id 0

    def test_a_reader_finds_no_words_that_were_not_sent(self):
        path = self.made["wh_no_dram"]
        meta = json.loads(path.read_text())
        control = words_of(path, meta)(meta["snapshots"][-1]["control"])
        self.assertEqual(control[0:5], (0, 0, 0, 0, 0))
        self.assertEqual(control[57], 1)

    def test_trisc2_is_sent_in_a_debug_dump(self):
        found = self.markers(self.made["wh_debug_dump"], lambda snapshot, risc: snapshot["dram"][risc])
        self.assertEqual([name for _, name in found["trisc2"]], ["TRISC-FW", "TRISC-FW", "TRISC-KERNEL", "TRISC-KERNEL", "one-zone", "one-zone"])
        theirs = self.markers(RUNS / "wh_debug_dump.json", lambda snapshot, risc: snapshot["dram"][risc])
        for risc in ("brisc", "ncrisc", "trisc0", "trisc1"):
            self.assertEqual(found[risc], theirs[risc])

    def test_times_do_not_go_back_when_the_clock_wraps(self):
        for path, rising in ((self.made["wh_clock_wrap"], True), (RUNS / "wh_clock_wrap.json", False)):
            meta = json.loads(path.read_text())
            words = words_of(path, meta)
            seen = True
            for risc in range(5):
                buffer = words(meta["snapshots"][-1]["dram"][risc])
                times = [(buffer[i] & 0xFFF) << 32 | buffer[i + 1] for i in range(12, 512, 2) if buffer[i] & 0x7FFFFFFF]
                self.assertGreater(max(times), 2**32)
                self.assertGreater(2**32, min(times))
                seen = seen and times == sorted(times)
            self.assertEqual(seen, rising, path)

    def test_the_guaranteed_zones_work_in_kernels(self):
        found = self.markers(self.made["wh_main_inside"], lambda snapshot, risc: snapshot["dram"][risc])
        self.assertEqual(found["brisc"], [(0, "BRISC-FW"), (1, "BRISC-FW"), (0, "BRISC-KERNEL"), (1, "BRISC-KERNEL"), (0, "before-main"),
                                          (1, "before-main"), (0, "user-main"), (1, "user-main"), (0, "after-main"), (1, "after-main")])
        self.assertEqual(found["ncrisc"][:4], [(0, "NCRISC-FW"), (1, "NCRISC-FW"), (0, "NCRISC-KERNEL"), (1, "NCRISC-KERNEL")])
        found = self.markers(self.made["wh_main_child_inside"], lambda snapshot, risc: snapshot["dram"][risc])
        self.assertEqual(found["brisc"][4:], [(0, "user-child"), (1, "user-child")])

    def test_trace_only_leaves_the_zones_of_each_replay(self):
        found = self.markers(self.made["wh_trace_only"], lambda snapshot, risc: snapshot["dram"][risc])["brisc"]
        theirs = self.markers(RUNS / "wh_trace_only.json", lambda snapshot, risc: snapshot["dram"][risc])["brisc"]
        kinds = [kind for kind, _ in found]
        self.assertEqual(kinds, [kind for kind, _ in theirs])

    @unittest.skipUnless(os.environ.get("TTSCOPE_LIBTTSIM_WH") and os.environ.get("TTSCOPE_LIBTTSIM_BH"), "libttsim is not here")
    def test_libttsim_leaves_the_same_words_and_times(self):
        other = self.folder / "libttsim"
        other.mkdir()
        for name, path in self.made.items():
            if name == "wh_clock_wrap":
                continue  # it would simulate 2**32 clocks
            library = os.environ["TTSCOPE_LIBTTSIM_" + name[:2].upper()]
            subprocess.run([BUILD / "ttscope-chip-replay", RUNS / path.name, "--out", other, "--cache", self.folder / "cache", "--library", library],
                           check=True, timeout=120)
            with self.subTest(name):
                raw = path.with_suffix(".bin.gz").name
                self.assertEqual(gzip.open(other / raw).read(), gzip.open(self.folder / raw).read())


if __name__ == "__main__":
    if shutil.which(COMPILER) is None:
        print(f"skipped: {COMPILER} is not installed (apt-get install gcc-riscv64-unknown-elf)")
        sys.exit(77)
    if not RUNS.is_dir():
        print("skipped: no recorded runs of the device profiler beside the checkout")
        sys.exit(77)
    unittest.main()
