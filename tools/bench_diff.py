"""Speed of `ttscope diff` on two reports of 200,000 ops: rows of the table of ./dev bench.

Aligning them is not to take longer than reading them, so the whole takes at most twice the two readings.
"""
import os
import random

from bench_perf_table import make_report

ROWS = 200_000


def edited(kinds, seed):
    """A tenth removed, a tenth inserted: what a compiler change leaves of a long run at worst."""
    numbers = random.Random(seed)
    order = []
    for kind in kinds:
        if numbers.random() < 0.1:
            order.append(numbers.randrange(250))
        if numbers.random() >= 0.1:
            order.append(kind)
    return order


def rows(program, folder, repeat, best, memory):
    before, after = os.path.join(folder, "before.csv"), os.path.join(folder, "after.csv")
    numbers = random.Random(1)
    kinds = [numbers.randrange(250) for _ in range(ROWS)]
    half = ROWS // 2
    layers = kinds[:200] * (ROWS // 200)
    moved = [kind for start in range(0, ROWS, 200) for kind in layers[:100] + layers[120:200] + layers[100:120]]
    cases = (("a tenth inserted and removed", kinds, edited(kinds, 2)), ("halves swapped", kinds, kinds[half:] + kinds[:half]),
             ("a block moved in each of 1,000 layers", layers, moved))
    lines = []
    for title, old, new in cases:
        reading = 0
        for path, order in ((before, old), (after, new)):
            make_report(path, len(order), order=order)
            reading += best([program, "perf", path, "-q", "--ignore-signposts", "--warm-up", "--json", "/dev/null"], repeat)[0]
        seconds, used = best([program, "diff", before, after, "-q", "--json", "/dev/null"], repeat)
        lines.append((f"diff of {ROWS:,} ops, {title}, of reading both", f"{seconds:.3f} s", f"{seconds / reading:.1f}x", "2x",
                      memory(used, 1000 * 10 ** 6)))
    os.remove(before)
    os.remove(after)
    return lines
