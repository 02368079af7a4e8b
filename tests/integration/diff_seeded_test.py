#!/usr/bin/env python3
"""`ttscope diff` on made reports: seeded changes are found with their cause and cost, and noise is no change."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import OK, SOURCE, ProgramCase  # noqa: E402

DIFFERENT = 3
SEEDS = (1, 2, 3)
# The change of the generator, and what it must be called.
KINDS = {"slow": ("time", ""), "insert": ("added", ""), "remove": ("removed", ""), "remove-layer": ("removed", ""), "move": ("moved", ""),
         "replace": ("replaced", ""), "dtype": ("cause", "dtype"), "cores": ("cause", "cores"), "fidelity": ("cause", "fidelity"),
         "buffer": ("cause", "buffer_type"), "sharding": ("cause", "sharding"), "miss": ("cause", "program_cache"), "batch": ("cause", "shape"), "clock": ("cause", "clock")}


class Seeded(ProgramCase):
    def make(self, *options):
        """Both reports, and the truth."""
        paths = [self.folder / name for name in ("before.csv", "after.csv", "truth.json")]
        subprocess.run([sys.executable, str(SOURCE / "tools/make_op_runs.py"), *map(str, (*options, *paths))], check=True)
        return (*paths[:2], json.loads(paths[2].read_text()))

    def compare(self, code, before, after):
        document = json.loads(self.check(code, "diff", before, after, "--json", "-").stdout)
        totals = {total["name"]: total for total in document["totals"]}
        change = totals["device"]["change"]
        self.assertAlmostEqual(sum(op["change"] for op in document["ops"]), change, places=3)
        self.assertAlmostEqual(sum(one["change"] for one in document["changes"]) + document["noise"]["left_over"], change, places=3)
        return document, totals

    def test_each_kind_of_change_is_found_with_its_cause_its_rows_and_its_cost(self):
        for change, (kind, cause) in KINDS.items():
            for seed in SEEDS:
                with self.subTest(change=change, seed=seed):
                    before, after, truth = self.make("--change", change, "--seed", seed, "--locations")
                    document, _ = self.compare(DIFFERENT, before, after)
                    changes, ops = document["changes"], document["ops"]
                    self.assertEqual({(one["kind"], one["cause"]) for one in changes}, {(kind, cause)})
                    for side in ("before", "after"):
                        rows = sorted(ops[i][f"{side}_row"] for one in changes for i in one["ops"] if ops[i][f"{side}_row"])
                        self.assertEqual(rows, truth[f"{side}_rows"])
                    # Each row has noise of one percent on both sides.
                    cost = sum(one["change"] for one in changes)
                    involved = sum((ops[i]["before"] or 0) + (ops[i]["after"] or 0) for one in changes for i in one["ops"])
                    self.assertAlmostEqual(cost, truth["cost_us"], delta=0.03 * involved + 0.01)

    def test_noise_is_no_difference_in_a_hundred_seeds(self):
        for seed in range(100):
            before, after, _ = self.make("--seed", 1000 + seed, *(("--layers", 2) if seed % 2 else ()))
            self.check(OK, "diff", before, after, "-q")

    def test_gaps_that_grew_are_a_difference_of_the_wall(self):
        before, after, _ = self.make("--change", "gap", "--gap-us", 200)
        document, totals = self.compare(DIFFERENT, before, after)
        self.assertEqual(document["changes"], [])
        self.assertAlmostEqual(totals["gaps"]["change"], 200, delta=60)
        self.assertEqual([[cause["name"] for cause in op["causes"]] for op in document["ops"] if op["causes"]], [["gap"]])
        said = self.check(DIFFERENT, "diff", before, after).stdout
        self.assertIn("worse: ", said)
        self.assertIn("gaps and waiting changed, not only ops", " ".join(said.split()))
        self.assertRegex(said, r"\(gaps between ops\) .*\+1[5-9]\d")

    def test_windows_of_another_number_of_replays_are_compared_by_one_replay(self):
        before, after, _ = self.make("--replays-before", 4, "--replays-after", 2)
        document, totals = self.compare(OK, before, after)
        self.assertEqual([one["kind"] for one in document["cautions"]], ["replays"])
        self.assertIn("one of each is compared, their mean", document["cautions"][0]["text"])
        self.assertEqual(document["noise"]["from"], "repeats")
        self.assertLess(totals["device"]["before"], 5000, "of one replay")
        self.assertLess(totals["wall"]["before"], 5000)
        before, after, truth = self.make("--replays-before", 3, "--replays-after", 1, "--change", "cores")
        document, _ = self.compare(DIFFERENT, before, after)
        self.assertEqual([one["cause"] for one in document["changes"]], ["cores"])
        self.assertAlmostEqual(document["changes"][0]["change"], truth["cost_us"], delta=40)

    def test_equal_numbers_of_replays_are_compared_as_they_are(self):
        before, after, _ = self.make("--replays-before", 2, "--replays-after", 2)
        document, totals = self.compare(OK, before, after)
        self.assertEqual(document["cautions"], [])
        self.assertGreater(totals["device"]["before"], 8000, "of both")

    def test_the_device_that_became_slow_is_named(self):
        paths = [self.folder / name for name in ("all.csv", "slow.csv")]
        for path, options in zip(paths, ((), ("--slow-device", "2", "--slow-factor", "4"))):
            subprocess.run([sys.executable, str(SOURCE / "tools/make_device_run.py"), *options, str(path), str(path) + ".json"], check=True)
        document, _ = self.compare(DIFFERENT, *paths)
        self.assertEqual({document["ops"][i]["device"] for i in document["changes"][0]["ops"]}, {2})
        changed = [one["name"] for one in document["devices"] if abs(one["change"]) > 1e-6]
        self.assertEqual(changed, ["device 2"])
        self.assertIn(", on device 2", self.check(DIFFERENT, "diff", *paths).stdout)

    def test_another_device_being_the_slowest_moves_no_op(self):
        """The table of an op's devices stands where the slowest one lists it: noise had moved ops, in blocks by device above all."""
        head = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
        paths = [self.folder / name for name in ("one.csv", "two.csv")]
        for path, slow in zip(paths, (0, 1)):
            rows = []
            for number in range(12):
                for device in (0, 1):
                    ns = 10000 + (100 if device == (slow + number) % 2 else 0)
                    rows.append((device, f"Op{number},tt_dnn_device,{1024 * number + device},{device},64,{ns},{ns}\n"))
            path.write_text(head + "".join(text for _, text in sorted(rows, key=lambda row: row[0])))
        document, _ = self.compare(OK, *paths)
        self.assertEqual({op["kind"] for op in document["ops"]}, {"same"})

    def test_runs_of_other_things_are_said_to_be_strangers(self):
        before, _, _ = self.make()
        other = self.folder / "other.csv"
        text = before.read_text()
        for op in ("Matmul", "LayerNorm", "SDPA", "Unary", "Binary", "NLPCreateHeads", "Embeddings"):
            text = text.replace(f"\n{op}", f"\nOther{op}")
        other.write_text(text)
        document, _ = self.compare(DIFFERENT, before, other)
        self.assertIn("strangers", [one["kind"] for one in document["cautions"]])
        self.assertIn("hardly comparable", self.check(DIFFERENT, "diff", before, other).stdout)

    def test_empty_windows_are_no_equal_runs(self):
        head = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
        before, _, _ = self.make()
        empty = self.folder / "empty.csv"
        empty.write_text(head + "start,signpost,,,,,\nAdd,tt_dnn_device,1,0,64,,\n")
        for pair in ((empty, empty), (before, empty), (empty, before)):
            self.assertIn("empty.csv: nothing to compare", self.check(4, "diff", *pair).stderr)

    def test_a_window_that_falls_back_is_said_before_any_figure(self):
        head = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
        op = "Add,tt_dnn_device,1,0,64,1000,900\n"
        paths = [self.folder / name for name in ("plain.csv", "behind.csv")]
        for path, text in zip(paths, (op, op + "start,signpost,,,,,\nstop,signpost,,,,,\n")):
            path.write_text(head + text)
        document, _ = self.compare(OK, *paths)
        self.assertEqual([(one["name"], one["after"]) for one in document["cautions"]], [("window", "what stands before the signposts")])

    def test_tables_fit_terminals_of_sixty_columns(self):
        before, after, _ = self.make("--change", "cores")
        for columns in (60, 80, 120):
            said = self.check(DIFFERENT, "diff", before, after, env={"COLUMNS": str(columns)}).stdout
            self.assertLessEqual(max(map(len, said.splitlines())), columns)


if __name__ == "__main__":
    sys.exit(unittest.main())
