#!/usr/bin/env python3
"""`ttscope oom`: messages of all forms, what is said of them, and the failures of real and simulated runs.

Real texts are in TTSCOPE_SHARED_DIR (data/oom, data/phase-logs, tools/inject_memory.py); without it those tests are
skipped.
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402
from cli_case import CliTest  # noqa: E402
from program_case import BUILD, FAILED, NOTHING, OK, SOURCE, USAGE  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
SCHEMA = SOURCE / "docs/formats/oom.schema.json"

# Read with the eye, message by message: the arithmetic of the figures decides.
FRAGMENTED, EXHAUSTED, BEYOND, CLASH = "fragmented", "exhausted", "cb_exceeds_l1", "cb_clash"
EXPECTED = {
    "tt-metal-16348_old_tt-metal_logger_lines.txt": [],
    "tt-metal-16368_detailed_memory_usage_csv.txt": [],
    "tt-metal-28897_mpirun_tag_output_prefix.txt": [],
    "tt-metal-50618_dram_footprint_tracker.txt": [],
    "tt-metal_cb_clash_and_overflow_many.txt": [CLASH, CLASH, BEYOND, BEYOND, CLASH, BEYOND, BEYOND, BEYOND, CLASH],
    "tt-mlir-1726_memory_results_json_2025-01.txt": [],
    "tt-mlir-3564_memory_results_json_2025-05.txt": [],
    "tt-mlir-5343_blackhole_l1_oom.txt": ["undecided"],
    "tt-mlir-5967_memory_state_program_level.txt": [],
    "tt-mlir-7529_mesh_shard_memory_state_blackhole.txt": [],
    "tt-mlir-7645_layout_mismatch_fatal.txt": [],
    "tt-torch-853_dram_oom_2025-05_oldest_format.txt": ["undecided"],
    "tt-xla-1722_nightly_oom_l1_l1small_dram.txt":
        ["region_missing", "undecided", "undecided", "larger_than_bank", "undecided"],
    "tt-xla-1726_mesh_shard_main_2x4.txt": [],
    "tt-xla-2804_host_alloc_debug.txt": [],
    "tt-xla-4040_p150_llava_oom.txt": ["larger_than_device"],
    "tt-xla-4943_srpo_load_cached_to_device_oom.txt": [FRAGMENTED],
    "tt-xla-5223_distributed_rms_norm_core_ranges.txt": [],
    "tt-xla-5355_falcon3_dram_oom.txt": [FRAGMENTED],
    "tt-xla-5535_vllm_dram_oom_two_models.txt": [EXHAUSTED, EXHAUSTED],
    "oom_messages.txt":
        ["undecided", "undecided", "undecided", "region_missing", "undecided", "larger_than_bank"] + [FRAGMENTED] * 6 +
        [EXHAUSTED, EXHAUSTED, FRAGMENTED, "larger_than_device", CLASH],
}
# Line of the message: verdict, of the reports that quote one failure after the other.
REPORTS = {
    FRAGMENTED: (6, 17, 39, 50, 72, 83, 94, 105, 160, 193, 204, 226, 259, 270, 281, 369, 380, 391, 402, 413, 435, 457,
                 468, 490, 556, 567, 578, 611, 655, 666, 677, 688, 732),
    EXHAUSTED: (116, 138, 149, 182, 479, 534, 721),
    BEYOND: (28, 61, 127, 171, 215, 237, 248, 292, 303, 314, 325, 336, 347, 358, 424, 446, 501, 512, 589, 600, 633, 699,
             710),
    "larger_than_device": (523, 545, 644),
    "undecided": (622,),
}

MESSAGE = ("Out of Memory: Not enough space to allocate {size} B {memory} buffer across {banks} banks, where each bank "
           "needs to store {part} B, but bank size is {bank} B (allocated: {used} B, free: {free} B, largest free block: "
           "{largest} B)")


def message(part, free, largest, memory="DRAM", bank=1000000, banks=12):
    return MESSAGE.format(size=part * banks, memory=memory, banks=banks, part=part, bank=bank, used=bank - free,
                          free=free, largest=largest)


class OomCase(CliTest):
    def explain(self, *paths, code=OK, **options):
        done = self.check(code, "oom", *paths, "-q", "--json", "-", **options)
        document = json.loads(done.stdout)
        if jsonschema is not None:
            errors = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).iter_errors(document)
            self.assertEqual([f"{list(e.path)}: {e.message[:200]}" for e in errors][:5], [])
        for failure in document["failures"]:
            self.check_sums(failure)
        return document["failures"]

    def check_sums(self, failure):
        if failure["holders"]:
            self.assertEqual(sum(h["bytes_per_bank"] for h in failure["holders"]), failure["held_bytes_per_bank"])
        if failure["allocated_bytes_per_bank"] is not None:
            self.assertEqual(failure["held_bytes_per_bank"], failure["allocated_bytes_per_bank"])

    def text(self, *lines, name="text.txt"):
        path = self.folder / name
        path.write_text("\n".join(lines) + "\n")
        return path

    def verdicts(self, *lines, code=OK):
        return [failure["verdict"] for failure in self.explain(self.text(*lines), code=code)]


class MessageTest(OomCase):
    def test_the_arithmetic_decides(self):
        self.assertEqual(self.verdicts(message(500, 499, 400), message(500, 600, 400), message(1000001, 5, 5)),
                         [EXHAUSTED, FRAGMENTED, "larger_than_device"])

    def test_a_shard_larger_than_its_bank_is_not_larger_than_the_device(self):
        self.assertEqual(self.verdicts(message(2000, 900, 900, "L1", 1000, 8)), ["larger_than_bank"])

    def test_regions_that_are_missing_or_too_small(self):
        self.assertEqual(
            self.verdicts(message(64, 0, 0, "L1_SMALL", 0, 64), message(64, 32, 32, "L1_SMALL", 32, 64),
                          "Creating trace buffers of size 4096B on MeshDevice 1, but only 0B is allocated for trace region.",
                          "Trace buffer at address 1024 overlaps with DRAM buffer at address 512"),
            ["region_missing"] * 4)

    def test_a_trace_region_that_is_too_small_has_its_fix(self):
        failure = self.explain(self.text(
            "Creating trace buffers of size 33554432B on MeshDevice 1, but only 0B is allocated for trace region."))[0]
        fix = failure["fixes"][0]
        self.assertEqual((fix["kind"], fix["memory"], fix["enough"]), ("larger_region", "TRACE", True))
        self.assertIn("32.00 MB in all banks together", fix["what"])

    def test_circular_buffers_programs_and_the_host(self):
        self.assertEqual(
            self.verdicts("TT_THROW: Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to",
                          "2000 B which is beyond max L1 size of 1000 B",
                          "Statically allocated dataflow buffers in program 3 clash with L1 buffers on core range "
                          "[0-0 - 7-7]. L1 buffer allocated at 800 and static dataflow buffer region ends at 900",
                          "Program size (7000) too large for kernel config buffer (6000) on TENSIX",
                          "terminate called after throwing an instance of 'std::bad_alloc'"),
            [BEYOND, CLASH, "program_too_large", "host_memory"])

    def test_figures_of_a_clash(self):
        failure = self.explain(self.text(
            "Statically allocated circular buffers in program 3 clash with L1 buffers on core range [(x=0,y=0) - "
            "(x=7,y=7)]. L1 buffer allocated at 800 and static circular buffer region ends at 900"))[0]
        self.assertEqual((failure["limit_bytes"], failure["reached_bytes"], failure["over_bytes"]), (800, 900, 100))
        self.assertEqual(failure["core_range"], "(x=0,y=0) - (x=7,y=7)")
        fix = failure["fixes"][0]
        self.assertEqual((fix["kind"], fix["saves_bytes_per_bank"], fix["enough"]), ("smaller_circular_buffers", 100, True))

    def test_texts_without_free_figures_are_undecided(self):
        self.assertEqual(
            self.verdicts("Not enough space to allocate 1200 B DRAM buffer across 12 banks, where each bank needs to store 100 B",
                          "Out of Memory: Not enough space to allocate 1200 B DRAM buffer across 12 banks, where each bank "
                          "needs to store 100 B, but bank size is only 1000 B"), ["undecided", "undecided"])

    def test_the_figures_of_the_next_message_are_not_taken(self):
        first = self.explain(self.text(
            "Out of Memory: Not enough space to allocate 1200 B DRAM buffer across 12 banks", message(7, 6, 5)))[0]
        self.assertEqual([first["bytes_per_bank"], first["free_bytes_per_bank"]], [None, None])

    def test_broken_quoted_and_tagged_lines(self):
        for before in ("", "E       ", "> ", "2025-10-14T04:33:23.9048735Z ", "[1,3]<stdout>: "):
            with self.subTest(before=before):
                lines = [before + part for part in (
                    "TT_FATAL: Out of Memory: Not enough space to allocate 226,492,416 B",
                    "DRAM buffer across 12 banks, where each bank needs to store 18,874,368 B,",
                    "but bank size is 1,071,821,792 B", "(allocated: 1,046,245,472 B, free: 25,576,320 B,",
                    " largest free block: 17,575,008 B)")]
                failure = self.explain(self.text(*lines))[0]
                self.assertEqual((failure["verdict"], failure["largest_free_bytes_per_bank"]), (FRAGMENTED, 17575008))

    def test_each_print_is_an_entry_and_repetitions_say_so(self):
        text = self.text("2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: " + message(500, 499, 400),
                         "info:", message(500, 499, 400), message(77, 6, 5), "E   " + message(500, 499, 400))
        failures = self.explain(text)
        self.assertEqual([(f["message_line"], f["repeats"]) for f in failures], [(1, None), (3, 0), (4, None), (5, 0)])
        shown = self.check(OK, "oom", text).stdout
        self.assertEqual(shown.count("EXHAUSTED"), 2)
        self.assertIn("3 times: lines 1, 3, 5", shown)

    def test_standard_input(self):
        failures = self.explain("-", input=message(500, 499, 400) + "\n")
        self.assertEqual((failures[0]["verdict"], failures[0]["file"]), (EXHAUSTED, "-"))

    def test_a_size_proves_element_type_and_shape(self):
        failure = self.explain(self.text(
            "Not enough space to allocate 167772160 B DRAM buffer across 12 banks, where each bank needs to store 13983744 B"))[0]
        best = failure["candidates"][0]
        self.assertEqual((sorted(best["shape"]), best["dtype"], best["layout"]), ([4096, 10240], "f32", "tile"))
        self.assertEqual({c["dtype"] for c in failure["candidates"]}, {"f32"})
        rows = self.explain(self.text(
            "Not enough space to allocate 3294625792 B DRAM buffer across 12 banks, where each bank needs to store 274686208 B"))[0]
        self.assertEqual((rows["candidates"][0]["shape"], rows["candidates"][0]["layout"]), ([8192, 201088], "row_major"))

    def test_fragmented_on_a_full_device_says_what_defragmentation_would_give(self):
        shown = self.check(OK, "oom", self.text(message(500, 600, 400, bank=100000))).stdout
        self.assertIn("fragmented and 99.4% full", shown)
        self.assertIn("defragmentation", shown)
        self.assertNotIn("full:", self.check(OK, "oom", self.text(message(500, 60000, 400, bank=100000))).stdout)


class EndTest(OomCase):
    def test_nothing_found_is_4_and_crashes_are_listed(self):
        self.assertEqual(self.verdicts("nothing of interest here", code=NOTHING), [])
        self.assertEqual(self.verdicts("FATAL | Layout mismatch, expected TILE, got ROW_MAJOR",
                                       "DEBUG_ASSERT @ runtime/lib/ttnn/debug/debug_apis.cpp:22", code=NOTHING), ["crashed"])
        self.assertEqual(self.verdicts("RuntimeError: Bad StatusOr access: INTERNAL: Error code: 13", code=NOTHING),
                         ["crashed"])

    def test_a_kill_is_not_said_to_have_nothing_to_do_with_memory(self):
        path = self.text("/bin/bash: line 1: 12345 Killed                  python model.py")
        self.assertEqual([f["verdict"] for f in self.explain(path, code=NOTHING)], ["crashed"])
        said = " ".join(self.check(NOTHING, "oom", path).stdout.split())
        self.assertIn("killed from outside, as the kernel does when the host's memory ends", said)
        self.assertNotIn("no failure of memory", said)

    def test_the_cause_stands_above_the_wrapper(self):
        self.assertEqual(self.verdicts("TT_FATAL @ bank_manager.cpp:439: false", "info:", message(500, 499, 400), "backtrace:",
                                       "RuntimeError: Bad StatusOr access: INTERNAL: Error code: 13"), [EXHAUSTED])

    def test_bad_input_and_usage(self):
        self.check(FAILED, "oom", self.folder / "absent.log")
        self.check(USAGE, "oom")
        self.check(USAGE, "oom", "-", "-")
        self.check(USAGE, "oom", "a", "b", "--html", "page.html")

    def test_a_log_that_is_not_there_does_not_stop_the_others(self):
        one = self.text(message(500, 499, 400), name="one.txt")
        other = self.text("no failure here", name="other.txt")
        result = self.check(FAILED, "oom", one, self.folder / "absent.log", other)
        self.assertIn("EXHAUSTED", result.stdout)
        self.assertIn("absent.log: No such file", result.stderr)
        document = json.loads(self.check(FAILED, "oom", self.folder / "absent.log", one, "-q", "--json", "-").stdout)
        self.assertEqual([entry["verdict"] for entry in document["failures"]], [EXHAUSTED])

    def test_a_text_that_is_cut_says_so(self):
        cut = self.folder / "cut.txt"
        cut.write_text(message(500, 499, 400).split("9 B, largest")[0])
        entry = self.explain(cut)[0]
        self.assertEqual((entry["verdict"], entry["free_bytes_per_bank"], entry["cut"]), ("undecided", None, True))
        self.assertIn("ends inside of a figure", self.check(OK, "oom", cut).stdout)
        lines = log.text(log.program()).splitlines()
        self.assertIn("the log ends inside main", self.check(NOTHING, "oom", self.text(*lines[:-1], name="open.log")).stderr)

    def test_text_with_nothing_but_messages_gives_mem_report_and_page(self):
        text = self.text(message(500, 499, 400))
        shown = self.check(OK, "mem", text).stdout
        self.assertIn("DRAM is full", shown)
        self.assertNotIn("TT_RUNTIME_DEBUG=ON", shown)
        self.assertIn("What to do", shown)
        device = json.loads(self.check(OK, "mem", text, "-q", "--json", "-").stdout)["device"]
        self.assertEqual(device["source"], "failure message")
        self.check(OK, "oom", text, "-q", "--html", "page.html")
        self.assertGreater((self.folder / "page.html").stat().st_size, 10000)

    def test_the_same_failure_is_recognised_elsewhere(self):
        one = self.text(message(500, 499, 400), name="one.txt")
        two = self.text("other", message(500, 300, 20), message(7, 6, 5), name="two.txt")
        document = json.loads(self.check(OK, "oom", one, two, "-q", "--json", "-").stdout)
        self.assertEqual([group["failures"] for group in document["groups"]], [[0, 1], [2]])
        self.assertIn("Same failure", self.check(OK, "oom", one, two).stdout)

    def test_markdown_is_safe_to_paste(self):
        self.check(OK, "oom", self.text(message(500, 499, 400), name="a`b|<i>.txt"), "-q", "--markdown", "packet.md", "--llm",
                   "all.md")
        for name in ("packet.md", "all.md"):
            packet = (self.folder / name).read_text()
            self.assertIn("## exhausted", packet)
            self.assertNotIn("<i>", packet)


class RunTest(OomCase):
    """Failures inside of runs."""

    def run_log(self, *parts):
        return self.file("run.log", *parts)

    def test_the_running_op_is_named_and_its_result(self):
        part = log.STEP_MB * 1048576
        failure = self.explain(self.run_log(
            log.program(), log.runtime_line("Starting execution of program: main"),
            log.op(0, "add", ["%arg0"], log.ROWS, log.COLUMNS, "add.0"),
            log.block("before operation EltwiseBinaryOp", 1.0),
            message(int(part), 1000, 900)))[0]
        self.assertEqual((failure["op"], failure["loc"], failure["moment"]), ("ttnn.add", "add.0", "during_op"))
        best = failure["candidates"][0]
        self.assertEqual((best["shape"], best["dtype"], best["reason"]), ([log.ROWS, log.COLUMNS], "bf16", "result"))
        self.assertEqual(best["source_line"], failure["line"])

    def test_what_grew_from_run_to_run_is_in_every_output(self):
        runs = [log.program(base_mb=1.0 + run * log.STEP_MB) for run in range(4)]
        path = self.run_log(
            *runs, log.runtime_line("Starting execution of program: main"),
            log.op(0, "add", ["%arg0"], log.ROWS, log.COLUMNS, "add.0"),
            log.block("before operation EltwiseBinaryOp", 1.0 + 4 * log.STEP_MB), message(500, 499, 400))
        grew = self.explain(path)[0]["grew"]
        self.assertEqual((grew["runs"], grew["grown_runs"], grew["bytes_per_bank"], grew["confidence"]),
                         (5, 3, 3 * int(log.STEP_MB * 1048576), "measured"))
        self.assertGreater(grew["to_line"], grew["from_line"])
        shown = self.check(OK, "oom", path, "--markdown", "packet.md", "--llm", "all.md").stdout
        for text in (shown, (self.folder / "packet.md").read_text(), (self.folder / "all.md").read_text(),
                     self.check(OK, "mem", path, "--llm", "mem.md").stdout, (self.folder / "mem.md").read_text()):
            self.assertIn("6.00 MB per bank from run 2", " ".join(text.split()))
        self.check(OK, "mem", path, "-q", "--json", "mem.json")
        self.assertEqual(json.loads((self.folder / "mem.json").read_text())["failures"][0]["grew"], grew)

    def test_between_programs_no_op_is_blamed(self):
        failure = self.explain(self.run_log(log.program(), message(500, 499, 400)))[0]
        self.assertEqual((failure["moment"], failure["op"], failure["line"]), ("between_programs", None, None))
        self.assertIn("main", failure["ended_program"])
        self.assertIn("between programs: inputs being moved", self.check(OK, "oom", "run.log").stdout)

    def test_a_cut_run_belongs_to_its_graph(self):
        whole = log.program(ops=("add", "multiply", "exp"))
        failure = self.explain(self.run_log(
            whole, log.program(ops=("sub", "tanh")), whole, log.runtime_line("Starting execution of program: main"),
            log.op(0, "add", ["%arg0"], log.ROWS, log.COLUMNS, "add.0"),
            log.block("before operation EltwiseBinaryOp", 1.0), message(500, 499, 400)))[0]
        self.assertEqual(failure["program"], "main#1, run 3 of 3")

    def test_a_clash_behind_a_full_log_is_no_ok(self):
        path = self.run_log(log.program(), "TT_THROW: Statically allocated circular buffers in program 3 clash with L1 buffers "
                            "on core range [(x=0,y=0) - (x=7,y=7)]. L1 buffer allocated at 800 and static circular buffer "
                            "region ends at 900")
        done = self.check(OK, "mem", path, "--json", "mem.json")
        self.assertIn("clash", done.stdout.lower())
        self.assertNotIn("inputs being moved", done.stdout)
        document = json.loads((self.folder / "mem.json").read_text())
        self.assertEqual(document["failures"][0]["verdict"], CLASH)
        self.assertEqual(document["verdict"]["outcome"], "out_of_memory")


class GeneratedTest(OomCase):
    """Runs that the generator stops by each kind of failure, against its truth."""

    KINDS = {"exhausted": ("exhausted", ""), "fragmented": ("fragmented", ""), "l1": ("exhausted", ""),
             "too-large": ("larger_than_device", "--hidden 64 --sequence 2048 --layers 1 --runs 1"),
             "region": ("region_missing", ""), "cb-exceeds": (BEYOND, ""), "cb-clash": (CLASH, "")}

    def test_tensor_op_and_live_set_are_the_true_ones(self):
        for kind, (verdict, sizes) in self.KINDS.items():
            for device in ("wormhole", "blackhole"):
                with self.subTest(kind=kind, device=device):
                    made, truth_path = self.folder / "made.log", self.folder / "made.json"
                    subprocess.run([BUILD / "ttscope-gen-log", "--fail", kind, "--runs", "2", *sizes.split(), "--device", device,
                                    "-o", made, "--truth", truth_path], check=True, capture_output=True)
                    self.compare(self.explain(made), verdict, json.loads(truth_path.read_text())["ranks"][0])

    def test_of_results_that_are_alike_the_one_that_failed_is_named(self):
        # The op splits into query, key and value, of which key and value are alike; outputs of earlier runs, small as the
        # rounding of the log, stay.
        for sizes in ("--compact --runs 4 --seed 2", "--compact --sequence 256 --program-level"):
            for device in ("wormhole", "blackhole"):
                with self.subTest(sizes=sizes, device=device):
                    made, truth_path = self.folder / "made.log", self.folder / "made.json"
                    subprocess.run([BUILD / "ttscope-gen-log", "--fail", "exhausted", *sizes.split(), "--device", device,
                                    "-o", made, "--truth", truth_path], check=True, capture_output=True)
                    truth = json.loads(truth_path.read_text())["ranks"][0]
                    self.assertIn("value", truth["summary"]["oom"]["result"])
                    self.compare(self.explain(made), "exhausted", truth)

    def compare(self, failures, verdict, truth):
        failure, oom = failures[0], truth["summary"]["oom"]
        op = truth["ops"][oom["op_index"]]
        self.assertEqual([f["verdict"] for f in failures], [verdict, verdict])
        self.assertEqual(failures[1]["repeats"], 0)
        self.assertEqual((failure["op"], failure["line"]), (oom["op"], op["line"]))
        if oom["result"]:
            result = next(r for r in op["results"] if r["name"] == oom["result"])
            best = failure["candidates"][0]
            self.assertEqual((best["shape"], best["dtype"], best["name"]),
                             (result["shape"], result["dtype"], oom["result"]))
            self.assertEqual([h for h in failure["holders"] if h["kind"] == "unaccounted"], [])
        # Results that the failing op itself had got already are in no list of ours: it never ended.
        own = {(r["name"], r["per_bank_bytes"]) for r in op["results"]}
        live = [t for t in oom["live"] if not (t["instance"] == op["instance"] and (t["name"], t["bytes_per_bank"]) in own)]
        self.assertEqual(sorted(t["bytes_per_bank"] for t in failure["live_tensors"]),
                         sorted(t["bytes_per_bank"] for t in live))


@unittest.skipUnless(SHARED, "TTSCOPE_SHARED_DIR is not set")
class SharedTest(OomCase):
    def test_every_real_text(self):
        for name, expected in EXPECTED.items():
            with self.subTest(text=name):
                folder = "phase-logs" if name == "oom_messages.txt" else "oom"
                failures = self.explain(pathlib.Path(SHARED, "data", folder, name), code=OK if expected else NOTHING)
                self.assertEqual([f["verdict"] for f in failures if f["verdict"] != "crashed"], expected)

    def test_every_quoted_report(self):
        failures = self.explain(pathlib.Path(SHARED, "data/oom/remediation_excerpts.txt"))
        expected = {line: verdict for verdict, lines in REPORTS.items() for line in lines}
        self.assertEqual({f["message_line"]: f["verdict"] for f in failures if f["verdict"] != "crashed"}, expected)

    def test_no_text_is_forgotten(self):
        names = {path.name for path in pathlib.Path(SHARED, "data/oom").iterdir()} - {"remediation_excerpts.txt"}
        self.assertEqual(names, set(EXPECTED) - {"oom_messages.txt"})

    def test_real_crashed_logs(self):
        logs = pathlib.Path(SHARED, "data/runtime-logs")
        vision = self.explain(logs / "qwen_vision_l1_2026-04-23_18-01-03.log")
        self.assertEqual({f["verdict"] for f in vision}, {BEYOND})
        taps = self.explain(logs / "qwen_bw_taps_2026-01-28_22-13-14.log", code=NOTHING)
        self.assertEqual([f["verdict"] for f in taps], ["crashed"])
        self.assertIn("single buffer from host storage", taps[0]["message"])

    def test_injected_failures(self):
        for source, allocation, repeat in (("llama_memory_2026-03-13_22-31-28.log", 13, 1),
                                           ("llama_memory_2026-03-13_22-31-28.log", 40, 3),
                                           ("where_op_corruption.log_2026-04-27_18-42-04.log", 100, 1),
                                           ("jona_shard_log_2025-08-21_16-07-09.log", 2, 1)):
            with self.subTest(log=source, allocation=allocation):
                made, truth_path = self.folder / "made.log", self.folder / "made.json"
                subprocess.run([sys.executable, pathlib.Path(SHARED, "tools/inject_memory.py"),
                                pathlib.Path(SHARED, "data/runtime-logs", source), "-o", made, "--truth", truth_path,
                                "--oom-at", str(allocation), "--repeat", str(repeat)], check=True, capture_output=True)
                truth = json.loads(truth_path.read_text())["ranks"][0]
                self.compare(self.explain(made)[0], truth)

    def compare(self, failure, truth):
        oom = truth["summary"]["oom"]
        op = truth["ops"][oom["op_index"]]
        result = next(r for r in op["results"] if r["name"] == oom["result"])
        self.assertEqual(failure["verdict"], {"never fits": "larger_than_bank"}.get(oom["reason"], oom["reason"]))
        self.assertEqual((failure["op"], failure["line"]), (oom["op"], op["line"]))
        best = failure["candidates"][0]
        self.assertEqual((best["shape"], best["dtype"], best["name"]), (result["shape"], result["dtype"], oom["result"]))
        self.assertEqual(failure["allocated_bytes_per_bank"], oom["allocated"])
        if oom["op"] == "ttnn.to_device":  # in const-eval: made of the weight that it was called with
            self.assertIsNotNone(best["origin"])
        # The live set is whole: nothing that is allocated is left unexplained, nothing is counted twice.
        self.assertEqual([h for h in failure["holders"] if h["kind"] == "unaccounted"], [])


if __name__ == "__main__":
    unittest.main()
