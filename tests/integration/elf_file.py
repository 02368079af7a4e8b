"""Reads what the loader reads of a program or library (ELF, 64 bits, little endian)."""
import dataclasses
import pathlib
import struct

MAGIC = b"\x7fELF\x02\x01"
EXECUTABLE, SHARED = 2, 3
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 3, 0x6474E551, 0x6474E552
DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_RPATH, DT_BIND_NOW, DT_RUNPATH, DT_FLAGS = 1, 5, 6, 10, 15, 24, 29, 30
DT_FLAGS_1 = 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 0x8, 0x1, 0x08000000
SHT_DYNSYM = 11


@dataclasses.dataclass
class Elf:
    path: pathlib.Path
    kind: int = 0
    is_program: bool = False
    is_pie: bool = False
    binds_now: bool = False
    has_relro: bool = False
    stack_flags: int = -1  # of PT_GNU_STACK; -1: none
    is_dynamic: bool = False
    needed: list = dataclasses.field(default_factory=list)
    folders: list = dataclasses.field(default_factory=list)  # RPATH and RUNPATH as they are, whole
    symbols: set = dataclasses.field(default_factory=set)  # dynamic ones

    def bad_folders(self):
        """Parts of the search path that are the current folder, or under it."""
        parts = [part for folders in self.folders for part in folders.split(":")]
        return [part for part in parts
                if not (part.startswith("/") or part == "$ORIGIN" or part.startswith("$ORIGIN/")
                        or part == "${ORIGIN}" or part.startswith("${ORIGIN}/"))]


def read_elf(path):
    """None: not a program or library."""
    path = pathlib.Path(path)
    with open(path, "rb") as file:
        if file.read(6) != MAGIC:
            return None
        file.seek(0)
        data = file.read()
    kind, = struct.unpack_from("<H", data, 16)
    if kind not in (EXECUTABLE, SHARED):
        return None
    elf = Elf(path, kind)
    segments = read_segments(data)
    for segment in segments:
        elf.is_program |= segment[0] == PT_INTERP
        elf.has_relro |= segment[0] == PT_GNU_RELRO
        if segment[0] == PT_GNU_STACK:
            elf.stack_flags = segment[1]
    for tag, _, offset, _, size in segments:
        if tag == PT_DYNAMIC:
            read_dynamic(elf, data, offset, size, segments)
    read_symbols(elf, data)
    return elf


def read_segments(data):
    """Type, flags, offset, address and size of each."""
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    rows = []
    for index in range(count):
        tag, flags, offset, address, _, file_size = struct.unpack_from("<IIQQQQ", data, start + index * size)
        rows.append((tag, flags, offset, address, file_size))
    return rows


def offset_of(address, segments):
    for tag, _, offset, begin, size in segments:
        if tag == PT_LOAD and begin <= address < begin + size:
            return offset + address - begin
    raise ValueError(f"no segment has the address {address:#x}")


def text_at(data, offset):
    return data[offset:data.index(b"\0", offset)].decode()


def read_dynamic(elf, data, offset, size, segments):
    elf.is_dynamic = True
    entries = [struct.unpack_from("<qQ", data, at) for at in range(offset, offset + size, 16)]
    if (0, 0) in entries:
        entries = entries[:entries.index((0, 0))]
    texts = offset_of(dict(entries)[DT_STRTAB], segments)
    for tag, value in entries:
        if tag == DT_NEEDED:
            elf.needed.append(text_at(data, texts + value))
        elif tag in (DT_RPATH, DT_RUNPATH):
            elf.folders.append(text_at(data, texts + value))
        elif tag == DT_BIND_NOW:
            elf.binds_now = True
        elif tag == DT_FLAGS:
            elf.binds_now |= bool(value & DF_BIND_NOW)
        elif tag == DT_FLAGS_1:
            elf.binds_now |= bool(value & DF_1_NOW)
            elf.is_pie = bool(value & DF_1_PIE)


def read_symbols(elf, data):
    start, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQII", data, start + index * size) for index in range(count)]
    for _, kind, _, _, offset, length, link, _ in sections:
        if kind != SHT_DYNSYM:
            continue
        texts = sections[link][4]
        for at in range(offset, offset + length, 24):
            name, = struct.unpack_from("<I", data, at)
            elf.symbols.add(text_at(data, texts + name))


def elves_under(folder):
    """All programs and libraries of a folder; links and object files are left out."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_symlink() or not path.is_file() or path.suffix in (".o", ".a", ".gch", ".json", ".html"):
            continue
        if "CMakeFiles" in path.parts:  # CMake's own probes
            continue
        elf = read_elf(path)
        if elf is not None:
            yield elf
