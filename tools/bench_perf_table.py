"""Speed and memory of `ttscope perf` on finished ops reports: rows of the table of ./dev bench.

The reports are generated: rows of about 1,450 bytes and 100 columns, as in reports of 2026, with a few hundred distinct ops.
"""
import os

COLUMNS = (
    "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,ATTRIBUTES,MATH FIDELITY,CORE COUNT,AVAILABLE WORKER CORE COUNT,"
    "PARALLELIZATION STRATEGY,HOST START TS,HOST END TS,HOST DURATION [ns],DEVICE FW START CYCLE,DEVICE FW END CYCLE,"
    "OP TO OP LATENCY [ns],OP TO OP LATENCY BR/NRISC START [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
    "DEVICE KERNEL DURATION DM START [ns],DEVICE KERNEL DURATION PER CORE MIN [ns],DEVICE KERNEL DURATION PER CORE MAX [ns],"
    "DEVICE KERNEL DURATION PER CORE AVG [ns],DEVICE KERNEL FIRST TO LAST START [ns],DEVICE BRISC KERNEL DURATION [ns],"
    "DEVICE NCRISC KERNEL DURATION [ns],DEVICE TRISC0 KERNEL DURATION [ns],DEVICE TRISC1 KERNEL DURATION [ns],"
    "DEVICE TRISC2 KERNEL DURATION [ns],DEVICE ERISC KERNEL DURATION [ns]").split(",")
for tensor in [f"INPUT_{i}_" for i in range(6)] + ["OUTPUT_0_", "OUTPUT_1_"]:
    COLUMNS += [f"{tensor}{size}_PAD[LOGICAL]" for size in "WZYX"]
    COLUMNS += [tensor + part for part in ("LAYOUT", "DATATYPE", "MEMORY")]
COLUMNS += ["METAL TRACE ID", "METAL TRACE REPLAY SESSION ID", "COMPUTE KERNEL SOURCE", "COMPUTE KERNEL HASH",
            "DATA MOVEMENT KERNEL SOURCE", "DATA MOVEMENT KERNEL HASH", "PROGRAM HASH", "PROGRAM CACHE HIT",
            "PM IDEAL [ns]", "PM COMPUTE [ns]", "PM BANDWIDTH [ns]", "PM REQ I BW", "PM REQ O BW", "PM FPU UTIL (%)"]
NAMES = ["Matmul", "BinaryNgDeviceOperation", "UnaryDeviceOperation", "LayerNormDeviceOperation", "ReshapeDeviceOperation",
         "TilizeWithValPaddingDeviceOperation", "SoftmaxDeviceOperation", "InterleavedToShardedDeviceOperation"]


def op_parts(kind):
    """The cells of an op that stay the same, as a row with places for those that change."""
    cells = dict.fromkeys(COLUMNS, "")
    size = 32 * (kind % 29 + 1)
    cells.update({
        "OP CODE": NAMES[kind % len(NAMES)], "OP TYPE": "tt_dnn_device", "DEVICE ID": "0", "DEVICE ARCH": "blackhole",
        "MATH FIDELITY": "HiFi4", "CORE COUNT": str(kind % 110 + 1), "AVAILABLE WORKER CORE COUNT": "110",
        "ATTRIBUTES": "{" + "; ".join(f"'attribute_{i}': 'MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED;"
                                      f"buffer_type=BufferType::DRAM;number={kind + i})'" for i in range(5)) + "}",
        "COMPUTE KERNEL SOURCE": "['ttnn/cpp/ttnn/operations/kernels/compute/kernel.cpp']",
        "COMPUTE KERNEL HASH": f"['kernel/{kind * 7919}/']",
        "DATA MOVEMENT KERNEL SOURCE": "['ttnn/cpp/ttnn/operations/kernels/dataflow/reader.cpp'; "
                                       "'ttnn/cpp/ttnn/operations/kernels/dataflow/writer.cpp']",
        "DATA MOVEMENT KERNEL HASH": f"['reader/{kind * 104729}/'; 'writer/{kind * 1299709}/']",
        "PROGRAM HASH": str(kind * 15485863), "PROGRAM CACHE HIT": "False", "PM IDEAL [ns]": "1200", "PM COMPUTE [ns]": "1200",
        "PM BANDWIDTH [ns]": "1", "PM REQ I BW": "[330.4336242675781]", "PM REQ O BW": "[330.4336242675781]"})
    for tensor, y, x in (("INPUT_0_", size, 1024), ("INPUT_1_", 1024, 2048), ("OUTPUT_0_", size, 2048)):
        for name, value in (("W", 1), ("Z", 1), ("Y", y), ("X", x)):
            cells[f"{tensor}{name}_PAD[LOGICAL]"] = f"{value}[{value}]"
        cells[tensor + "LAYOUT"], cells[tensor + "DATATYPE"] = "TILE", "BFLOAT16"
        cells[tensor + "MEMORY"] = "DEV_0_DRAM_INTERLEAVED" if kind % 2 else "DEV_0_L1_HEIGHT_SHARDED"
    changing = {"GLOBAL CALL COUNT": "{0}", "HOST START TS": "{1}", "HOST END TS": "{1}", "HOST DURATION [ns]": "1400",
                "DEVICE FW START CYCLE": "{2}", "DEVICE FW END CYCLE": "{3}", "OP TO OP LATENCY [ns]": "{4}",
                "DEVICE FW DURATION [ns]": "{5}", "DEVICE KERNEL DURATION [ns]": "{6}"}
    for column in COLUMNS[19:29]:
        changing[column] = "{6}"
    text = ",".join("\0" + column if column in changing else cells[column].replace("{", "{{").replace("}", "}}")
                    for column in COLUMNS)
    for column, place in changing.items():
        text = text.replace("\0" + column + ",", place + ",")
    return text + "\r\n"


def make_report(path, rows, kinds=250, order=None):
    """`order`: the kind of every row; without it they take turns."""
    forms = [op_parts(kind) for kind in range(kinds)]
    cycle = 10 ** 12
    with open(path, "w", newline="") as f:
        f.write(",".join(COLUMNS) + "\r\n")
        for first in range(0, rows, 1000):
            lines = []
            for i in range(first, min(first + 1000, rows)):
                ns = 2000 + i * 7919 % 90000
                fw = ns + 800
                end = cycle + fw * 27 // 20
                lines.append(forms[order[i] if order else i * 31 % kinds].format(1024 * i, 10 ** 9 + 5000 * i, cycle, end, 400 + i * 104729 % 30000, fw, ns))
                cycle = end + 5000
            f.write("".join(lines))


def rows(program, folder, repeat, best, memory):
    """Lines of the table: a report of 100,000 rows against wc, and the memory of a million."""
    path = os.path.join(folder, "ops.csv")
    lines = []
    for count, bar, allowed in ((100_000, "25x", 500), (1_000_000, "", 500)):
        make_report(path, count)
        wc, _ = best(["wc", "-l", path], repeat)
        for title, options in (("--table", ["--table"]), ("--json", ["-q", "--json", "/dev/null"])):
            seconds, used = best([program, "perf", path, "--ignore-signposts", *options], repeat)
            lines.append((f"ops report of {count:,} rows: perf {title}", f"{seconds:.3f} s", f"{seconds / wc:.1f}x", bar,
                          memory(used, allowed * 10 ** 6)))
        os.remove(path)
    return lines
