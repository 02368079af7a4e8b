#!/usr/bin/env python3
"""`ttscope diff`: two runs of device time, a real pair with checked sums among them."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import OK, SOURCE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
DIFFERENT = 3


class Diff(ProgramCase):
    def compare(self, code, before, after):
        import jsonschema
        document = json.loads(self.check(code, "diff", before, after, "--json", "-").stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/formats/diff.schema.json").read_text()))
        totals = {total["name"]: total for total in document["totals"]}
        self.assertAlmostEqual(sum(op["change"] for op in document["ops"]), totals["device"]["change"], places=3)
        for sums in ("categories", "movement", "classes", "placements", "layers"):
            self.assertAlmostEqual(sum(one["change"] for one in document[sums]), totals["device"]["change"], places=3)
        return document, totals

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_a_real_pair_is_explained_as_it_was_by_hand(self):
        folder = pathlib.Path(SHARED) / "data/perf-pairs/gemma-4-31b-sliding-prefill-fusing"
        for ending in (".csv", ".perf_report.csv"):
            document, totals = self.compare(DIFFERENT, folder / f"before{ending}", folder / f"after{ending}")
            self.assertAlmostEqual(totals["device"]["before"], 3521.305, places=2)
            self.assertAlmostEqual(totals["device"]["after"], 3426.812, places=2)
            self.assertAlmostEqual(totals["gaps"]["change"], 7.262, places=2)
            largest = document["changes"][0]
            self.assertAlmostEqual(largest["change"], -47.484, places=2)
            self.assertEqual(len(largest["ops"]), 7)
            gone = [op for op in document["ops"] if op["kind"] == "removed"]
            self.assertTrue(any("Unary" in op["op"] and abs(op["change"] + 30.715) < 0.01 for op in gone), gone)
            fidelity = [op for op in document["ops"] if any(cause["name"] == "fidelity" for cause in op["causes"])]
            self.assertEqual(len(fidelity), 1, ending)
            self.assertAlmostEqual(fidelity[0]["change"], -6.203, places=2)

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_a_run_and_itself_are_the_same(self):
        for path in sorted((pathlib.Path(SHARED) / "data/perf/ops-reports").glob("*.csv"))[:6]:
            document, _ = self.compare(OK, path, path)
            self.assertFalse(document["different"])
            self.assertTrue(all(op["kind"] == "same" for op in document["ops"]))

    def test_what_cannot_be_compared_is_said(self):
        self.assertIn("not compared yet", self.check(1, "diff", SOURCE / "examples/sample_oom.log", SOURCE / "examples/sample_oom.log").stderr)
        self.assertIn("No such file", self.check(1, "diff", "gone.csv", "gone.csv").stderr)
        self.check(2, "diff", "one.csv")


if __name__ == "__main__":
    sys.exit(unittest.main())
