#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

OpRole RuntimeTrace::role_of(const ExecutedOp& op) const {
  if (op.text != kNone && op_texts[op.text].role != OpRole::kUnparsed) return op_texts[op.text].role;
  if (op.op_type == kNone) return OpRole::kUnparsed;
  const std::string_view type = names[op.op_type];
  if (type == "DeallocateOp") return OpRole::kDeallocate;
  if (type == "GetDeviceOp") return OpRole::kGetDevice;
  if (type == "LoadCachedOp") return OpRole::kLoadCached;
  if (type == "FuncCallOp" || type.find("Trace") != std::string_view::npos) return OpRole::kCall;
  return OpRole::kUnparsed;
}

std::string_view RuntimeTrace::name_of(const ExecutedOp& op) const {
  if (op.text != kNone && op_texts[op.text].name != kNone) return names[op_texts[op.text].name];
  return op.op_type == kNone ? std::string_view{} : names[op.op_type];
}

bool is_counted(const RuntimeTrace& trace, const ExecutedOp& op) {
  const OpRole role = trace.role_of(op);
  return role != OpRole::kDeallocate && role != OpRole::kGetDevice;
}

namespace {

/// `fused<metadata>[...]` without its metadata, which may hold strings of its own.
std::string_view without_metadata(std::string_view loc) {
  if (loc.substr(0, 6) != "fused<") return loc;
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 5; at < loc.size(); ++at) {
    if (in_string && loc[at] == '\\') {
      ++at;
    } else if (loc[at] == '"') {
      in_string = !in_string;
    } else if (!in_string && loc[at] == '<') {
      ++depth;
    } else if (!in_string && loc[at] == '>' && --depth == 0) {
      return loc.substr(at + 1);
    }
  }
  return {};
}

}  // namespace

std::string display_loc(std::string_view loc) {
  loc = without_metadata(loc);
  const std::size_t open = loc.find('"');
  if (open == std::string_view::npos) return {};
  std::size_t close = open + 1;
  while (close < loc.size() && loc[close] != '"') close += loc[close] == '\\' ? 2 : 1;
  if (close >= loc.size()) return std::string(loc.substr(open + 1));
  std::string name(loc.substr(open + 1, close - open - 1));
  std::size_t end = close + 1;  // `"file":25:10` keeps its line and column
  while (end < loc.size() && (loc[end] == ':' || (loc[end] >= '0' && loc[end] <= '9'))) ++end;
  if (end > close + 1) name += loc.substr(close + 1, end - close - 1);
  return name;
}

}  // namespace ttscope::mem
