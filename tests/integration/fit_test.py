#!/usr/bin/env python3
"""`ttscope fit`: the replay against what runs printed, and what-ifs against runs that were changed.

Generated logs come with exact truth (ttscope-gen-log). Logs with real op lines and simulated states are in
TTSCOPE_SHARED_DIR (data/injected); without it those tests are skipped.
"""
import glob
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from cli_case import CliTest  # noqa: E402
from program_case import BUILD, FAILED, HAS_SIMULATOR, LIMIT, NOTHING, OK, SOURCE, USAGE  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
SCHEMA = SOURCE / "docs/formats/fit.schema.json"
L1_BYTES = 1329888


class FitCase(CliTest):
    def generate(self, *options, name="made.log"):
        """A log and its truth; nothing when the weights alone do not fit."""
        log, truth = self.folder / name, self.folder / (name + ".json")
        made = subprocess.run([str(BUILD / "ttscope-gen-log"), *map(str, options), "-o", str(log), "--truth", str(truth)],
                              capture_output=True, text=True, timeout=120)
        if made.returncode != 0:
            return None, None
        return log, json.loads(truth.read_text())

    def fit(self, log, *options, code=(OK, LIMIT)):
        done = self.run_program("fit", log, "-q", "--json", "-", *options)
        self.assertIn(done.returncode, (code,) if isinstance(code, int) else code, done.stderr[-500:])
        document = json.loads(done.stdout)
        if jsonschema is not None:
            errors = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).iter_errors(document)
            self.assertEqual([f"{list(e.path)}: {e.message[:200]}" for e in errors][:5], [])
        self.assertEqual(document["fits"], done.returncode == OK)
        for device in document["devices"]:
            if device["so_far"]:
                self.assertTrue(device["fits"])
            self.assertEqual(device["fits"], device["failure"] is None)
            for use in device["memories"]:
                if use["peak_bytes_per_bank"] is None:
                    self.assertIsNone(use["headroom_bytes_per_bank"])
                    continue
                self.assertEqual(use["peak_bytes_per_bank"] + use["headroom_bytes_per_bank"], use["bank_bytes"])
        return document


def peak(truth, memory="DRAM"):
    return max(rank["summary"]["peak"][memory]["after_op_bytes_per_bank"] for rank in truth["ranks"])


def peak_of(device, memory="DRAM"):
    return next(use for use in device["memories"] if use["memory"] == memory)["peak_bytes_per_bank"]


class ReplayTest(FitCase):
    def check_agreement(self, document, share=1.0):
        replay = document["replay"]
        self.assertGreater(replay["states"], 0)
        self.assertEqual(replay["allocated_equal"], replay["states"])
        self.assertGreaterEqual(replay["largest_free_equal"], share * replay["states"], replay["misses"][:3])

    def test_generated_runs_are_replayed_block_by_block(self):
        for options in ([], ["--ranks", 3], ["--keep-live", "--runs", 4], ["--program-level"], ["--no-modules"],
                        ["--device", "blackhole", "--runs", 4], ["--compact", "--crlf", "--batch", 3],
                        ["--sequence", 200, "--hidden", 1024], ["--oom"]):
            with self.subTest(options=options):
                log, truth = self.generate(*options)
                document = self.fit(log)
                self.check_agreement(document)
                self.assertEqual(document["replay"]["corrections"], 0)
                device = document["devices"][0]
                if not truth["ranks"][0]["summary"]["oom"]:
                    self.assertEqual(device["peak_bytes_per_bank"], peak(truth))
                    self.assertEqual(peak_of(device, "L1"), peak(truth, "L1"))

    def test_failures_are_those_of_the_run(self):
        for kind in ("exhausted", "fragmented", "l1"):
            with self.subTest(kind=kind):
                log, truth = self.generate("--fail", kind, "--hidden", 256)
                document = self.fit(log, code=LIMIT)
                self.check_agreement(document)
                failure, oom = document["devices"][0]["failure"], truth["ranks"][0]["summary"]["oom"]
                self.assertEqual((failure["op_index"], failure["op"], failure["memory"]),
                                 (oom["op_index"], oom["op"], oom["memory"]))
                self.assertEqual((failure["bytes_per_bank"], failure["largest_free_bytes_per_bank"], failure["free_bytes_per_bank"]),
                                 (oom["requested_per_bank"], oom["largest"], oom["free"]))
                self.assertEqual(failure["basis"], "measured")
        for kind in ("region", "cb-exceeds", "cb-clash"):
            log, _ = self.generate("--fail", kind, "--hidden", 256)
            self.fit(log, code=LIMIT)
            if kind != "region":
                self.assertEqual(self.fit(log, "--weights", "bfp4")["devices"][0]["failure"]["shortage"], "circular_buffers")

    @unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no injected logs here")
    def test_real_op_lines_with_simulated_states(self):
        logs = sorted(glob.glob(f"{SHARED}/data/injected/*_profile.log"))
        self.assertTrue(logs)
        for log in logs:
            with self.subTest(log=os.path.basename(log)):
                truth = json.loads(pathlib.Path(log.replace("_profile.log", ".truth.json")).read_text())
                document = self.fit(log)
                self.check_agreement(document, 0.95)
                device, oom = document["devices"][0], truth["ranks"][0]["summary"]["oom"]
                if oom:
                    self.assertEqual((device["failure"]["op_index"], device["failure"]["largest_free_bytes_per_bank"]),
                                     (oom["op_index"], oom["largest"]))
                    self.assertIn("made of L__self___model_embed_tokens.weight", device["failure"]["tensor"])
                else:
                    self.assertEqual((device["peak_bytes_per_bank"], peak_of(device, "L1")), (peak(truth), peak(truth, "L1")))


class ChangedRunTest(FitCase):
    """A recorded run with a change has to be what the changed run does."""

    def test_less_dram_fails_where_the_run_with_less_dram_does(self):
        dice, checked, failed = random.Random(11), 0, 0
        shapes = (["--hidden", 256], ["--hidden", 256, "--sequence", 300], ["--compact", "--batch", 4, "--sequence", 64],
                  ["--hidden", 512, "--layers", 3], ["--compact", "--hidden", 1024, "--runs", 2])
        for shape in shapes:
            log, truth = self.generate(*shape, "--no-modules")
            need = peak(truth)
            for _ in range(8):
                bank = dice.randrange(need * 9 // 10, need + need // 20) // 32 * 32
                cut, cut_truth = self.generate(*shape, "--dram", bank, name="cut.log")
                if cut is None:
                    continue
                asked = f"custom:DRAM=12x{bank}B,L1=64x{L1_BYTES}B"
                device = self.fit(log, "--device", asked)["devices"][0]
                oom = cut_truth["ranks"][0]["summary"]["oom"]
                with self.subTest(shape=shape, bank=bank):
                    self.assertEqual(device["fits"], oom is None)
                    if oom:
                        self.assertEqual(
                            tuple(device["failure"][key] for key in
                                  ("op_index", "bytes_per_bank", "free_bytes_per_bank", "largest_free_bytes_per_bank")),
                            (oom["op_index"], oom["requested_per_bank"], oom["free"], oom["largest"]))
                checked, failed = checked + 1, failed + bool(oom)
        self.assertGreater(checked, 20)
        self.assertTrue(5 < failed < checked, (failed, checked))

    def test_another_device(self):
        for here, there, name in (("wormhole", "blackhole", "p150"), ("blackhole", "wormhole", "n150")):
            _, truth = self.generate("--device", there, "--sequence", 100)
            log, _ = self.generate("--device", here, "--sequence", 100)
            device = self.fit(log, "--device", name)["devices"][0]
            self.assertEqual((device["peak_bytes_per_bank"], peak_of(device, "L1")), (peak(truth), peak(truth, "L1")))

    def test_batch_and_sequence(self):
        for (batch, length), (other_batch, other_length) in (((1, 32), (4, 32)), ((4, 256), (1, 256)), ((3, 100), (5, 100)),
                                                             ((2, 64), (4, 128)), ((2, 64), (8, 512)), ((1, 32), (1, 96))):
            _, truth = self.generate("--compact", "--batch", other_batch, "--sequence", other_length)
            log, _ = self.generate("--compact", "--batch", batch, "--sequence", length)
            options = ["--batch", other_batch] if batch != other_batch else []
            options += ["--sequence", other_length] if length != other_length else []
            document = self.fit(log, *options)
            self.assertEqual(document["devices"][0]["peak_bytes_per_bank"], peak(truth), (batch, length, options))
            self.assertEqual(document["devices"][0]["basis"], "estimated")

    def test_sequences_of_the_whole_model(self):
        """Longer and shorter ones, where caches stay: DRAM and, interleaved or in shards, L1."""
        for here, there in ((32, 64), (32, 1024), (100, 512), (100, 200), (96, 128)):
            _, truth = self.generate("--sequence", there)
            log, _ = self.generate("--sequence", here)
            device = self.fit(log, "--sequence", there)["devices"][0]
            self.assertEqual((device["peak_bytes_per_bank"], peak_of(device, "L1")), (peak(truth), peak(truth, "L1")), (here, there))

    def test_a_sequence_that_does_not_come_out_exact_says_why(self):
        for here, there, why in ((200, 32, "caches_kept"), (64, 200, "sequence_is_width")):
            _, truth = self.generate("--sequence", there)
            log, _ = self.generate("--sequence", here)
            document = self.fit(log, "--sequence", there)
            self.assertIn(why, [one["what"] for one in document["leaves_out"]])
            self.assertAlmostEqual(document["devices"][0]["peak_bytes_per_bank"] / peak(truth), 1, delta=0.01)

    def test_the_largest_batch_is_the_last_whose_run_fits(self):
        log, truth = self.generate("--compact", "--batch", 2, "--sequence", 64)
        bank = peak(truth) * 5 // 4 // 32 * 32
        asked = f"custom:DRAM=12x{bank}B,L1=64x{L1_BYTES}B"
        largest = self.fit(log, "--device", asked, "--max", "batch")["maximum"]["largest"]
        for batch, fits in ((largest, True), (largest + 1, False)):
            _, truth = self.generate("--compact", "--batch", batch, "--sequence", 64, "--dram", bank, name="b.log")
            self.assertEqual(truth["ranks"][0]["summary"]["oom"] is None if truth else False, fits, batch)


class UseTest(FitCase):
    def test_runs_that_ended_early_fit_so_far(self):
        log, _ = self.generate("--compact")
        self.assertIsNone(self.fit(log, code=OK)["so_far"])
        cut = self.folder / "cut.log"
        lines = log.read_text(errors="replace").splitlines(keepends=True)
        last = max(i for i, line in enumerate(lines) if "Executing operation" in line)
        cut.write_text("".join(lines[:last + 1]))
        document = self.fit(cut, code=OK)
        self.assertEqual((document["so_far"], document["devices"][0]["so_far"]), ("after_cut", "after_cut"))
        self.assertIn("FITS SO FAR", self.check(OK, "fit", cut).stdout)
        failed, _ = self.generate("--fail", "exhausted", "--hidden", 256)
        self.assertIsNone(self.fit(failed, code=LIMIT)["so_far"])
        self.assertEqual(self.fit(failed, "--device", "p150", code=OK)["so_far"], "after_failure")

    def test_files_that_are_no_ranks_of_one_run_are_refused(self):
        log, _ = self.generate("--compact", name="a.log")
        other, _ = self.generate("--compact", "--device", "blackhole", name="b.log")
        self.assertIn("not ranks of one run", self.check(FAILED, "fit", log, other).stderr)
        same, _ = self.generate("--compact", "--seed", 7, name="c.log")
        self.assertIn("2 files taken as ranks of one run", self.check(OK, "fit", log, same).stdout)
        self.assertEqual(self.fit(log)["ranks"], 1)

    def test_terminal_markdown_and_pipes(self):
        log, _ = self.generate("--compact")
        text = self.check(OK, "fit", log).stdout
        self.assertTrue(text.lstrip().startswith("replay"))
        self.assertIn("FITS", text)
        self.assertNotIn("\x1b", text)
        self.assertIn("| n150 | yes |", self.check(OK, "fit", log, "--device", "all", "--llm", "-").stdout)
        self.assertIn("DOES NOT FIT", self.check(LIMIT, "fit", log, "--device", "custom:DRAM=12x64KB,L1=64x1MB").stdout)
        self.assertIn("FITS", self.check(OK, "fit", "-", input=log.read_text(errors="replace")).stdout)
        subprocess.run(["gzip", "-k", str(log)], check=True)
        self.check(OK, "fit", f"{log}.gz")

    def test_search_names_a_change_that_fits_when_applied(self):
        log, truth = self.generate("--hidden", 512)
        asked = f"custom:DRAM=12x{peak(truth) * 7 // 10}B,L1=64x{L1_BYTES}B"
        search = self.fit(log, "--device", asked, "--search", code=LIMIT)["search"]
        self.assertIsNotNone(search["answer"])
        options = []
        for change in search["attempts"][search["answer"]]["changes"]:
            options += [change["option"]] + ([change["value"]] if change["value"] else [])
        self.fit(log, "--device", asked, *options, code=OK)

    def test_a_change_lets_a_failed_run_fit_so_far_alone(self):
        failed, _ = self.generate("--fail", "exhausted", "--hidden", 256)
        said = " ".join(self.check(LIMIT, "fit", failed, "--search").stdout.split())
        self.assertRegex(said, r"makes it fit on \w+, up to where the run ended: ")
        self.assertIn("what the run would have needed after the failure", said)
        self.assertNotIn("so far", " ".join(self.check(LIMIT, "fit", failed).stdout.split()).lower())

    def test_wrong_usage_says_what_is_right(self):
        log, _ = self.generate("--compact")
        for options, words in ((["--device", "n105"], "did you mean n150?"), (["--batch", "0"], "--batch 4:8"),
                               (["--weights", "fp8"], "bfp8"), (["--tp", "0"], "at least 1"),
                               (["--device", "custom:DRAM=1"], "custom:DRAM=12x1024MB"), (["--max", "layers"], "batch"),
                               (["--row-major", ","], "--row-major needs"), (["--serch"], "did you mean --search?")):
            self.assertIn(words, self.check(USAGE, "fit", log, *options).stderr)
        for options, words in ((["--row-major", "nowhere"], "no tensor on the device is called nowhere"),
                               (["--recompute"], "training config"), (["--optimizer", "sgd"], "training config")):
            self.assertIn(words, self.check(FAILED, "fit", log, *options).stderr)

    def test_processes_of_one_log_do_not_hold_memory_together(self):
        sizes = {"small": (), "large": ("--hidden", 1024, "--layers", 4)}
        made = {name: self.generate("--runs", 2, "--dram", 16000000, *options, name=f"{name}.log")[0]
                for name, options in sizes.items()}
        peaks = {name: peak_of(self.fit(log)["devices"][0]) for name, log in made.items()}
        for first, second in (("small", "large"), ("large", "small")):
            both = self.folder / f"{first}_{second}.log"
            both.write_bytes(made[first].read_bytes() + made[second].read_bytes())
            document = self.fit(both)
            self.assertEqual(document["replay"]["allocated_equal"], document["replay"]["states"], both)
            self.assertEqual(peak_of(document["devices"][0]), max(peaks.values()), both)

    def test_a_request_that_its_message_has_room_for_is_a_whole_sentence(self):
        path = self.folder / "text.log"
        path.write_text("TT_FATAL: Out of Memory: Not enough space to allocate 805306368 B DRAM buffer across 12 banks, where "
                        "each bank needs to store 67110912 B, but bank size is 1073741792 B (allocated: 873741792 B, free: "
                        "200000000 B, largest free block: 130000000 B)\n")
        self.assertNotIn(", ;", " ".join(self.check(LIMIT, "fit", path).stdout.split()))

    def test_a_message_about_l1_alone_tells_nothing_of_dram(self):
        clash = self.folder / "clash.txt"
        clash.write_text("Statically allocated circular buffers in program 23 clash with L1 buffers on core range "
                         "[(x=0,y=0) - (x=7,y=6)]. L1 buffer allocated at 265216 and static circular buffer region ends at 356448\n")
        for options in ((), ("--device", "n150,p150")):
            document = self.fit(clash, *options, code=LIMIT)
            for device in document["devices"]:
                self.assertIsNone(device["peak_bytes_per_bank"])
                self.assertIsNone(device["headroom_bytes_per_bank"])
        self.assertIn("not told", self.run_program("fit", clash, "--llm", "-").stdout)

    def test_captures_and_configs_come_through_pipes_and_kinds_are_not_mixed(self):
        capture = SOURCE / "examples/sample_graph.json"
        config = self.folder / "c.yaml"
        config.write_text("transformer_config:\n  model_type: gpt2\n  num_blocks: 1\n")
        log, _ = self.generate("--hidden", 256, name="kinds.log")
        for path, kind in ((capture, "graph capture"), (config, "training config"), (log, "runtime log")):
            if path == config and not HAS_SIMULATOR:
                continue
            piped = subprocess.run([str(BUILD / "ttscope"), "fit", "-", "-q", "--json", "-"], input=path.read_bytes(),
                                   capture_output=True, timeout=60)
            self.assertIn(piped.returncode, (OK, LIMIT), piped.stderr)
            self.assertEqual(json.loads(piped.stdout)["input_kind"], kind)
            for other in (capture, config, log):
                if other != path:
                    done = self.run_program("fit", path, other)
                    self.assertEqual(done.returncode, FAILED)
                    self.assertIn("ask about each of them by itself", done.stderr)
            missing = self.run_program("fit", path, self.folder / "missing.yaml")
            self.assertEqual(missing.returncode, FAILED)
            self.assertIn("No such file", missing.stderr, "it was called a log")

    @unittest.skipIf(HAS_SIMULATOR, "the simulator is here")
    def test_a_build_without_the_simulator_says_so(self):
        config = self.folder / "c.yaml"
        config.write_text("training_config:\n  batch_size: 4\n")
        for command, code in ((("fit", config), FAILED), (("trace", "true"), 125), (("trace", "--env"), 125)):
            done = self.run_program(*command)
            self.assertEqual((done.returncode, done.stdout), (code, ""), command)
            self.assertIn("this build of ttscope lacks the simulator", done.stderr)

    def test_what_is_no_log(self):
        self.check(FAILED, "fit", self.folder / "absent.log")
        self.check(NOTHING, "fit", self.file("nothing.log", ["hello"]))

    def test_a_compiled_module_is_placed_without_a_run(self):
        module = SOURCE / "tests/golden/module_sample/input.mlir"
        document = self.fit(module, "--device", "n150,custom:DRAM=12x16KB,L1=64x1MB")
        self.assertEqual((document["input_kind"], document["replay"]), ("module", None))
        profile = json.loads(self.check(OK, "mem", module, "--device", "n150", "-q", "--json", "-").stdout)
        fitting, small = document["devices"]
        self.assertEqual(fitting["peak_bytes_per_bank"], profile["memory"]["DRAM"]["peak"]["bytes_per_bank"])
        self.assertEqual(fitting["basis"], "replayed")
        self.assertFalse(small["fits"])
        self.assertEqual(small["failure"]["memory"], "DRAM")

    def test_cut_and_damaged_logs_give_an_answer(self):
        log, _ = self.generate("--compact", "--ranks", 2)
        data = log.read_bytes()
        dice = random.Random(5)
        for _ in range(12):
            part = bytearray(data[:dice.randrange(len(data))])
            for _ in range(dice.randrange(40) if part else 0):
                part[dice.randrange(len(part))] = dice.randrange(256)
            path = self.folder / "cut.log"
            path.write_bytes(part)
            done = self.run_program("fit", path, "-q", "--device", "all", "--batch", "1:7", "--weights", "bfp8", "--search")
            self.assertIn(done.returncode, (OK, FAILED, LIMIT, NOTHING), done.stderr[-300:])


if __name__ == "__main__":
    unittest.main()
