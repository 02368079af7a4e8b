"""The loop of both programs: options, steps, and the memory of the first step's phases."""
import argparse
import sys
from dataclasses import replace
from typing import Any, Callable, List, Optional, Tuple

import ttscope
from models import ModelConfig
from ttscope import sim, train

MemoryUsageTracker = ttscope.MemoryUsageTracker
MIB = 1048576.0
SIZES = ("blocks", "width", "heads", "groups", "intermediate", "vocabulary")


def options_of(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Trains on the simulated device.")
    parser.add_argument("--track_memory", action="store_true", help="print the memory of the first step's phases")
    parser.add_argument("--no_dispatch", action="store_true", help="record the first step without placing anything")
    parser.add_argument("--recompute", action="store_true", help="keep only the inputs of blocks")
    parser.add_argument("--composite", action="store_true", help="attention and gated layers made of parts")
    parser.add_argument("--optimizer", default="AdamW", choices=["AdamW", "SGD"])
    parser.add_argument("--batch", type=int, default=1, help="sequences in a forward pass")
    parser.add_argument("--accumulation", type=int, default=1, help="forward and backward passes before a step")
    for size in SIZES + ("sequence",):
        parser.add_argument(f"--{size}", type=int, help="of the model")
    parser.add_argument("--steps", type=int, default=2, help="steps of the optimizer")
    parser.add_argument("--device", default="n150", choices=["n150", "n300", "p100", "p150"])
    parser.add_argument("--dram_mb_per_bank", type=int, help="DRAM banks of another size")
    parser.add_argument("--save", metavar="FILE", help="write the capture, for `ttscope graph`")
    return parser.parse_args(arguments)


def config_of(options: argparse.Namespace, config: ModelConfig) -> ModelConfig:
    given = {size: getattr(options, size) for size in SIZES if getattr(options, size)}
    if options.sequence:
        given["sequence_length"] = options.sequence
    return replace(config, recompute=options.recompute, composite=options.composite, **given)


def device_of(options: argparse.Namespace) -> sim.Device:
    if not options.dram_mb_per_bank:
        return sim.Device(options.device)
    spec = sim.DeviceSpec.named(options.device)
    spec.dram_bank_bytes = (options.dram_mb_per_bank << 20) + spec.dram_base_address
    spec.name = "custom device"
    return sim.Device(spec)


class Trainer:
    def __init__(self, options: argparse.Namespace, config: ModelConfig) -> None:
        self.options = options
        self.config = config_of(options, config)
        self.device = device_of(options)
        self.tracking = options.track_memory
        self.phase = ""
        self.left: List[Tuple[str, int]] = []
        self.fits = True

    def host(self, shape: List[int], *form: Any) -> train.Tensor:
        return train.Tensor(sim.from_host(self.device, shape, *form), False)

    def make_batch(self) -> None:
        """Tokens, what should follow them, and which positions count."""
        length, sequences = self.config.sequence_length, self.options.batch
        rows = (sim.DataType.UINT32, sim.Layout.ROW_MAJOR)
        tokens = self.host([sequences, 1, 1, length], *rows)
        targets = self.host([sequences, 1, 1, length], *rows)
        loss_mask = self.host([sequences, 1, length, 1])
        self.tokens, self.targets, self.loss_mask = tokens, targets, loss_mask

    def run(self, make_model: Callable[[sim.Device, ModelConfig], Any]) -> None:
        guard = None
        if self.tracking:
            mode = ttscope.graph.RunMode
            guard = MemoryUsageTracker.begin_capture(mode.NO_DISPATCH if self.options.no_dispatch else mode.NORMAL)
        try:
            self.run_phases(make_model)
        except sim.OutOfMemoryError:
            self.print_failure()
            raise
        finally:
            if guard is not None:
                MemoryUsageTracker.clear()
                guard.release()

    def run_phases(self, make_model: Callable[[sim.Device, ModelConfig], Any]) -> None:
        self.phase = "MODEL_CREATION"
        length = self.config.sequence_length
        self.mask = self.host([1, 1, length, length]) if self.config.composite else None
        model = make_model(self.device, self.config)
        print(f"Total parameters: {model.parameter_count()}")
        print(f"Available Device Memory: {self.device.spec.dram_capacity_bytes / MIB:.0f} MB")
        self.end_phase("OPTIMIZER_CREATION")
        optimizer_kind = train.AdamW if self.options.optimizer == "AdamW" else train.Sgd
        optimizer = optimizer_kind(model.parameters())
        # After a recorded step nothing lies where it should: a second one would tell nothing.
        steps = 1 if self.options.no_dispatch else self.options.steps
        for step in range(1, steps + 1):
            self.train_step(step, model, optimizer)

    def train_step(self, step: int, model: Any, optimizer: Any) -> None:
        count = self.options.accumulation
        prefix = "" if step == 1 else f"STEP_{step}_"
        for micro in range(count):
            suffix = "" if count == 1 else f"_micro_{micro}"
            self.end_phase(f"{prefix}FORWARD_PASS{suffix}")
            if micro == 0:
                optimizer.zero_grad()
            self.make_batch()
            logits = model(self.tokens, self.mask)
            rows = train.cross_entropy(logits, self.targets)
            self.loss = train.mean(train.multiply(rows, self.loss_mask))
            del logits, rows
            self.end_phase(f"{prefix}BACKWARD_PASS{suffix}")
            if count > 1:
                self.loss = train.multiply(self.loss, 1.0 / count)
            self.loss.backward()
            train.reset_graph()
        self.end_phase("FIRST_ITERATION_COMPLETE" if step == 1 else f"{prefix}COMPLETE")
        optimizer.step()
        print(f"Step: {step}, cache entries: {self.device.program_cache_entries}")
        if step == 1 and self.tracking:
            self.report()

    def end_phase(self, following: str) -> None:
        """The phase that runs is over, and the next one begins."""
        self.left.append((self.phase, self.device.stats(sim.BufferType.DRAM).allocated_bytes_per_bank))
        if self.tracking:
            MemoryUsageTracker.snapshot(self.phase)
        self.phase = following

    def print_summary(self) -> None:
        print(f"{self.config.name}, {'memory efficient' if self.config.recompute else 'default'}", flush=True)
        MemoryUsageTracker.print_memory_usage()
        if self.options.save:
            MemoryUsageTracker.save(self.options.save)

    def report(self) -> None:
        self.tracking = False
        MemoryUsageTracker.end_capture("FIRST_ITERATION_COMPLETE")
        self.print_summary()
        self.compare_with_capacity()
        MemoryUsageTracker.clear()

    def compare_with_capacity(self) -> None:
        """The peak over all phases, as the summary's relations define it: a sum, without holes and padding."""
        current = peak = 0
        for _, dram in MemoryUsageTracker.get_dram_usage_all():
            peak = max(peak, current + dram.peak)
            current += dram.total_allocations - dram.total_deallocations
        capacity = self.device.spec.dram_capacity_bytes
        self.fits = peak <= capacity
        verdict, rest = "fits in", ""
        if not self.fits:
            verdict = "is more than"
        elif self.options.no_dispatch:
            verdict, rest = "is less than", "; whether it can be placed, only a run that places it can tell"
        print(f"Peak {peak / MIB:.2f} MB {verdict} the {capacity / MIB:.2f} MB of a {self.device.spec.name}{rest}")

    def print_failure(self) -> None:
        """The phases so far, and the one that failed."""
        if self.tracking:
            self.tracking = False
            MemoryUsageTracker.end_capture(self.phase)
            self.print_summary()
        print("\nPhases before the failure, DRAM of each bank at their end:")
        for name, used in self.left:
            print(f"  {name:<28} {used / MIB:10.2f} MB")
        print(f"Failed in {self.phase}")


def run_training(config: ModelConfig, make_model: Callable[[sim.Device, ModelConfig], Any]) -> int:
    """0 done, 1 out of memory, 3 the recorded peak is more than the device has."""
    trainer = Trainer(options_of(None), config)
    try:
        trainer.run(make_model)
    except sim.OutOfMemoryError as error:
        print(error, file=sys.stderr)
        return 1
    return 0 if trainer.fits else 3
