// The text of one op line: whatever it is, the parts that are found lie inside it.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "mem/read/chunk_scan.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

void check(const RuntimeLog& log, const OpText& op) {
  for (const TextPart part : {op.attributes, op.discardable, op.input_signature, op.result_signature}) {
    require(part.begin + std::size_t{part.length} <= op.text.size(), "parts lie in the text");
  }
  for (const IdRange range : {op.results, op.operands}) {
    for (const std::uint32_t id : log.ids(range)) require(id < log.names.size(), "names are known");
  }
  for (const IdRange range : {op.input_types, op.result_types}) {
    for (const std::uint32_t id : log.ids(range)) {
      require(log.types.at(id).padded_bytes >= 0, "no tensor is negative");
    }
  }
  require(op.role != OpRole::kUnparsed || (op.results.count == 0 && op.operands.count == 0),
          "what is no op has no operands");
}

TTSCOPE_FUZZ_TARGET(mem_op_line) {
  RuntimeLog log;
  LogTables tables(log);
  check(log, parse_op(text, tables));
  for (const LineRecord& record : scan_chunk(text).records) {
    if (record.kind != LineKind::kOp) continue;
    check(log, parse_op(record.text, tables));
    static_cast<void>(display_loc(record.loc));
  }
}

}  // namespace
}  // namespace ttscope::mem
