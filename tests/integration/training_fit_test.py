"""`ttscope fit` on training configurations: the same answer as running the example, near the limit too."""
import json
import pathlib
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, SOURCE, ProgramCase  # noqa: E402

PYTHON = BUILD / "python"
CONFIGURATIONS = 100
IN_PYTHON_TOO = 8
FAILURE = re.compile(r"each bank needs to store (\d+) B.*free: (\d+) B, largest free block: (\d+) B")

YAML = """training_config:
  batch_size: {batch}
  gradient_accumulation_steps: {accumulation}
  optimizer:
    type: {optimizer}
transformer_config:
  model_type: {family}
  num_heads: {heads}
  num_groups: {groups}
  embedding_dim: {width}
  num_blocks: {blocks}
  vocab_size: {vocabulary}
  max_sequence_length: {sequence}
  dropout_prob: {dropout}
  runner_type: {runner}
  attention: {attention}
"""


def generated(seed):
    """Sizes of a small model, drawn anew for each seed."""
    draw = random.Random(seed)
    family = draw.choice(["gpt2", "llama"])
    heads = draw.choice([4, 8])
    return {
        "family": family,
        "heads": heads,
        "groups": draw.choice([1, 2, 4]),
        "width": heads * draw.choice([32, 64, 96]),
        "blocks": draw.randint(1, 4),
        "vocabulary": draw.randint(100, 6000),
        "sequence": 32 * draw.randint(2, 16),
        "batch": draw.randint(1, 6),
        "accumulation": draw.choice([1, 1, 2, 3]),
        "recompute": draw.random() < 0.4,
        "composite": draw.random() < 0.3,
        "optimizer": draw.choice(["AdamW", "AdamW", "SGD"]),
        "limit": draw.choice([0.6, 0.85, 0.95, 1.0, 1.02, 1.05, 1.2]),
    }


def yaml_of(config):
    return YAML.format(**config, dropout=0.2 if config["family"] == "gpt2" else 0.0,
                       runner="memory_efficient" if config["recompute"] else "default",
                       attention="composite" if config["composite"] else "fused")


def options_of(config, megabytes):
    options = ["--optimizer", config["optimizer"], "--dram_mb_per_bank", str(megabytes)]
    for name in ("batch", "accumulation", "heads", "groups", "width", "blocks", "vocabulary", "sequence"):
        options += [f"--{name}", str(config[name])]
    return options + [f"--{flag}" for flag in ("recompute", "composite") if config[flag]]


class TrainingFit(ProgramCase):
    def fit(self, *options):
        done = self.run_program("fit", *options, "--json", "-")
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return json.loads(done.stdout)["devices"][0]

    def example(self, config, megabytes, in_python=False):
        name = "nano_gpt" if config["family"] == "gpt2" else "tiny_llama"
        if not in_python:
            return self.run_program(*options_of(config, megabytes), program=f"examples/{name}")
        script = SOURCE / "examples" / "training" / f"{name}.py"
        return subprocess.run(["/usr/bin/python3", str(script), *options_of(config, megabytes)],
                              env={"PYTHONPATH": str(PYTHON), "PYTHONDONTWRITEBYTECODE": "1"},
                              capture_output=True, text=True, timeout=120)

    def check_same(self, device, done):
        """Fit, failing operation and free blocks, to the byte."""
        self.assertEqual(device["fits"], done.returncode == 0, done.stdout[-600:] + done.stderr)
        if device["fits"]:
            return
        failure = device["failure"]
        needed, free, largest = (int(each) for each in FAILURE.search(done.stderr).groups())
        self.assertEqual((failure["bytes_per_bank"], failure["free_bytes_per_bank"],
                          failure["largest_free_bytes_per_bank"]), (needed, free, largest))
        self.assertIn(f"Failed in {failure['phase']}", done.stdout)
        if "Live then" in done.stdout:
            self.assertIn(failure["op"] or "", done.stdout)

    def test_a_hundred_configurations_agree_with_the_examples(self):
        fitting = 0
        for seed in range(CONFIGURATIONS):
            config = generated(seed)
            path = self.folder / f"{seed}.yaml"
            path.write_text(yaml_of(config))
            with self.subTest(seed=seed, config=config):
                peak = self.fit(str(path), "--device", "n150")["peak_bytes_per_bank"]
                megabytes = max(1, round(peak * config["limit"] / 2**20))
                device = self.fit(str(path), "--device", f"custom:DRAM=12x{megabytes}MB,L1=64x1395424B")
                fitting += device["fits"]
                self.check_same(device, self.example(config, megabytes))
                if seed < IN_PYTHON_TOO and PYTHON.is_dir():
                    self.check_same(device, self.example(config, megabytes, in_python=True))
        self.assertGreater(fitting, CONFIGURATIONS // 5)
        self.assertLess(fitting, CONFIGURATIONS * 4 // 5)

    def test_the_summary_says_what_fails_and_where(self):
        (self.folder / "c.yaml").write_text(yaml_of(generated(1) | {"batch": 512, "accumulation": 1}))
        done = self.run_program("fit", "c.yaml", "--device", "custom:DRAM=12x64MB,L1=64x1395424B")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("DOES NOT FIT", done.stdout)
        self.assertIn("FORWARD_PASS", done.stdout)
        self.assertRegex(done.stdout, r"\d+ buffers")

    def test_wrong_configurations_are_told_with_their_line(self):
        (self.folder / "c.yaml").write_text(yaml_of(generated(2)).replace("num_blocks", "num_bloks"))
        done = self.run_program("fit", "c.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"c\.yaml:11: `num_bloks` is not known in transformer_config; did you mean `num_blocks`\?")
        done = self.run_program("mem", "c.yaml")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ttscope fit", done.stderr)


if __name__ == "__main__":
    unittest.main()
