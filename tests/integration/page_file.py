"""Reads a report page by its description (docs/formats/report_page.md) alone."""
import base64
import json
import re
import struct
import zlib

NONE = 0xffffffff
SIZES = {"u8": 1, "u32": 4, "i64": 8}
MEMORIES = ("DRAM", "L1", "L1_SMALL", "TRACE")
KINDS = ("unknown", "weight", "const_eval", "activation", "input")
BLOCK = re.compile(r'<script type="(application/json|application/octet-stream)" id="([^"]*)">([^<]*)</script>')


class PageColumns:
    """The blobs of any page that keeps columns, told by the `columns` of its header."""

    def __init__(self, path, header="ttscope-page"):
        with open(path, encoding="utf-8", newline="") as f:
            self.html = f.read()
        self.blocks = {name: text for _, name, text in BLOCK.findall(self.html)}
        self.header = json.loads(self.blocks[header])
        self.columns = {}

    def blob(self, name):
        text = self.blocks.get(name)
        return b"" if text is None else zlib.decompress(base64.b64decode(text, validate=True), 16 + zlib.MAX_WBITS)

    def json(self, name):
        return json.loads(self.blob(name))

    def column(self, name):
        """The values of a column; the page may lack one that is empty."""
        if name not in self.columns:
            self.columns[name] = self.decode(name)
        return self.columns[name]

    def decode(self, name):
        form = self.header["columns"].get(name)
        if form is None:
            return []
        width, count = SIZES[form["type"]], form["count"]
        planes = self.blob(name)
        assert len(planes) == width * count, f"{name}: {len(planes)} bytes for {count} values"
        rows = bytearray(width * count)
        for plane in range(width):
            rows[plane::width] = planes[plane * count:(plane + 1) * count]
        values = list(struct.unpack(f"<{count}{ {1: 'B', 4: 'I', 8: 'q'}[width] }", rows))
        if form.get("delta"):
            mask = (1 << 8 * width) - 1
            for i in range(1, count):
                values[i] = (values[i] + values[i - 1]) & mask
            if form["type"] == "i64":
                values = [v - (1 << 64) if v > mask >> 1 else v & mask for v in values]
        return values

    def strings(self, name):
        raw, at, texts = self.blob(name + ".bytes"), 0, []
        for length in self.column(name + ".len"):
            texts.append(raw[at:at + length].decode("utf-8"))
            at += length
        assert at == len(raw), name
        return texts


class Page(PageColumns):
    """The page of `ttscope mem`."""

    def __init__(self, path):
        super().__init__(path)
        self.mem = json.loads(self.blocks["ttscope-mem"])
        self.absent = self.header["absent"]

    def text(self, number):
        per_chunk = self.header["texts"]["per_chunk"]
        return self.json(f"text.chunk.{number // per_chunk}")[number % per_chunk]

    def rank(self, index):
        return Rank(self, index)


class Rank:
    def __init__(self, page, index):
        self.page, self.index, self.header = page, index, page.header["ranks"][index]

    def __getitem__(self, name):
        return self.page.column(f"r{self.index}.{name}")

    def bytes(self, figure):
        if self.header["memory_unit"] == "bytes":
            return figure
        return (figure * 1048576 + 500) // 1000

    def op_names(self):
        names, by_text = self.page.strings("names"), self.page.column("text.name")
        return ["unknown" if by_text[t] == NONE else names[by_text[t]] for t in self["op.text"]]

    def op_locs(self):
        locs = self.page.strings("locs")
        return [None if loc == NONE else locs[loc] or None for loc in self["op.loc"]]

    def live(self, memory, moment):
        """The buffers of a memory (0 DRAM, 1 L1) that are live at a moment."""
        return [b for b, (m, born, died) in enumerate(zip(self["buf.memory"], self["buf.born"], self["buf.died"]))
                if m == memory and born <= moment and (moment < died or died == NONE)]
