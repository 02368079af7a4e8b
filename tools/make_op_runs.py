#!/usr/bin/env python3
"""Makes two ops reports of one model, the later one with a change whose cost is known, and the truth about it.

    tools/make_op_runs.py --change cores --seed 7 before.csv after.csv truth.json

A model is an embedding, layers of nine ops, and a head. Every row of both runs has noise of its own: of one percent as a
rule, more below two microseconds, as published pairs have; gaps have theirs. The truth holds what the change costs without
noise, the rows that it concerns in each report, and the property that changed.
"""
import argparse
import csv
import json
import random

MHZ = 1350
COLUMNS = ["OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "DEVICE ID", "DEVICE ARCH", "ATTRIBUTES", "MATH FIDELITY", "CORE COUNT",
           "AVAILABLE WORKER CORE COUNT", "HOST START TS", "HOST DURATION [ns]", "DEVICE FW START CYCLE", "DEVICE FW END CYCLE",
           "OP TO OP LATENCY [ns]", "DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]"]
for tensor in ("INPUT_0_", "INPUT_1_", "OUTPUT_0_"):
    COLUMNS += [f"{tensor}{size}_PAD[LOGICAL]" for size in "WZYX"]
    COLUMNS += [tensor + part for part in ("LAYOUT", "DATATYPE", "MEMORY")]
COLUMNS += ["METAL TRACE ID", "METAL TRACE REPLAY SESSION ID", "PROGRAM HASH", "PROGRAM CACHE HIT", "LOC"]

HIDDEN = 2048
CHANGES = ("none", "slow", "insert", "remove", "dtype", "cores", "fidelity", "buffer", "sharding", "remove-layer", "batch", "move",
           "replace", "miss", "gap", "clock")
SLOW_MHZ = 1000  # of the later run of a slower clock


class Op:
    """An op of the model: what it is, what it costs, and where it came from."""

    def __init__(self, code, us, shapes, place, **properties):
        self.code, self.us, self.shapes, self.place = code, us, shapes, place
        self.gap_us, self.cores, self.fidelity, self.dtype, self.layout = 1.0, 64, "HiFi2", "BFLOAT16", "TILE"
        self.memory, self.is_hit = "DEV_0_DRAM_INTERLEAVED", True
        self.__dict__.update(properties)


def model(options):
    rows = 32 * options.batch

    def square(width):
        return (rows, width)

    weights = {"qkv": (HIDDEN, 3 * HIDDEN), "o": (HIDDEN, HIDDEN), "up": (HIDDEN, 4 * HIDDEN), "down": (4 * HIDDEN, HIDDEN)}

    def matmul(name, us, place):
        first, second = weights[name]
        return Op("MatmulDeviceOperation", us, [square(first), (first, second), square(second)], place)

    ops = [Op("EmbeddingsDeviceOperation", 14, [(1, rows), (32000, HIDDEN), square(HIDDEN)], "model.embed", layout="ROW_MAJOR", cores=8)]
    for layer in range(options.layers):
        at = f"model.layers.{layer}."
        ops += [
            Op("LayerNormDeviceOperation", 12, [square(HIDDEN), (1, HIDDEN), square(HIDDEN)], at + "norm"),
            matmul("qkv", 80, at + "attention.qkv"),
            Op("NLPCreateHeadsDeviceOperation", 6, [square(3 * HIDDEN), None, square(HIDDEN)], at + "attention.heads"),
            Op("SDPAOperation", 30, [square(HIDDEN), square(HIDDEN), square(HIDDEN)], at + "attention.sdpa"),
            matmul("o", 28, at + "attention.o"),
            Op("BinaryNgDeviceOperation", 1.8, [square(HIDDEN), square(HIDDEN), square(HIDDEN)], at + "add"),
            matmul("up", 101, at + "mlp.up"),
            Op("UnaryDeviceOperation", 4, [square(4 * HIDDEN), None, square(4 * HIDDEN)], at + "mlp.act"),
            matmul("down", 99, at + "mlp.down"),
        ]
    ops.append(Op("ArgMaxDeviceOperation", 9, [square(32000), None, (1, rows)], "model.head", cores=1))
    return ops


def chosen(ops, ending):
    return [op for op in ops if op.place.endswith(ending)]


def in_layer(ops, layer):
    return [op for op in ops if op.place.startswith(f"model.layers.{layer}.")]


def changed(ops, options):
    """The later run; what it costs more; the ops that it lost, that it won, or that are others; the property."""
    middle = options.layers // 2
    layer = in_layer(ops, middle)
    every = chosen(ops, "attention.qkv")
    kind = options.change

    def scaled(concerned, factor, cause, **properties):
        before = sum(op.us for op in concerned)
        for op in concerned:
            op.us *= factor
            op.__dict__.update(properties)
        return ops, sum(op.us for op in concerned) - before, concerned, cause

    if kind == "none":
        return ops, 0.0, [], None
    if kind == "slow":
        return scaled([layer[1]], 1.7, None)
    if kind == "dtype":
        return scaled(every, 0.6, "dtype", dtype="BFLOAT8_B")
    if kind == "cores":
        return scaled(every, 1.8, "cores", cores=32)
    if kind == "fidelity":
        return scaled(chosen(ops, "mlp.down"), 1.9, "fidelity", fidelity="HiFi4")
    if kind == "buffer":
        return scaled(chosen(ops, "norm"), 0.7, "buffer_type", memory="DEV_0_L1_INTERLEAVED")
    if kind == "sharding":
        return scaled(chosen(ops, "norm"), 0.8, "sharding", memory="DEV_0_DRAM_WIDTH_SHARDED")
    if kind == "miss":
        return scaled([layer[6]], 1.5, "program_cache", is_hit=False)
    if kind == "clock":
        return scaled(list(ops), MHZ / SLOW_MHZ, "clock")
    if kind == "gap":
        layer[6].gap_us += options.gap_us
        return ops, 0.0, [], None
    if kind == "insert":
        new = Op("TypecastDeviceOperation", 7, [(32 * options.batch, 3 * HIDDEN), None, (32 * options.batch, 3 * HIDDEN)], layer[1].place)
        return [one for op in ops for one in ((op, new) if op is layer[1] else (op,))], new.us, [new], "added"
    if kind in ("remove", "remove-layer"):
        gone = layer if kind == "remove-layer" else [layer[7]]
        return [op for op in ops if op not in gone], -sum(op.us for op in gone), gone, "removed"
    if kind == "replace":
        # Two ops that became one, as fusions do.
        new = Op("FusedHeadsDeviceOperation", 25, layer[2].shapes, layer[2].place)
        gone = layer[2:4]
        return [new if op is gone[0] else op for op in ops if op is not gone[1]], new.us - sum(op.us for op in gone), [*gone, new], "replaced"
    if kind == "move":
        # The last ops of the last layer stand before all others now.
        block = in_layer(ops, options.layers - 1)[6:]
        rest = [op for op in ops if op not in block]
        return block + rest, 0.0, block, "moved"
    raise ValueError(kind)


def noise(randoms, us, options):
    share = options.noise if us >= 2 else 4 * options.noise
    return us * (1 + share * max(-3.0, min(3.0, randoms.gauss(0, 1))))


def write(path, ops, seed, options, replays, mhz=MHZ):
    """Returns the row of each op, as a spreadsheet numbers it, in the last replay where there are some."""
    randoms = random.Random(seed)
    cycle = randoms.randrange(10 ** 9, 10 ** 12)
    rows = {}
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for number, op in enumerate(ops * max(replays, 1)):
            took = round(noise(randoms, op.us, options) * 1000)
            gap = 0 if number == 0 else round(op.gap_us * 1000 * (1 + options.gap_noise * max(-3.0, min(3.0, randoms.gauss(0, 1)))))
            cycle += round(gap * mhz / 1000)
            cells = {"OP CODE": op.code, "OP TYPE": "tt_dnn_device", "GLOBAL CALL COUNT": 1024 * (number + 1), "DEVICE ID": 0,
                     "DEVICE ARCH": "blackhole", "MATH FIDELITY": op.fidelity, "CORE COUNT": op.cores,
                     "AVAILABLE WORKER CORE COUNT": 110, "HOST START TS": 10 ** 9 + 1000 * number, "HOST DURATION [ns]": 500,
                     "DEVICE FW START CYCLE": cycle, "DEVICE FW END CYCLE": cycle + round(took * mhz / 1000),
                     "OP TO OP LATENCY [ns]": gap, "DEVICE FW DURATION [ns]": took, "DEVICE KERNEL DURATION [ns]": took,
                     "METAL TRACE ID": 5 if replays else "", "METAL TRACE REPLAY SESSION ID": number // len(ops) + 1 if replays else "",
                     "PROGRAM HASH": hash_of(op), "PROGRAM CACHE HIT": op.is_hit,
                     "LOC": f'loc("{op.place}")' if options.locations else ""}
            for tensor, shape in zip(("INPUT_0_", "INPUT_1_", "OUTPUT_0_"), op.shapes):
                if shape is None:
                    continue
                for size, value in zip("WZYX", (1, 1, *shape)):
                    cells[f"{tensor}{size}_PAD[LOGICAL]"] = f"{value}[{value}]"
                cells[tensor + "LAYOUT"], cells[tensor + "DATATYPE"], cells[tensor + "MEMORY"] = op.layout, op.dtype, op.memory
            writer.writerow(cells)
            cycle = cells["DEVICE FW END CYCLE"]
            rows[id(op)] = number + 2
    return rows


def hash_of(op):
    return sum(ord(c) * 31 ** i for i, c in enumerate(f"{op.code}{op.shapes}{op.cores}{op.dtype}{op.memory}")) % 10 ** 15


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("before", "after", "truth"):
        parser.add_argument(name)
    parser.add_argument("--change", choices=CHANGES, default="none")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--noise", type=float, default=0.01, help="standard deviation of a row, as a share; four times that below 2 us")
    parser.add_argument("--gap-noise", type=float, default=0.1)
    parser.add_argument("--gap-us", type=float, default=40, help="what --change gap adds")
    parser.add_argument("--replays-before", type=int, default=0, help="how often a trace is replayed; 0: ops are sent one by one")
    parser.add_argument("--replays-after", type=int, default=0)
    parser.add_argument("--locations", action="store_true", help="with the location of every op, as compilers write it")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.batch = 1
    ops = model(options)
    before = write(options.before, ops, 2 * options.seed, options, options.replays_before)
    if options.change == "batch":
        options.batch = 2
        later = model(options)
        for op in later:
            op.us *= 1.9
        cost, concerned, cause = 0.9 * sum(op.us for op in ops), ops + later, "shape"
    else:
        later, cost, concerned, cause = changed(ops, options)
    after = write(options.after, later, 2 * options.seed + 1, options, options.replays_after, SLOW_MHZ if options.change == "clock" else MHZ)
    truth = {"change": options.change, "cause": cause, "cost_us": cost,
             "before_rows": sorted(before[id(op)] for op in concerned if id(op) in before),
             "after_rows": sorted(after[id(op)] for op in concerned if id(op) in after)}
    with open(options.truth, "w") as file:
        json.dump(truth, file, indent=1)


if __name__ == "__main__":
    main()
