"""The training examples: TinyLlama's figures beside those of the original document, C++ and Python alike."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, SOURCE, ProgramCase  # noqa: E402

PYTHON = BUILD / "python"
PHASE = re.compile(r"^--- (\w+) ---\n  DRAM: Segment Peak (\S+) MB.*Segment Change (\S+) MB\n"
                   r"  DRAM: Cumulative Peak (\S+) MB, Cumulative Current (\S+) MB$", re.M)
# Segment changes in MB, from the results that the document analyses.
EFFICIENT = {"MODEL_CREATION": 1863.25, "OPTIMIZER_CREATION": 3708.76, "FORWARD_PASS": 192.95, "BACKWARD_PASS": 1663.07}
DEFAULT = {"FORWARD_PASS": 9636.02, "BACKWARD_PASS": -7780.87}
ALLOWED = {"MODEL_CREATION": 0.02, "OPTIMIZER_CREATION": 0.02, "FORWARD_PASS": 0.15, "BACKWARD_PASS": 0.15}


class Examples(ProgramCase):
    def run_example(self, name, *options, code=0):
        done = self.run_program(*options, program=f"examples/{name}")
        self.assertEqual(done.returncode, code, done.stdout[-800:] + done.stderr)
        return done

    def phases(self, text):
        return {name: [float(each) for each in figures] for name, *figures in PHASE.findall(text)}

    def check_changes(self, phases, expected):
        for name, change in expected.items():
            difference = abs(phases[name][1] - change) / abs(change)
            self.assertLess(difference, ALLOWED[name], name)

    def overall_peak(self, text):
        return float(re.search(r"Overall DRAM Peak: (\S+) MB", text)[1])

    def test_tiny_llama_with_recomputation_fits(self):
        text = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", "--recompute").stdout
        self.check_changes(self.phases(text), EFFICIENT)
        self.assertAlmostEqual(self.overall_peak(text), 8278.65, delta=0.01 * 8278.65)
        self.assertIn("fits in the 12288.00 MB of a n150", text)

    def test_tiny_llama_without_recomputation_does_not_fit(self):
        text = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", code=3).stdout
        self.check_changes(self.phases(text), DEFAULT)
        self.assertAlmostEqual(self.overall_peak(text), 15666.65, delta=0.01 * 15666.65)
        self.assertIn("does not fit in the 12288.00 MB of a n150", text)

    def test_what_does_not_fit_fails_when_it_is_placed(self):
        done = self.run_example("tiny_llama", code=1)
        self.assertRegex(done.stderr, r"Out of Memory: Not enough space to allocate \d+ B DRAM buffer across 12 banks, "
                                      r"where each bank needs to store \d+ B, but bank size is 1073741792 B \(allocated")
        self.run_example("tiny_llama", "--recompute")
        self.run_example("tiny_llama", "--device", "p150")

    def test_the_relations_of_the_summary_hold(self):
        text = self.run_example("nano_gpt", "--track_memory", "--batch", "64", "--accumulation", "2", "--steps", "2").stdout
        phases = self.phases(text)
        self.assertIn("FORWARD_PASS_micro_1", phases)
        peak = current = 0.0
        for name, (segment_peak, change, cumulative_peak, cumulative) in phases.items():
            peak = max(peak, current + segment_peak)
            current += change
            self.assertAlmostEqual(cumulative_peak, peak, delta=0.05, msg=name)
            self.assertAlmostEqual(cumulative, current, delta=0.05, msg=name)
        self.assertEqual(text.count("cache entries"), 2)

    def test_a_model_of_the_first_release_comes_near_its_log(self):
        # nano-GPT has the size of the nano-Llama of that log, with a batch of 64: +2068.53 and -2042.60 MB.
        phases = self.phases(self.run_example("nano_gpt", "--track_memory", "--batch", "64").stdout)
        self.assertAlmostEqual(phases["FORWARD_PASS"][1], 2068.53, delta=0.15 * 2068.53)
        self.assertAlmostEqual(phases["BACKWARD_PASS"][1], -2042.60, delta=0.15 * 2042.60)

    def test_a_saved_capture_says_the_same(self):
        text = self.run_example("nano_gpt", "--track_memory", "--save", "capture.json").stdout
        summary = self.check(0, "graph", "capture.json", "--summary").stdout
        self.assertIn(summary.strip(), text)

    def test_the_document_shows_the_figures_of_today(self):
        text = (SOURCE / "docs" / "tracker.md").read_text()
        rows = re.findall(r"^\| ([\w ]+), (peak|change) \| \S+ \| (\S+) \|", text, re.M)
        self.assertEqual(len(rows), 10)
        found = []
        for options, code in ((["--recompute"], 0), ([], 3)):
            output = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", *options, code=code).stdout
            phases = self.phases(output)
            found += [phases[name][column] for name in ("FORWARD_PASS", "BACKWARD_PASS") for column in (0, 1)]
            found.append(self.overall_peak(output))
            model = [phases["MODEL_CREATION"][1], phases["OPTIMIZER_CREATION"][1]]
        peaks = [float(each) for each in re.findall(r"^\| overall peak: [\w ]+ \| \S+ \| (\S+) \|", text, re.M)]
        shown = [float(figure) for _, _, figure in rows]
        self.assertEqual(shown[:6] + peaks[:1] + shown[6:] + peaks[1:], model + found)

    def test_wrong_options_are_told(self):
        self.assertIn("--nonsense", self.run_example("nano_gpt", "--nonsense", code=2).stderr)
        self.run_example("nano_gpt", "--batch", "0", code=2)
        self.assertIn("n150", self.run_example("nano_gpt", "--device", "x1", code=2).stderr)

    @unittest.skipUnless(PYTHON.is_dir(), "the Python module is not built")
    def test_python_gives_the_same_figures(self):
        for name, options in (("tiny_llama", ["--recompute", "--no_dispatch"]), ("tiny_llama", ["--no_dispatch"]),
                              ("nano_gpt", ["--batch", "8"]), ("nano_gpt", ["--batch", "8", "--recompute"])):
            with self.subTest(name=name, options=options):
                native = self.run_program("--track_memory", *options, program=f"examples/{name}")
                script = SOURCE / "examples" / "training" / f"{name}.py"
                done = subprocess.run(["/usr/bin/python3", str(script), "--track_memory", *options],
                                      env={"PYTHONPATH": str(PYTHON), "PYTHONDONTWRITEBYTECODE": "1"},
                                      capture_output=True, text=True, timeout=120)
                self.assertEqual(done.stdout, native.stdout, done.stderr)
                self.assertEqual(done.returncode, native.returncode)


if __name__ == "__main__":
    unittest.main()
