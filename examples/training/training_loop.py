"""What both programs share: options, and the memory of the first step's phases."""
import argparse
import sys
from typing import Dict, List, Optional, Tuple

import ttscope
from ttscope import sim, train

MemoryUsageTracker = ttscope.MemoryUsageTracker
MIB = 1048576.0


def options_of(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Trains on the simulated device.")
    parser.add_argument("--track_memory", action="store_true", help="print the memory of the first step's phases")
    parser.add_argument("--recompute", action="store_true", help="keep only the inputs of blocks")
    parser.add_argument("--composite", action="store_true", help="attention made of parts, as before March 2026")
    parser.add_argument("--no_dispatch", action="store_true", help="record the first step without placing anything")
    parser.add_argument("--batch", type=int, default=1, help="sequences in a forward pass")
    parser.add_argument("--accumulation", type=int, default=1, help="forward and backward passes before a step")
    parser.add_argument("--steps", type=int, default=2, help="steps of the optimizer")
    parser.add_argument("--device", default="n150", choices=["n150", "n300", "p100", "p150"])
    parser.add_argument("--save", metavar="FILE", help="write the capture, for `ttscope graph`")
    return parser.parse_args(arguments)


class Trainer:
    """Tracks the phases of the first step, and remembers what each phase left for the case of a failure."""

    def __init__(self, options: argparse.Namespace, model: train.ModelConfig) -> None:
        self.options = options
        self.device = sim.Device(options.device)
        self.training = train.TrainingConfig()
        model.recompute = options.recompute
        model.composite = options.composite
        self.model = model
        self.training.model = model
        self.training.batch = options.batch
        self.training.accumulation = options.accumulation
        self.tracking = False
        self.fits = True
        self.phase = ""
        self.left: List[Tuple[str, int]] = []

    def run(self) -> None:
        if self.options.track_memory:
            mode = ttscope.graph.RunMode
            guard = MemoryUsageTracker.begin_capture(mode.NO_DISPATCH if self.options.no_dispatch else mode.NORMAL)
            guard.release()  # the session ends with report()
            self.tracking = True
        try:
            # After a recorded step nothing lies where it should: a second one would tell nothing.
            train.run_training(self.device, self.training, 1 if self.options.no_dispatch else self.options.steps, self)
        except sim.OutOfMemoryError as error:
            self.print_failure(error)
            raise

    def begin_phase(self, name: str) -> None:
        self.phase = name

    def end_phase(self, name: str) -> None:
        self.left.append((name, self.device.stats().allocated_bytes_per_bank))
        if not self.tracking:
            return
        if name == "FIRST_ITERATION_COMPLETE":
            self.report()
        else:
            MemoryUsageTracker.snapshot(name)

    def on_model(self, model: train.LanguageModel) -> None:
        print(f"Total parameters: {model.parameter_count()}")
        print(f"Available Device Memory: {self.device.spec.dram_capacity_bytes / MIB:.0f} MB")

    def on_step(self, step: int) -> None:
        print(f"Step: {step}, cache entries: {self.device.program_cache_entries}")

    def print_summary(self) -> None:
        print(f"{self.model.name}, {'memory efficient' if self.model.recompute else 'default'}", flush=True)
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
        recorded = self.options.no_dispatch
        verdict = "is more than" if not self.fits else "is less than" if recorded else "fits in"
        rest = "; whether it can be placed, only a run that places it can tell" if self.fits and recorded else ""
        print(f"Peak {peak / MIB:.2f} MB {verdict} the {capacity / MIB:.2f} MB of a {self.device.spec.name}{rest}")

    def print_failure(self, error: sim.OutOfMemoryError) -> None:
        """The phases so far, the one that failed, and what was live then, by kind."""
        if self.tracking:
            self.tracking = False
            MemoryUsageTracker.end_capture(self.phase)
            self.print_summary()
        print("\nPhases before the failure, DRAM of each bank at their end:")
        for name, left in self.left:
            print(f"  {name:<28} {left / MIB:10.2f} MB")
        failure = error.failure
        if failure is None:
            print(f"Failed in {self.phase}")
            return
        place = ", ".join(part for part in (self.phase, failure.module, failure.operation) if part)
        print(f"Failed in {place}: {failure.bytes_per_bank / MIB:.2f} MB of each bank wanted, "
              f"{failure.stats.free_bytes_per_bank / MIB:.2f} MB free, "
              f"the largest free block has {failure.stats.largest_free_bytes_per_bank / MIB:.2f} MB")
        kinds: Dict[str, int] = {}
        for live in failure.live:
            kinds[live.kind] = kinds.get(live.kind, 0) + live.bytes_per_bank
        print("Live then: " + ", ".join(f"{kind} {size / MIB:.2f} MB" for kind, size in sorted(kinds.items())))


def train_with_options(model: train.ModelConfig) -> int:
    """0 done, 1 out of memory, 2 wrong sizes, 3 the tracked peak does not fit the device."""
    trainer = Trainer(options_of(None), model)
    try:
        trainer.run()
    except sim.OutOfMemoryError as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 2
    return 0 if trainer.fits else 3
