"""The loop of both programs: options, steps, and the memory of the first step's phases."""
import argparse
import sys
from dataclasses import replace
from typing import Any, Callable, List, Optional

import ttscope
from models import ModelConfig
from ttscope import sim, train

MemoryUsageTracker = ttscope.MemoryUsageTracker
MIB = 1048576.0


def options_of(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Trains on the simulated device.")
    parser.add_argument("--track_memory", action="store_true", help="print the memory of the first step's phases")
    parser.add_argument("--recompute", action="store_true", help="keep only the inputs of blocks")
    parser.add_argument("--no_dispatch", action="store_true", help="record the first step without placing anything")
    parser.add_argument("--batch", type=int, default=1, help="sequences in a forward pass")
    parser.add_argument("--accumulation", type=int, default=1, help="forward and backward passes before a step")
    parser.add_argument("--steps", type=int, default=1, help="steps of the optimizer")
    parser.add_argument("--device", default="n150", choices=["n150", "n300", "p100", "p150"])
    parser.add_argument("--save", metavar="FILE", help="write the capture, for `ttscope graph`")
    return parser.parse_args(arguments)


class Trainer:
    def __init__(self, options: argparse.Namespace, config: ModelConfig) -> None:
        self.options = options
        self.config = replace(config, recompute=options.recompute)
        self.device = sim.Device(options.device)
        self.tracking = options.track_memory
        self.fits = True

    def make_inputs(self) -> None:
        length = self.config.sequence_length
        self.mask = train.Tensor(sim.from_host(self.device, [1, 1, length, length]), False)
        self.tokens = self.make_tokens(length)
        self.targets = self.make_tokens(length)

    def make_tokens(self, length: int) -> train.Tensor:
        shape = [self.options.batch, 1, 1, length]
        return train.Tensor(sim.from_host(self.device, shape, sim.DataType.UINT32, sim.Layout.ROW_MAJOR), False)

    def run(self, make_model: Callable[[sim.Device, ModelConfig], Any]) -> None:
        guard = None
        if self.tracking:
            mode = ttscope.graph.RunMode
            guard = MemoryUsageTracker.begin_capture(mode.NO_DISPATCH if self.options.no_dispatch else mode.NORMAL)
        self.make_inputs()
        model = make_model(self.device, self.config)
        print(f"Model number of parameters: {model.parameter_count()}")
        print(f"Available Device Memory: {self.device.spec.dram_capacity_bytes / MIB:.0f} MB")
        self.snapshot("MODEL_CREATION")
        optimizer = train.AdamW(model.parameters())
        print(f"Total parameters: {model.parameter_count()}")
        self.snapshot("OPTIMIZER_CREATION")
        for step in range(1, self.options.steps + 1):
            self.train_step(model, optimizer)
            print(f"Step: {step}, cache entries: {self.device.program_cache_entries}")
            if self.tracking:
                self.report()
            if guard is not None:
                guard.release()

    def train_step(self, model: Any, optimizer: train.AdamW) -> None:
        optimizer.zero_grad()
        count = self.options.accumulation
        for micro in range(count):
            suffix = "" if count == 1 else f"_micro_{micro}"
            loss = train.cross_entropy_loss(model(self.tokens, self.mask), self.targets)
            if count > 1:
                loss = train.multiply(loss, 1.0 / count)
            self.snapshot("FORWARD_PASS" + suffix)
            loss.backward()
            train.reset_graph()
            self.snapshot("BACKWARD_PASS" + suffix)
            del loss
        optimizer.step()

    def snapshot(self, name: str) -> None:
        if self.tracking:
            MemoryUsageTracker.snapshot(name)

    def report(self) -> None:
        self.tracking = False
        MemoryUsageTracker.end_capture("FIRST_ITERATION_COMPLETE")
        print(f"{self.config.name}, {'memory efficient' if self.config.recompute else 'default'}")
        MemoryUsageTracker.print_memory_usage()
        if self.options.save:
            MemoryUsageTracker.save(self.options.save)
        self.compare_with_capacity()
        MemoryUsageTracker.clear()

    def compare_with_capacity(self) -> None:
        """The peak over all phases, as the summary's relations define it."""
        current = peak = 0
        for _, dram in MemoryUsageTracker.get_dram_usage_all():
            peak = max(peak, current + dram.peak)
            current += dram.total_allocations - dram.total_deallocations
        capacity = self.device.spec.dram_capacity_bytes
        self.fits = peak <= capacity
        verdict = "fits in" if self.fits else "does not fit in"
        print(f"Peak {peak / MIB:.2f} MB {verdict} the {capacity / MIB:.2f} MB of a {self.device.spec.name}")


def run_training(config: ModelConfig, make_model: Callable[[sim.Device, ModelConfig], Any]) -> int:
    """0 done, 1 out of memory, 3 the tracked peak does not fit the device."""
    trainer = Trainer(options_of(None), config)
    try:
        trainer.run(make_model)
    except sim.OutOfMemoryError as error:
        print(error, file=sys.stderr)
        return 1
    return 0 if trainer.fits else 3
