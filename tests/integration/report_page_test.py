#!/usr/bin/env python3
"""The data of `ttscope mem --html`: every column against `--json` and the truth files, hostile names, output rules.

What a browser makes of the page is tested elsewhere.
"""
import json
import os
import re
import stat
import subprocess
import tempfile
import unittest

from page_file import KINDS, MEMORIES, NONE, Page

BUILD = os.environ["TTSCOPE_BUILD_DIR"]
SOURCE = os.environ["TTSCOPE_SOURCE_DIR"]
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
TTSCOPE = os.path.join(BUILD, "ttscope")
CHANGE = 2200  # two printed units, as in truth_test.py
VARIANTS = {"runs": ["--runs", "3"], "ranks": ["--ranks", "3", "--compact"], "no_memory": ["--no-memory"],
            "no_ops": ["--no-ops"], "no_modules": ["--no-modules"], "program_level": ["--program-level", "--compact"],
            "oom": ["--oom"], "blackhole": ["--device", "blackhole", "--compact"], "locs": ["--distinct-locs"]}


def ttscope(*arguments, **options):
    return subprocess.run([TTSCOPE, *arguments], capture_output=True, timeout=120, **options)


class PageCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def profile(self, *logs):
        """The page and the document of a log, made by one run."""
        done = ttscope("mem", *logs, "-q", "--html", self.path("page.html"), "--json", self.path("mem.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("mem.json"), encoding="utf-8") as f:
            return Page(self.path("page.html")), json.load(f)

    def generate(self, *options):
        log, truth = self.path("made.log"), self.path("made.truth.json")
        subprocess.run([os.path.join(BUILD, "ttscope-gen-log"), "-o", log, "--truth", truth, *options], check=True,
                       stderr=subprocess.DEVNULL)
        with open(truth) as f:
            return log, json.load(f)


class Comparison:
    """One page against the document of the same log."""

    def __init__(self, test, page, document):
        self.test, self.page, self.document = test, page, document
        self.numbers = [r["number"] for r in page.header["ranks"]]
        self.files = [r["file"] for r in page.header["ranks"]]

    def check(self):
        self.test.assertEqual(self.page.header["format"], "ttscope.page/1")
        self.check_document()
        self.check_ranks()
        self.check_growth()
        self.check_programs()
        self.check_changes()
        self.check_arguments()
        for index in range(len(self.numbers)):
            self.check_columns(self.page.rank(index))
            self.check_sums(self.page.rank(index))
            self.check_overview(self.page.rank(index))
        self.check_live_set()
        self.check_texts()
        self.check_modules()

    def records_of(self, name, index):
        several = len(self.document["inputs"]) > 1
        return [r for r in self.document[name] if r["rank"] == self.numbers[index] and
                (not several or r["file"] == self.files[index])]

    def check_document(self):
        """The document inside is the one of --json, long lists cut."""
        def compare(short, whole, place):
            if isinstance(whole, dict):
                self.test.assertEqual(short.keys(), whole.keys(), place)
                for key in whole:
                    compare(short[key], whole[key], f"{place}.{key}")
            elif isinstance(whole, list):
                self.test.assertEqual(short, whole[:200] if len(short) == 200 else whole, place)
            else:
                self.test.assertEqual(short, whole, place)
        compare(self.page.mem, self.document, "mem")

    def check_ranks(self):
        self.test.assertEqual(len(self.document["ranks"]), len(self.numbers))
        for header, record in zip(self.page.header["ranks"], self.document["ranks"]):
            self.test.assertEqual((header["number"], header["ops"], header["counted_ops"], header["programs"], header["measured"]),
                                  (record["rank"], record["executed_ops"], record["ops"], record["programs"], record["measured"]))
            for memory in MEMORIES:
                want, got = record["memory"][memory], header["peaks"].get(memory)
                self.test.assertEqual(got is None, want["peak"]["bytes_per_bank"] is None)
                if got is None:
                    continue
                self.test.assertEqual((got["bytes_per_bank"], got["op"]), (want["peak"]["bytes_per_bank"], want["peak"]["op_index"]))
                self.test.assertEqual((header["capacity"][memory], header["banks"][memory]),
                                      (want["capacity_bytes_per_bank"], want["banks"]))
        main = self.page.header["ranks"][self.page.header["main_rank"]]
        self.test.assertEqual(main["number"], self.document["main_rank"])

    def check_columns(self, rank):
        ops, header = rank.header["ops"], rank.header
        for name in ("text", "loc", "program", "line", "flags", "grow.DRAM", "grow.L1", "conf.DRAM", "conf.L1"):
            self.test.assertEqual(len(rank["op." + name]), ops, name)
        self.test.assertEqual(sum(f & 1 for f in rank["op.flags"]), header["counted_ops"])
        self.test.assertEqual(len(rank["pt.moment"]), header["points"])
        self.test.assertEqual(rank["pt.moment"], sorted(rank["pt.moment"]))
        self.test.assertTrue(all(m <= 2 * ops for m in rank["pt.moment"]))
        self.test.assertEqual(len(rank["buf.type"]), header["buffers"])
        types, names = len(self.page.column("type.logical")), len(self.page.column("names.len"))
        self.test.assertTrue(all(t < types for t in rank["buf.type"]))
        self.test.assertTrue(all(n < names or n == NONE for n in rank["buf.name"]))
        self.test.assertTrue(all(t < self.page.header["texts"]["count"] for t in rank["op.text"]))
        programs = header["programs"]
        self.test.assertTrue(all(p < programs or p == NONE for p in rank["op.program"]))
        for memory in MEMORIES[:2]:
            # An out-of-memory message is a measurement too, and may tell more than the last memory block before it.
            told = {f["allocated_bytes_per_bank"] for f in self.document["failures"] if f["memory"] == memory}
            highest = max(map(rank.bytes, rank[f"pt.{memory}.alloc"]), default=0)
            if memory not in header["peaks"]:
                self.test.assertEqual(highest, 0)
                continue
            peak = header["peaks"][memory]["bytes_per_bank"]
            self.test.assertTrue(peak == highest or (peak > highest and peak in told), (memory, peak, highest, told))

    def check_sums(self, rank):
        """What ops and changes did adds up to the states."""
        if not rank.header["measured"] or not rank["pt.moment"]:
            return
        last = rank["pt.moment"][-1]
        for memory in ("DRAM", "L1"):
            done = sum(g for i, g in enumerate(rank["op.grow." + memory]) if 2 * i < last)
            done += sum(c for op, c in zip(rank["chg.op"], rank["chg." + memory]) if 2 * op <= last)
            self.test.assertAlmostEqual(done, rank.bytes(rank[f"pt.{memory}.alloc"][-1]), delta=4 * CHANGE, msg=memory)

    def check_growth(self):
        for index in range(len(self.numbers)):
            rank = self.page.rank(index)
            names, locs = rank.op_names(), rank.op_locs()
            confidence = ("none", "measured", "derived", "modelled")
            want = {(g["op_index"], g["memory"]): (g["bytes_per_bank"], g["line"], g["op"], g["loc"], g["confidence"])
                    for g in self.records_of("growth", index)}
            got = {(i, memory): (grown, rank["op.line"][i], names[i], locs[i], confidence[rank["op.conf." + memory][i]])
                   for memory in ("DRAM", "L1") for i, grown in enumerate(rank["op.grow." + memory]) if grown > 0}
            self.test.assertEqual(got, want)

    def check_programs(self):
        names = self.page.strings("names")
        none = lambda value: None if value in (NONE, 0) else value
        for index in range(len(self.numbers)):
            rank = self.page.rank(index)
            columns = ("name", "graph", "run", "parent", "first", "line", "end_line", "flags", "peak")
            got = [(names[n], g, run, None if parent == NONE else parent, first, none(line), none(end), bool(flags), peak)
                   for n, g, run, parent, first, line, end, flags, peak in zip(*(rank["prog." + c] for c in columns))]
            want = [(p["name"], p["graph"], p["run"], p["parent"], p["first_op_index"], p["start_line"], p["end_line"],
                     p["const_eval"], p["dram_peak_bytes_per_bank"]) for p in self.records_of("programs", index)]
            self.test.assertEqual(got, want)
        self.test.assertEqual([(g["name"], g["runs"], g["const_eval"]) for g in self.page.header["graphs"]],
                              [(g["name"], g["instances"], g["const_eval"]) for g in self.document["graphs"]])

    def check_changes(self):
        causes = ("program start", "program end", "unattributed")
        for index in range(len(self.numbers)):
            rank = self.page.rank(index)
            got = [(causes[cause], op, None if program == NONE else program, dram, l1) for cause, op, program, dram, l1
                   in zip(*(rank["chg." + c] for c in ("cause", "op", "program", "DRAM", "L1")))]
            want = [(c["event"], c["before_op_index"], c["program_instance"], c["bytes_per_bank"]["DRAM"],
                     c["bytes_per_bank"]["L1"]) for c in self.records_of("changes", index)]
            self.test.assertEqual(got, want)

    def check_arguments(self):
        want = sorted(self.document["weights"]["entries"] + self.document["arguments"], key=lambda a: a["index"])
        dims = lambda shape: "x".join("?" if d < 0 else str(d) for d in shape)
        self.test.assertEqual(
            [(a["graph"], a["ssa"], a["name"], a["role"], a["kv_cache"], a["shape"], a["dtype"], a["bytes"], a["counted"],
              a["const_eval_graphs"]) for a in self.page.json("args")],
            [(a["graph"], a["ssa"], a["name"], a["role"], a["kv_cache"], dims(a["shape"]), a["dtype"], a["bytes"], a["counted"],
              a["const_eval_graphs"]) for a in want])

    def check_overview(self, rank):
        for memory in MEMORIES:
            values = rank[f"pt.{memory}.alloc"]
            if values:
                self.test.assertEqual(max(rank[f"ov.{memory}.max"]), max(values))
                self.test.assertLessEqual(min(rank[f"ov.{memory}.min"]), min(values))
                self.test.assertLessEqual(len(rank[f"ov.{memory}.max"]), 2048)

    def check_live_set(self):
        """Buffers live at the peak's moment are the live set of the document; kinds and unaccounted add up."""
        rank = self.page.rank(self.page.header["main_rank"])
        shapes, dtypes = self.page.strings("shape"), self.page.strings("dtype")
        for m, memory in enumerate(("DRAM", "L1")):
            want, peak = self.document["live_at_peak"][memory], rank.header["peaks"].get(memory)
            if peak is None or peak["bytes_per_bank"] == 0:
                self.test.assertEqual(want["tensors"], [])
                continue
            live = rank.live(m, peak["moment"])
            got = sorted((rank["buf.bytes"][b], KINDS[rank["buf.kind"][b]], shapes[rank["buf.type"][b]],
                          dtypes[rank["buf.type"][b]]) for b in live)
            self.test.assertEqual(got, sorted((t["bytes_per_bank"], t["kind"], "x".join(map(str, t["shape"])), t["dtype"])
                                              for t in want["tensors"]))
            of_failing_op = want.get("failing_result_bytes_per_bank") or 0  # no tensors: their op never ended
            self.test.assertEqual(sum(g[0] for g in got) + of_failing_op, want["accounted_bytes_per_bank"])
            if peak["confidence"] == "measured":
                self.test.assertEqual(want["accounted_bytes_per_bank"] + want["unaccounted_bytes_per_bank"], peak["bytes_per_bank"])
            padded, logical = self.page.column("type.padded"), self.page.column("type.logical")
            self.test.assertEqual(sum(padded[rank["buf.type"][b]] for b in live), want["padded_bytes"])
            self.test.assertEqual(sum(logical[rank["buf.type"][b]] for b in live), want["logical_bytes"])
        self.test.assertEqual(len(rank["dup.copy"]), len(self.document["weights"]["duplicates"]))

    def check_texts(self):
        """Results and types of a text are in the text itself."""
        texts = self.page.header["texts"]
        self.test.assertEqual(texts["kept"], texts["count"])
        names, by_text = self.page.strings("names"), self.page.column("text.name")
        for number in range(0, texts["count"], 7):
            text = self.page.text(number)
            if not text["text"]:
                continue
            self.test.assertIn(names[by_text[number]].split(".")[-1], text["text"])
            self.test.assertTrue(all(r.split("#")[0] in text["text"] for r in text["results"]))
            first = self.page.column("text.first_out")[number]
            self.test.assertEqual(first, text["out"][0] if text["out"] else NONE)

    def check_modules(self):
        recognised = self.document["trust"]["recognised"]["modules"]
        self.test.assertEqual(len(self.page.header["modules"]), recognised)
        for number, module in enumerate(self.page.header["modules"]):
            lines = self.page.blob(f"module.{number}").decode().split("\n")[:-1]
            self.test.assertEqual(len(lines), module["lines"])
            for name, line in list(self.page.json(f"module.{number}.locs").items())[:50]:
                self.test.assertTrue(1 <= line <= len(lines), name)


class Columns(PageCase):
    def test_samples(self):
        for name in ("sample.log", "sample_oom.log"):
            with self.subTest(log=name):
                Comparison(self, *self.profile(os.path.join(SOURCE, "examples", name))).check()

    def test_generated_logs_of_every_variant(self):
        for name, options in VARIANTS.items():
            with self.subTest(variant=name):
                Comparison(self, *self.profile(self.generate(*options)[0])).check()

    def test_several_files(self):
        logs = [os.path.join(SOURCE, "examples", n) for n in ("sample.log", "sample_oom.log")]
        page, document = self.profile(*logs)
        Comparison(self, page, document).check()
        self.assertIn("rank 2 of sample_oom.log", [r["label"] for r in page.header["ranks"]])

    def test_growth_is_that_of_the_truth(self):
        for options in (["--runs", "2"], ["--device", "blackhole", "--layers", "1"]):
            log, truth = self.generate(*options)
            rank = self.profile(log)[0].rank(0)
            ops = truth["ranks"][0]["ops"] if "ranks" in truth else truth["ops"]
            self.assertEqual(rank["op.line"], [op["line"] for op in ops])
            for op, dram in list(zip(ops, rank["op.grow.DRAM"]))[:-1]:
                self.assertAlmostEqual(dram, op["own_growth"]["DRAM"], delta=CHANGE, msg=f"line {op['line']}")

    @unittest.skipUnless(SHARED, "no shared data here")
    def test_reference_logs(self):
        folder = os.path.join(SHARED, "data", "runtime-logs")
        for name in sorted(os.listdir(folder)):
            log = os.path.join(folder, name)
            if not name.endswith(".log") or ttscope("mem", log, "-q").returncode != 0:
                continue
            with self.subTest(log=name):
                Comparison(self, *self.profile(log)).check()


class Absence(PageCase):
    def absent(self, *options):
        return self.profile(self.generate(*options)[0])[0].absent

    def test_sections_that_the_log_cannot_fill_say_what_would(self):
        self.assertEqual(self.absent(), {})
        self.assertIn("TT_RUNTIME_MEMORY_LOG_LEVEL=operation", self.absent("--no-memory")["fragmentation"])
        without_ops = self.absent("--no-ops")
        for section in ("composition", "padding", "programs"):
            self.assertIn("TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG", without_ops[section])
        self.assertIn("TTXLA_LOGGER_LEVEL=DEBUG", self.absent("--no-modules")["ir"])


class Safety(PageCase):
    HOSTILE = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \x1b[2J \u202e'

    def test_hostile_names_stay_text(self):
        with open(os.path.join(SOURCE, "examples", "sample.log"), encoding="utf-8") as f:
            text = f.read()
        log = self.path("x.log")
        with open(log, "w", encoding="utf-8") as f:
            f.write(text.replace("model/layers.0", "model/" + self.HOSTILE).replace("args_0", self.HOSTILE)
                    .replace("main_const_eval_0", "main_const_eval_</script>"))
        plain = self.profile(os.path.join(SOURCE, "examples", "sample.log"))[0]
        page = self.profile(log)[0]
        self.assertEqual(len(re.findall("<script", page.html)), len(re.findall("<script", plain.html)))
        self.assertEqual(len(re.findall("</script", page.html)), len(re.findall("</script", plain.html)))
        self.assertFalse("<img" in page.html or "\x1b" in page.html)
        self.assertTrue(any(self.HOSTILE in loc for loc in page.strings("locs")))
        self.assertTrue(any(self.HOSTILE in a["name"] for a in page.json("args")))

    def test_hostile_report_name_stays_text(self):
        log = self.path("<img src=x>&.log")
        with open(os.path.join(SOURCE, "examples", "sample.log"), "rb") as f, open(log, "wb") as g:
            g.write(f.read())
        html = self.profile(log)[0].html
        self.assertFalse("<img" in html)
        self.assertTrue("<title>_img src=x_&amp;</title>" in html)

    def test_the_page_asks_for_nothing(self):
        html = self.profile(os.path.join(SOURCE, "examples", "sample.log"))[0].html
        self.assertTrue(re.search(r'http-equiv="Content-Security-Policy"[^>]*default-src \'none\'', html))
        self.assertEqual(re.findall(r'<(?:script|img|iframe)[^>]*\ssrc=', html), [])
        self.assertEqual(re.findall(r'<link[^>]*\shref=(?!["\']?data:)', html), [])
        self.assertFalse("<!--ttscope:" in html)


class Output(PageCase):
    SAMPLE = os.path.join(SOURCE, "examples", "sample.log")

    def test_standard_output_gets_the_page_alone(self):
        done = ttscope("mem", self.SAMPLE, "--html", "-")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.lstrip().lower().startswith(b"<!doctype html>"))
        self.assertTrue(done.stdout.rstrip().endswith(b"</html>"))
        twice = ttscope("mem", self.SAMPLE, "--html", "-", "--json", "-")
        self.assertEqual((twice.returncode, twice.stdout), (2, b""))

    def test_the_summary_names_the_page(self):
        done = ttscope("mem", self.SAMPLE, "--html", self.path("a.html"))
        self.assertIn(("  " + self.path("a.html")).encode(), done.stdout)

    def test_the_file_is_replaced_as_a_whole_or_not_at_all(self):
        path = self.path("a.html")
        with open(path, "w") as f:
            f.write("old")
        os.chmod(path, 0o600)
        self.assertEqual(ttscope("mem", self.path("missing.log"), "--html", path).returncode, 1)
        with open(path) as f:
            self.assertEqual(f.read(), "old")
        self.assertEqual(ttscope("mem", self.SAMPLE, "-q", "--html", path).returncode, 0)
        self.assertGreater(os.path.getsize(path), 1000)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(os.listdir(self.folder), ["a.html"])

    def test_exit_codes(self):
        self.assertEqual(ttscope("mem", self.SAMPLE, "--html", "").returncode, 2)
        self.assertEqual(ttscope("mem", self.SAMPLE, "--html", self.SAMPLE).returncode, 2)
        self.assertEqual(ttscope("mem", self.SAMPLE, "-q", "--html", self.path("no/where.html")).returncode, 1)
        self.assertEqual(ttscope("mem", self.SAMPLE, "-q", "--html", "/dev/full").returncode, 1)
        over = ttscope("mem", self.SAMPLE, "-q", "--html", self.path("a.html"), "--max-dram", "1%")
        self.assertEqual((over.returncode, os.path.exists(self.path("a.html"))), (3, True))

    def test_name_is_what_the_page_is_called(self):
        ttscope("mem", self.SAMPLE, "-q", "--html", self.path("a.html"), "--name", "bert-large", check=True)
        page = Page(self.path("a.html"))
        self.assertEqual(page.header["name"], "bert-large")
        self.assertRegex(page.header["generated"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertTrue("<title>bert-large" in page.html)

    def test_report_folders_and_the_demo_have_the_page(self):
        environment = {**os.environ, "TTMEM_HOME": self.folder}
        done = subprocess.run([os.path.join(BUILD, "tt-memory-profiler"), "--analyze", self.SAMPLE],
                              capture_output=True, env=environment, timeout=120)
        path = self.path("reports/sample/sample_report.html")
        self.assertIn(f"Report page\n  {path}\n".encode(), done.stdout)
        self.assertEqual(Page(path).header["name"], "sample")
        demo = ttscope("demo", cwd=self.folder, env={**os.environ, "TTSCOPE_DATA_DIR": os.path.join(SOURCE, "examples")})
        shown = re.search(rb"Open the report page in a browser: (.*)", demo.stdout).group(1).decode()
        self.assertEqual(Page(shown).absent, {})


if __name__ == "__main__":
    unittest.main()
