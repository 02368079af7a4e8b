// A small log whose names try to break out of the page: markup, terminal escapes, marks that turn text round.

export const MARKUP = "</script><img src=x onerror=window.broken=1><b>";
export const ESCAPE = "\u001b[31mred\u001b]0;title\u0007";
export const TURNED = "\u202egnp.exe\u2066";
export const FORMULA = "=HYPERLINK(1)";

const LAYOUT =
  "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<96x128x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>";
const TENSOR = `tensor<3072x4096xbf16, ${LAYOUT}>`;
const line = (message, kind = "RuntimeTTNN", level = "DEBUG") => `${kind.padStart(23)} | ${level.padStart(8)} | ${message}`;

function block(used) {
  const view = (name, banks, total, taken) =>
    line(
      `Device ${name} memory state: MemoryView{numBanks: ${banks}, totalBytesPerBank: ${total.toFixed(3)} MB, ` +
        `totalBytesAllocatedPerBank: ${taken.toFixed(3)} MB, totalBytesFreePerBank: ${(total - taken).toFixed(3)} MB, ` +
        `largestContiguousBytesFreePerBank: ${(total - taken).toFixed(3)} MB}`,
      "Always",
      "INFO",
    );
  return [
    line("Device memory state before operation AddOp", "Always", "INFO"),
    view("DRAM", 12, 1000, used),
    view("L1", 64, 1.25, 0),
    view("L1_SMALL", 64, 0.062, 0),
    view("TRACE", 12, 0, 0),
  ];
}

function op(number, name, attribute, location) {
  return line(`Executing operation: %${number} = "${name}"(%arg0) <{note = "${attribute}"}> : (${TENSOR}) -> ${TENSOR} loc("${location}")`);
}

function moduleDump() {
  const text = [
    "module {",
    `  func.func @main(%arg0: ${TENSOR} {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "model.${MARKUP}.weight"}) -> ${TENSOR} {`,
    `    // ${MARKUP} ${ESCAPE} ${TURNED}`,
    `    %0 = "ttnn.add"(%arg0) : (${TENSOR}) -> ${TENSOR} loc("layer/${MARKUP}")`,
    `    return %0 : ${TENSOR}`,
    "  }",
    "}",
  ];
  return [
    "2026-07-14 09:12:36.059 (   5.059s) [        7F4A1C40]      module_builder.cc:1220     1| MLIR Module ttnn:",
    ...text,
    "------------------ END OF MLIR MODULE ------------------",
  ];
}

/** Lines of the log; every field that a page shows is hostile somewhere. */
export function hostileLog() {
  const ops = [
    op(0, "ttnn.add", MARKUP, `layer/${MARKUP}`),
    op(1, `ttnn.${MARKUP.replaceAll('"', "")}`, ESCAPE, `layer/${ESCAPE}`),
    op(2, "ttnn.multiply", TURNED, `layer/${TURNED}`),
    op(3, "ttnn.subtract", "plain", FORMULA),
  ];
  const lines = [...moduleDump(), line("Starting execution of program: main")];
  ops.forEach((text, index) => lines.push(text, ...block(2 + 2 * index)));
  lines.push(line("Finished execution of program: main"), line(`Starting execution of program: ${MARKUP}`));
  lines.push(op(4, "ttnn.add", "last", `layer/${MARKUP}`), ...block(12), line(`Finished execution of program: ${MARKUP}`));
  return lines.join("\n") + "\n";
}
