"""Small runtime logs for the tests of the command line: just enough lines to be recognised."""

LAYOUT = ("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<{0}x{1}x!ttcore.tile<32x32, bf16>, "
          "#ttnn.buffer_type<dram>>, <interleaved>>")


def tensor(rows, columns):
    layout = LAYOUT.format((rows + 31) // 32, (columns + 31) // 32)
    return f"tensor<{rows}x{columns}xbf16, {layout}>"


def runtime_line(message, kind="RuntimeTTNN", level="DEBUG"):
    return f"{kind:>23} | {level:>8} | {message}"


def block(header, dram_mb, bank_mb=1000.0):
    """A memory block: its header and the four views."""
    lines = [runtime_line(f"Device memory state {header}", "Always", "INFO")]
    for name, banks, total, used in (("DRAM", 12, bank_mb, dram_mb), ("L1", 64, 1.25, 0.0),
                                     ("L1_SMALL", 64, 0.062, 0.0), ("TRACE", 12, 0.0, 0.0)):
        free = total - used
        lines.append(runtime_line(
            f"Device {name} memory state: MemoryView{{numBanks: {banks}, totalBytesPerBank: {total:.3f} MB, "
            f"totalBytesAllocatedPerBank: {used:.3f} MB, totalBytesFreePerBank: {free:.3f} MB, "
            f"largestContiguousBytesFreePerBank: {free:.3f} MB}}", "Always", "INFO"))
    return lines


def op(result, name, operands, rows, columns, loc):
    types = ", ".join([tensor(rows, columns)] * len(operands))
    return runtime_line(f'Executing operation: %{result} = "ttnn.{name}"({", ".join(operands)}) : ({types}) -> '
                        f'{tensor(rows, columns)} loc("{loc}")')


def load_cached(result, callee):
    return runtime_line(f"Executing operation: %{result} = ttcore.load_cached(@{callee}, []) : () -> "
                        f"{tensor(ROWS, COLUMNS)} loc(unknown)")


def deallocate(operand, rows, columns):
    return runtime_line(f'Executing operation: "ttnn.deallocate"({operand}) <{{force = false}}> : '
                        f'({tensor(rows, columns)}) -> () loc(unknown)')


# One tensor of this shape takes exactly 2 MB in each of 12 banks.
ROWS, COLUMNS, STEP_MB = 3072, 4096, 2.0


def program(name="main", ops=("add", "multiply"), base_mb=1.0, memory=True, marker=False):
    """A program whose ops each add a tensor and whose end frees the first."""
    lines = [runtime_line(f"Starting execution of program: {name}")]
    state = base_mb

    def add(op_line, op_type):
        lines.append(op_line)
        if memory:
            lines.extend(block(f"before operation {op_type}", state))

    for i, op_name in enumerate(ops):
        add(op(i, op_name, ["%arg0"], ROWS, COLUMNS, f"{op_name}.{i}"), "EltwiseBinaryOp")
        state += STEP_MB
    add(deallocate("%0", ROWS, COLUMNS), "DeallocateOp")
    lines.append(runtime_line(f"Finished execution of program: {name}"))
    if marker:
        lines.append("Got output shape: torch.Size([1, 8])")
    return lines


def module(stage="ttnn"):
    """A module dump with a weight and an input."""
    head = "2026-01-22 14:39:57.434 (   7.434s) [        7F3A1C40]      module_builder.cc:1278     1| "
    kind = "{{ttcore.argument_type = #ttcore.argument_type<{0}>, ttir.name = \"{1}\"}}"
    return [
        head + f"MLIR Module {stage}:",
        "module @test {",
        f"  func.func @main(%arg0: tensor<3072x4096xbf16> {kind.format('parameter', 'layer.weight')}, "
        f"%arg1: tensor<3072x4096xbf16> {kind.format('input', 'args_0')}) -> tensor<3072x4096xbf16> {{",
        "    return %arg0 : tensor<3072x4096xbf16>",
        "  }",
        "}",
        "------------------ END OF MLIR MODULE ------------------",
    ]


def text(*parts):
    return "".join(line + "\n" for part in parts for line in ([part] if isinstance(part, str) else part))


def tagged(rank, lines):
    """The lines as mpirun prints them for a rank."""
    return [f"[1,{rank}]<stdout>: {line}" for line in lines]
