#!/usr/bin/env python3
"""Makes an ops report of several devices whose times are known, and the truth about it.

    tools/make_device_run.py --devices 4 --layers 8 --slow-device 2 --slow-factor 9 run.csv truth.json

Each layer is a matmul, a softmax and a collective. One device can be slower at the softmax (an imbalance), one can be
late for each collective because its launch takes longer (lateness), links can be given a time of their own, and one
device can lose rows (--lost-device, --lost-layers, --lost-ops: 0 the matmul, 1 the softmax, 2 the collective). A
collective ends on all devices together, when the last one has come and the links have had their time. On a mesh
(--mesh 2x4) it is one of each row alone, in every other layer one of each column. Every device counts cycles from a
reset of its own. The truth is a simulation of these rules: walls, busy times, what devices wait, and
the wall time without the imbalance, without the lateness, and with links that take no time.
"""
import argparse
import csv
import json
import random

MHZ = 1350
COLUMNS = ["OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "DEVICE ID", "DEVICE ARCH", "ATTRIBUTES", "MATH FIDELITY", "CORE COUNT",
           "AVAILABLE WORKER CORE COUNT", "HOST START TS", "HOST DURATION [ns]", "DEVICE FW START CYCLE", "DEVICE FW END CYCLE",
           "OP TO OP LATENCY [ns]", "DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]", "METAL TRACE ID",
           "METAL TRACE REPLAY SESSION ID"] + [
               f"{side}_0_{part}" for side in ("INPUT", "OUTPUT")
               for part in ("W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]", "DATATYPE", "MEMORY")]
MATMUL_US, SOFTMAX_US, GAP_US = 20.0, 10.0, 1.0


def simulate(options, slow_factor, late_us, link_us):
    """All ops as dicts of layer, place in it, name, device, start and end in us, and how late the last device came."""
    ops, late = [], 0.0
    free = [0.0] * options.devices
    for layer in range(options.layers):
        arrivals = []
        for device in range(options.devices):
            at = free[device]
            softmax = SOFTMAX_US * (slow_factor if device == options.slow_device else 1)
            for place, (name, took) in enumerate((("Matmul", MATMUL_US), ("Softmax", softmax))):
                at += GAP_US if layer or place else 0
                at += options.all_late_us if layer and place == 0 else 0
                ops.append({"layer": layer, "place": place, "name": name, "device": device, "start": at, "end": at + took})
                at += took
            arrivals.append(at + GAP_US + (late_us if device == options.late_device else 0))
        for group in groups_of(layer, options):
            met = sorted(arrivals[device] for device in group)
            others = met[:-1]
            middle = (others[(len(others) - 1) // 2] + others[len(others) // 2]) / 2 if others else met[-1]
            late += met[-1] - middle
            for device in group:
                free[device] = met[-1] + link_us
                ops.append({"layer": layer, "place": 2, "name": options.collective, "device": device, "start": arrivals[device],
                            "end": free[device]})
    return ops, late


def axis_of(layer):
    """Of the mesh, as tt-metal counts: along axis 1 the devices of a row meet."""
    return 1 - layer % 2


def groups_of(layer, options):
    """The devices that meet in the collective of a layer."""
    if options.mesh is None:
        return [list(range(options.devices))]
    rows, columns = options.mesh
    if axis_of(layer) == 1:
        return [[row * columns + column for column in range(columns)] for row in range(rows)]
    return [[row * columns + column for row in range(rows)] for column in range(columns)]


def mesh_cells(op, options):
    """What an all-gather of a mesh tells of who meets: its axis, and how much wider its output is."""
    if options.mesh is None or op["place"] != 2:
        return {}
    axis = axis_of(op["layer"])
    width = 1024 * options.mesh[axis]
    cells = {"ATTRIBUTES": f"{{'cluster_axis': '{axis}'; 'num_links': '2'; 'topology': 'Topology::Ring'}}"}
    for side, size in (("INPUT", 1024), ("OUTPUT", width)):
        cells |= {f"{side}_0_W_PAD[LOGICAL]": "1[1]", f"{side}_0_Z_PAD[LOGICAL]": "1[1]", f"{side}_0_Y_PAD[LOGICAL]": "32[32]",
                  f"{side}_0_X_PAD[LOGICAL]": f"{size}[{size}]", f"{side}_0_DATATYPE": "BFLOAT16",
                  f"{side}_0_MEMORY": "DEV_0_DRAM_INTERLEAVED"}
    return cells


def is_lost(op, options):
    return op["device"] == options.lost_device and op["layer"] in options.lost_layers and op["place"] in options.lost_ops


def wall(ops, devices):
    return max(max(op["end"] for op in ops if op["device"] == device) - min(op["start"] for op in ops if op["device"] == device)
               for device in range(devices))


def cells(op, options, resets, before):
    cycle = {side: resets[op["device"]] + round(op[side] * MHZ) for side in ("start", "end")}
    took = round((cycle["end"] - cycle["start"]) * 1000 / MHZ)
    gap = 0 if before is None else round((op["start"] - before) * 1000)
    number = op["layer"] * 3 + op["place"] + 1
    return {"OP CODE": op["name"], "OP TYPE": "tt_dnn_device", "GLOBAL CALL COUNT": number * 1024 + op["device"],
            "DEVICE ID": op["device"], "DEVICE ARCH": "blackhole", "MATH FIDELITY": "HiFi2", "CORE COUNT": 64,
            "ATTRIBUTES": "{'num_links': '2'; 'topology': 'Topology::Ring'}" if op["place"] == 2 else "",
            "AVAILABLE WORKER CORE COUNT": 110, "HOST START TS": 10**9 + number * 1000 + op["device"], "HOST DURATION [ns]": 500,
            "DEVICE FW START CYCLE": cycle["start"], "DEVICE FW END CYCLE": cycle["end"], "OP TO OP LATENCY [ns]": gap,
            "DEVICE FW DURATION [ns]": took, "DEVICE KERNEL DURATION [ns]": took} | mesh_cells(op, options)


def rows_of(ops, options):
    randoms = random.Random(options.seed)
    resets = [randoms.randrange(10**9, 10**13) for _ in range(options.devices)]
    by_device = [[op for op in sorted(ops, key=lambda op: op["start"]) if op["device"] == device] for device in range(options.devices)]
    rows = []
    for own in by_device:
        ends = [None] + [op["end"] for op in own[:-1]]
        rows += [(op, cells(op, options, resets, before)) for op, before in zip(own, ends)]
    if not options.blocks:
        rows.sort(key=lambda row: (row[0]["layer"], row[0]["place"], row[0]["device"]))
    return [row for _, row in rows]


def numbers(text):
    return [int(one) for one in text.split(",")]


def sizes(text):
    rows, columns = text.split("x")
    return int(rows), int(columns)


def truth_of(ops, late, options):
    def changed(**values):
        given = {"slow_factor": options.slow_factor, "late_us": options.late_us, "link_us": options.link_us}
        return wall(simulate(options, **{**given, **values})[0], options.devices)

    devices = []
    for device in range(options.devices):
        own = [op for op in ops if op["device"] == device and not is_lost(op, options)]
        devices.append({"device": device, "wall_us": max(op["end"] for op in own) - min(op["start"] for op in own),
                        "busy_us": sum(op["end"] - op["start"] for op in own)})
    return {"wall_us": wall(ops, options.devices), "devices": devices, "late_us": late,
            "wall_without_slow_device_us": changed(slow_factor=1), "wall_without_lateness_us": changed(late_us=0),
            "wall_without_links_us": changed(link_us=0), "link_us": options.link_us * options.layers,
            "order": [op["name"] for op in sorted((op for op in ops if op["device"] == 0), key=lambda op: op["start"])]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report")
    parser.add_argument("truth")
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--mesh", type=sizes, metavar="ROWSxCOLUMNS", help="of all-gathers (--collective AllGather)")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--collective", default="AllBroadcast")
    parser.add_argument("--slow-device", type=int, default=-1)
    parser.add_argument("--slow-factor", type=float, default=1)
    parser.add_argument("--late-device", type=int, default=-1)
    parser.add_argument("--late-us", type=float, default=0)
    parser.add_argument("--all-late-us", type=float, default=0, help="all devices wait before each matmul but the first")
    parser.add_argument("--link-us", type=float, default=5)
    parser.add_argument("--lost-device", type=int, default=-1)
    parser.add_argument("--lost-layers", type=numbers, default=[], metavar="N,...")
    parser.add_argument("--lost-ops", type=numbers, default=[0, 1, 2], metavar="N,...")
    parser.add_argument("--blocks", action="store_true", help="one block of rows for each device")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.mesh:
        options.devices = options.mesh[0] * options.mesh[1]
    ops, late = simulate(options, options.slow_factor, options.late_us, options.link_us)
    with open(options.report, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(rows_of([op for op in ops if not is_lost(op, options)], options))
    with open(options.truth, "w") as file:
        json.dump(truth_of(ops, late, options), file, indent=1)


if __name__ == "__main__":
    main()
