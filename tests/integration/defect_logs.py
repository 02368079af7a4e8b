"""Small runtime logs whose memory lines are true: a simulated allocator prints its state before each op.

    log = Log()
    with log.program("main"):
        made = log.op("full", {"%0": mib(3)})      # the line number of the op
        log.deallocate("%0")

Sizes follow the runtime: interleaved tensors take ceil(pages / banks) aligned pages of every bank, sharded ones their
shard in every bank, host tensors nothing.
"""
import contextlib
import math

MIB = 1048576
BANKS = {"DRAM": 12, "L1": 64, "L1_SMALL": 64, "TRACE": 12}
BANK_MB = {"DRAM": 1021.169, "L1": 1.268, "L1_SMALL": 0.062, "TRACE": 0.0}
ALIGNMENT = {"DRAM": 32, "L1": 16}
TILE_BYTES = {"f32": 4096, "si32": 4096, "bf16": 2048, "ui16": 2048, "bfp_bf8": 1088, "bfp_bf4": 576, "bfp_bf2": 320}
ELEMENT_BYTES = {"f32": 4, "si32": 4, "bf16": 2, "ui16": 2, "i1": 1}
OP_TYPES = {"EltwiseBinaryOp": ("add", "multiply"), "EltwiseUnaryOp": ("neg", "exp", "relu"), "ReductionOp": ("mean",)}


class Tensor:
    """A tensor type with its layout."""

    def __init__(self, shape, dtype="bf16", memory="DRAM", **layout):
        self.shape, self.dtype, self.memory = tuple(shape), dtype, memory
        self.tiled = layout.get("tiled", True)
        self.stored = layout.get("stored", dtype)  # type of the stored tiles, where it differs
        self.grid = layout.get("grid")             # sharded in blocks over so many rows and columns of cores
        rows, columns = ((1, 1) + self.shape)[-2:]
        outer = math.prod(self.shape[:-2])
        step = 32 if self.tiled else 1
        self.stored_rows = outer * -(-rows // step) * step
        self.stored_columns = -(-columns // step) * step

    def shard(self):
        """Rows and columns of one shard, in tiles where it is tiled."""
        step = 32 if self.tiled else 1
        grid_rows, grid_columns = self.grid or (1, 1)
        return -(-(self.stored_rows // step) // grid_rows), -(-(self.stored_columns // step) // grid_columns)

    @property
    def padded_bytes(self):
        rows, columns = self.shard()
        element_bytes = TILE_BYTES[self.stored] if self.tiled else ELEMENT_BYTES[self.stored]
        return rows * columns * math.prod(self.grid or (1, 1)) * element_bytes

    @property
    def bytes_per_bank(self):
        if self.memory == "host":
            return 0
        rows, columns = self.shard()
        pages, page = (rows * columns, TILE_BYTES[self.stored]) if self.tiled else (rows, columns * ELEMENT_BYTES[self.stored])
        if not self.grid:
            pages = -(-pages // BANKS[self.memory])
        align = ALIGNMENT[self.memory]
        return pages * (-(-page // align) * align)

    def layout(self):
        rank = len(self.shape)
        names = ", ".join(f"d{i}" for i in range(rank))
        affine = {0: "0, 0", 1: "0, d0"}.get(rank, " + ".join([f"d{i} * 32" for i in range(rank - 2)] + [f"d{rank - 2}"]) +
                                             f", d{rank - 1}")
        element = f"!ttcore.tile<32x32, {self.stored}>" if self.tiled else self.stored
        rows, columns = self.shard()
        grid = "x".join(map(str, self.grid or (1, 1)))
        buffer = {"DRAM": "dram", "L1": "l1", "host": "system_memory"}[self.memory]
        kind = "" if self.memory == "host" else ", <block_sharded>" if self.grid else ", <interleaved>"
        return (f"#ttnn.ttnn_layout<({names}) -> ({affine}), <{grid}>, memref<{rows}x{columns}x{element}, "
                f"#ttnn.buffer_type<{buffer}>>{kind}>")

    def __str__(self):
        element = f"!ttcore.tile<32x32, {self.dtype}>" if self.dtype.startswith("bfp") else self.dtype
        return f"tensor<{''.join(f'{d}x' for d in self.shape)}{element}, {self.layout()}>"


DEVICE = "!ttnn.device"


def mib(count, memory="DRAM"):
    """A tensor without padding that takes so many MiB of every DRAM bank, or lies on the host."""
    return Tensor((count * 1536, 4096), memory=memory)


def runtime_line(message, kind="RuntimeTTNN", level="DEBUG"):
    return f"{kind:>23} | {level:>8} | {message}"


def view_line(memory, used_bytes, name=None):
    total, used = BANK_MB[memory], used_bytes / MIB
    return runtime_line(
        f"Device {name or memory} memory state: MemoryView{{numBanks: {BANKS[memory]}, totalBytesPerBank: {total:.3f} MB, "
        f"totalBytesAllocatedPerBank: {used:.3f} MB, totalBytesFreePerBank: {total - used:.3f} MB, "
        f"largestContiguousBytesFreePerBank: {total - used:.3f} MB}}", "Always", "INFO")


def op_type_of(name):
    for kind, names in OP_TYPES.items():
        if name in names:
            return kind
    return "".join(word.capitalize() for word in name.split("_")) + "Op"


class Log:
    def __init__(self):
        self.lines = []
        self.used = {"DRAM": 0, "L1": 0}
        self.scopes = [{}]  # SSA name -> tensor, innermost program last

    def write(self, *lines):
        self.lines.extend(lines)
        return len(self.lines)

    def text(self):
        return "".join(line + "\n" for line in self.lines)

    def place(self, tensor):
        """Moved to the device outside any op."""
        if tensor.memory in self.used:
            self.used[tensor.memory] += tensor.bytes_per_bank

    def drop(self, tensor):
        if tensor.memory in self.used:
            self.used[tensor.memory] -= tensor.bytes_per_bank

    @contextlib.contextmanager
    def program(self, name="main", arguments=None, finishes=True):
        self.write(runtime_line(f"Starting execution of program: {name}"))
        self.scopes.append(dict(arguments or {}))
        yield self
        self.scopes.pop()
        if finishes:
            self.write(runtime_line(f"Finished execution of program: {name}"))

    def block(self, op_type):
        """The five lines before an op."""
        self.write(runtime_line(f"Device memory state before operation {op_type}", "Always", "INFO"))
        for memory in BANKS:
            self.write(view_line(memory, self.used.get(memory, 0)))

    def announce(self, text, op_type, block=True):
        line = self.write(runtime_line("Executing operation: " + text))
        if callable(block):
            block()
        elif block:
            self.block(op_type)
        return line

    def op(self, name, results, operands=(), **options):
        """One op; options: attributes (with their brackets), loc (whole, with its quotes), block (False: none is printed;
        or a function that prints another), fresh (False: no new bytes)."""
        types = ", ".join(str(self.type_of(operand)) for operand in operands)
        results_type = ", ".join(map(str, results.values()))
        made = f"({results_type})" if len(results) != 1 else results_type
        loc = options.get("loc", f'"{name}.{len(self.lines) + 1}"')
        line = self.announce(f'{result_names(results)}"ttnn.{name}"({", ".join(operands)}){options.get("attributes", "")} : '
                             f"({types}) -> {made} loc({loc})", op_type_of(name), options.get("block", True))
        for ssa, tensor in results.items():
            self.scopes[-1][ssa] = tensor
            if tensor != DEVICE and options.get("fresh", True):
                self.place(tensor)
        return line

    def type_of(self, operand):
        return self.scopes[-1][operand]

    def deallocate(self, operand, retained=False):
        tensor = self.scopes[-1].pop(operand)
        line = self.announce(f'"ttnn.deallocate"({operand}) <{{force = false}}> : ({tensor}) -> () loc(unknown)', "DeallocateOp")
        if retained:
            self.write(runtime_line("Tensor is retained thus not deallocating. To deallocate, set retain to false first", "Always"))
        else:
            self.drop(tensor)
        return line

    def load_cached(self, result, tensor, callee, operands):
        types = ", ".join(str(self.type_of(operand)) for operand in operands)
        line = self.announce(f"{result} = ttcore.load_cached(@{callee}, [{', '.join(operands)}]) : ({types}) -> {tensor} "
                             "loc(unknown)", "LoadCachedOp")
        self.scopes[-1][result] = tensor
        self.write(runtime_line(f"Running LoadCachedOp for function {callee} with hash: {callee.encode().hex():0>64}", "Always"))
        return line

    def cache_hit(self, result, tensor, callee, operands):
        line = self.load_cached(result, tensor, callee, operands)
        self.write(runtime_line(f"Cache hit for function: {callee}", "Always"))
        return line

    @contextlib.contextmanager
    def cache_miss(self, result, tensor, callee, operands, says_so=True):
        """The body makes `tensor`, which stays in the cache; nested names start anew."""
        arguments = {f"%arg{i}": self.type_of(operand) for i, operand in enumerate(operands)}
        line = self.load_cached(result, tensor, callee, operands)
        if says_so:
            self.write(runtime_line(f"Cache miss or invalid cache for function: {callee}", "Always"))
        with self.program(callee, arguments):
            yield line
        self.write(runtime_line(f"executed sub-func: {callee}", "Always"))


def result_names(results):
    names = list(results)
    if not names:
        return ""
    if "#" in names[0]:
        return f"{names[0].split('#')[0]}:{len(names)} = "
    return ", ".join(names) + " = "


def module(stage, *functions, aliases=()):
    """A module dump: functions are lists of lines."""
    head = "2026-01-22 14:39:57.434 (   7.434s) [        7F3A1C40]      module_builder.cc:1278     1| "
    body = [line for function in functions for line in function]
    return [head + f"MLIR Module {stage}:", "module @test {", *body, "}", *aliases,
            "------------------ END OF MLIR MODULE ------------------"]


def function(name, arguments, body=(), visibility=""):
    """arguments: (kind, model name, type) each."""
    listed = ", ".join(
        f'%arg{i}: {kind_type} {{ttcore.argument_type = #ttcore.argument_type<{kind}>, ttir.name = "{model_name}"}}'
        for i, (kind, model_name, kind_type) in enumerate(arguments))
    return [f"  func.func {visibility}@{name}({listed}) -> tensor<1xbf16> {{", *body, "  }"]


def tagged(rank, lines):
    """The lines as mpirun prints them for a rank."""
    return [f"[1,{rank}]<stdout>: {line}" for line in lines]
