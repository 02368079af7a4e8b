// The text of one op line: whatever it is, the parts that are found lie inside it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mem/read/runtime_log/chunk_scan.h"
#include "mem/read/runtime_log/op_parser.h"

namespace {

using ttscope::mem::OpText;
using ttscope::mem::TextPart;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const ttscope::mem::RuntimeTrace& trace, const mem::OpText& op) {
  for (const mem::TextPart part : {op.attributes, op.discardable, op.input_signature, op.result_signature}) {
    require(part.begin + std::size_t{part.length} <= op.text.size());
  }
  for (const ttscope::mem::IdRange range : {op.results, op.operands}) {
    for (const std::uint32_t id : trace.ids(range)) require(id < trace.names.size());
  }
  for (const ttscope::mem::IdRange range : {op.input_types, op.result_types}) {
    for (const std::uint32_t id : trace.ids(range)) require(trace.types.at(id).padded_bytes >= 0);
  }
  if (op.role == ttscope::mem::OpRole::kUnparsed) require(op.results.count == 0 && op.operands.count == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ttscope::mem::RuntimeTrace trace;
  ttscope::mem::TraceTables tables(trace);
  check(trace, ttscope::mem::parse_op(text, tables));
  for (const ttscope::mem::LineRecord& record : ttscope::mem::scan_chunk(text).records) {
    if (record.kind != ttscope::mem::LineKind::kOp) continue;
    check(trace, ttscope::mem::parse_op(record.text, tables));
    static_cast<void>(ttscope::mem::display_loc(record.loc));
  }
  return 0;
}
