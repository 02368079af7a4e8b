#include "mem/write/json/op_json.h"

#include <string>

namespace ttscope::mem {

std::string_view OpJson::name(const ExecutedOp& op) {
  const std::uint32_t written = op.text == kNone ? kNone : trace_.op_texts[op.text].name;
  const std::uint32_t id = written == kNone ? op.op_type : written;
  if (id == kNone) return "\"unknown\"";
  return names_.get(id, [&](report::JsonQuoter& quoter) { return quoter.quoted(trace_.names[id]); });
}

std::string_view OpJson::loc(const ExecutedOp& op) {
  constexpr std::string_view kNull = "null";
  std::string_view json = kNull;
  if (op.loc != kNone) {
    json = locs_.get(op.loc, op.loc, [&](std::string& text) {
      text = quoter_.quoted_or_null(display_loc(trace_.locs[op.loc]));
    });
  }
  if (json != kNull || op.text == kNone) return json;
  const std::uint32_t callee = trace_.op_texts[op.text].callee;
  if (callee == kNone) return json;
  return callees_.get(callee, [&](report::JsonQuoter& quoter) {
    return quoter.quoted(std::string("@").append(trace_.names[callee]));
  });
}

}  // namespace ttscope::mem
