"""The training examples: their figures beside those of recorded runs, C++ and Python alike."""
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
# Recorded since attention is fused: 32,000 tokens, batch 2, 4 micro-steps. The first pair makes the gradients.
FUSED = {"MODEL_CREATION": 2104.53, "OPTIMIZER_CREATION": 4207.27, "FORWARD_PASS_micro_0": 7641.99,
         "BACKWARD_PASS_micro_0": -5537.07, "FORWARD_PASS_micro_1": 7641.25, "BACKWARD_PASS_micro_1": -7641.25}
FUSED_OPTIONS = ["--vocabulary", "32000", "--batch", "2", "--accumulation", "4"]
STATES, ACTIVATIONS = 0.02, 0.10


def allowed(phase):
    return STATES if phase.endswith("_CREATION") else ACTIVATIONS




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
            self.assertLess(difference, allowed(name), name)

    def overall_peak(self, text):
        return float(re.search(r"Overall DRAM Peak: (\S+) MB", text)[1])

    def test_fused_attention_is_that_of_the_recorded_run(self):
        text = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", *FUSED_OPTIONS, code=3).stdout
        self.check_changes(self.phases(text), FUSED)
        self.assertAlmostEqual(self.overall_peak(text), 16573.97, delta=0.01 * 16573.97)
        self.assertIn("is more than the 12288.00 MB of a n150", text)

    def test_composite_attention_with_recomputation_is_that_of_the_document(self):
        text = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", "--composite", "--recompute").stdout
        self.check_changes(self.phases(text), EFFICIENT)
        self.assertAlmostEqual(self.overall_peak(text), 8278.65, delta=0.01 * 8278.65)
        self.assertIn("is less than the 12288.00 MB of a n150; whether it can be placed", text)

    def test_composite_attention_without_recomputation_does_not_fit(self):
        text = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", "--composite", code=3).stdout
        self.check_changes(self.phases(text), DEFAULT)
        self.assertAlmostEqual(self.overall_peak(text), 15666.65, delta=0.01 * 15666.65)

    def test_a_model_on_a_mesh_is_that_of_the_recorded_run(self):
        phases = self.phases(self.run_example(
            "tiny_llama", "--track_memory", "--no_dispatch", "--blocks", "32", "--width", "4096", "--intermediate",
            "14336", "--heads", "32", "--groups", "8", "--sequence", "1024", "--batch", "2", "--tp", "4", "--dp", "2",
            "--accumulation", "2", code=3).stdout)
        self.check_changes(phases, {"MODEL_CREATION": 3346.44, "OPTIMIZER_CREATION": 6691.03,
                                    "FORWARD_PASS_micro_1": 3395.88, "BACKWARD_PASS_micro_1": -3395.88})

    def test_what_does_not_fit_says_in_which_phase_and_what_was_live(self):
        done = self.run_example("tiny_llama", "--composite", "--track_memory", code=1)
        self.assertRegex(done.stderr, r"Out of Memory: Not enough space to allocate \d+ B DRAM buffer across 12 banks, "
                                      r"where each bank needs to store \d+ B, but bank size is 1073741792 B \(allocated")
        self.assertIn("--- OPTIMIZER_CREATION ---", done.stdout)
        self.assertIn("--- FORWARD_PASS ---", done.stdout)
        self.assertRegex(done.stdout, r"Failed in FORWARD_PASS, layers\.\d+\.\w+, \w+DeviceOperation: ")
        self.assertRegex(done.stdout, r"Live then: activation .*, moment .*, weight ")
        self.run_example("tiny_llama", "--composite", "--recompute")
        self.run_example("tiny_llama", "--composite", "--device", "p150")

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
        phases = self.phases(self.run_example(
            "tiny_llama", "--track_memory", "--composite", "--blocks", "6", "--width", "384", "--heads", "6",
            "--groups", "3", "--sequence", "256", "--batch", "64").stdout)
        self.check_changes(phases, {"MODEL_CREATION": 19.31, "OPTIMIZER_CREATION": 38.03, "FORWARD_PASS": 2068.53,
                                    "BACKWARD_PASS": -2042.60})

    def test_a_saved_capture_says_the_same(self):
        text = self.run_example("nano_gpt", "--track_memory", "--save", "capture.json").stdout
        summary = self.check(0, "graph", "capture.json", "--summary").stdout
        self.assertIn(summary.strip(), text)

    def test_a_saved_capture_names_its_memory(self):
        self.run_example("nano_gpt", "--track_memory", "--save", "capture.json")
        text = (self.folder / "capture.json").read_text()
        for kind in ("weight", "gradient", "moment", "activation", "input", "binary"):
            self.assertIn(f'"kind":"{kind}"', text)
        self.assertIn('"kind":"weight","owner":"layers.0.mlp.fc1/weight"', text)
        self.assertIn('"kind":"gradient","owner":"layers.0.mlp.fc1/weight"', text)
        self.assertIn('"kind":"activation","owner":"layers.0.attention"', text)

    def simulated(self, *options, code):
        output = self.run_example("tiny_llama", "--track_memory", "--no_dispatch", *options, code=code).stdout
        return self.phases(output), self.overall_peak(output)

    def test_the_document_shows_the_figures_of_today(self):
        text = (SOURCE / "docs" / "tracker.md").read_text()
        table = re.findall(r"^\| ([\w ]+?(?:, (?:peak|change)|: [\w ]+)?) \| \S+ \| (\S+) \| \S+ % \|", text, re.M)
        shown = [(name, float(figure)) for name, figure in table]
        fused, peak = self.simulated(*FUSED_OPTIONS, code=3)
        expected = [fused["MODEL_CREATION"][1], fused["MODEL_CREATION"][0], fused["OPTIMIZER_CREATION"][1],
                    fused["FORWARD_PASS_micro_0"][1], *fused["BACKWARD_PASS_micro_0"][:2],
                    fused["FORWARD_PASS_micro_1"][1], fused["BACKWARD_PASS_micro_1"][0], peak]
        for options, code in (["--composite", "--recompute"], 0), (["--composite"], 3):
            phases, peak = self.simulated(*options, code=code)
            if code == 0:
                expected += [phases["MODEL_CREATION"][1], phases["OPTIMIZER_CREATION"][1]]
            expected += [phases[name][column] for name in ("FORWARD_PASS", "BACKWARD_PASS") for column in (0, 1)] + [peak]
        self.assertEqual([figure for _, figure in shown], expected, shown)

    def test_wrong_options_are_told(self):
        self.assertIn("--nonsense", self.run_example("nano_gpt", "--nonsense", code=2).stderr)
        self.run_example("nano_gpt", "--batch", "0", code=2)
        self.assertIn("n150", self.run_example("nano_gpt", "--device", "x1", code=2).stderr)

    @unittest.skipUnless(PYTHON.is_dir(), "the Python module is not built")
    def test_python_gives_the_same_figures(self):
        for name, options in (("tiny_llama", ["--recompute", "--no_dispatch", "--composite"]),
                              ("tiny_llama", ["--no_dispatch", *FUSED_OPTIONS]), ("nano_gpt", ["--batch", "8"]),
                              ("nano_gpt", ["--batch", "8", "--recompute"]), ("tiny_llama", ["--recompute"])):
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
