#include "mem/model/runtime_log.h"

#include <array>
#include <utility>

namespace ttscope::mem {

OpRole RuntimeLog::role_of(const ExecutedOp& op) const {
  if (op.text != kNone && op_texts[op.text].role != OpRole::kUnparsed) return op_texts[op.text].role;
  if (op.op_type == kNone) return OpRole::kUnparsed;
  const std::string_view type = names[op.op_type];
  if (type == "DeallocateOp") return OpRole::kDeallocate;
  if (type == "GetDeviceOp") return OpRole::kGetDevice;
  if (type == "LoadCachedOp") return OpRole::kLoadCached;
  if (type == "FuncCallOp" || type.find("Trace") != std::string_view::npos) return OpRole::kCall;
  return OpRole::kUnparsed;
}

std::string_view RuntimeLog::name_of(const ExecutedOp& op) const {
  if (op.text != kNone && op_texts[op.text].name != kNone) return names[op_texts[op.text].name];
  return op.op_type == kNone ? std::string_view{} : names[op.op_type];
}

bool is_counted(const RuntimeLog& log, const ExecutedOp& op) {
  const OpRole role = log.role_of(op);
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

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, 9> kNames = {
      "vhlo", "shlo", "shlo_frontend", "shlo_compiler", "shlo_set_mesh_attr", "shlo_compiler_cleaned",
      "ttir", "ttnn", "ttnn_runtime"};
  return kNames[static_cast<std::size_t>(stage)];
}

std::string_view name_of(ArgumentRole role) {
  constexpr std::array<std::string_view, 4> kNames = {"unknown", "input", "parameter", "constant"};
  return kNames[static_cast<std::size_t>(role)];
}

namespace {

// Names of the flatbuffer op types that memory block headers print, against the MLIR names of op lines.

/// Types that stand for several ops; all others are the op's own name in camel case with `Op` behind it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kGroups = {{
    {"EltwiseBinaryOp",
     " add multiply subtract divide eq ne ge gt le lt logical_and logical_or logical_xor "
     "logical_right_shift "},
    {"EltwiseBinaryCompositeOp",
     " maximum minimum remainder atan2 bitwise_and bitwise_or bitwise_xor logical_left_shift pow_tensor "
     "pow "},
    {"EltwiseBinaryCompositeScalarOp", " pow_scalar "},
    {"EltwiseUnaryOp",
     " abs floor isfinite logical_not bitwise_not neg relu relu6 sqrt rsqrt sign exp erf erfc log expm1 "
     "sigmoid "
     "hardsigmoid silu mish reciprocal leaky_relu ceil cos sin gelu tan tanh asin asinh acos atan "},
    {"EltwiseUnaryCompositeOp", " cbrt log1p clamp_scalar clamp_tensor "},
    {"EltwiseTernaryWhereOp", " where "},
    {"EltwiseQuantizationOp", " quantize dequantize requantize "},
    {"ReductionOp", " sum mean max min "},
    {"ReductionArgMaxOp", " argmax "},
    {"ReductionProdOp", " prod "},
    {"NamedFullOp", " zeros ones "},
    {"SliceOp", " slice slice_static slice_dynamic "},
    {"Pool2dOp", " avg_pool2d max_pool2d "},
}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// `rms_norm` and `RMSNorm` are equal: case and underscores do not count.
bool same_letters(std::string_view snake, std::string_view camel) {
  std::size_t at = 0;
  for (const char c : snake) {
    if (c == '_') continue;
    if (at == camel.size() || lower(camel[at]) != lower(c)) return false;
    ++at;
  }
  return at == camel.size();
}

bool is_single_purpose_type(std::string_view type) {
  return type == "DeallocateOp" || type == "GetDeviceOp" || type == "LoadCachedOp";
}

bool is_word_of(std::string_view word, std::string_view list) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    if (list[at - 1] == ' ' && list[at + word.size()] == ' ') return true;
  }
  return false;
}

}  // namespace

TypeFit fit_of(std::string_view op_name, std::string_view op_type) {
  const std::size_t dot = op_name.find('.');
  const std::string_view name = dot == std::string_view::npos ? op_name : op_name.substr(dot + 1);
  if (name.empty() || op_type.size() < 2) return TypeFit::kMaybe;
  if (same_letters(name, op_type.substr(0, op_type.size() - 2))) return TypeFit::kYes;
  if (is_single_purpose_type(op_type) || name == "deallocate" || name == "get_device" ||
      name == "load_cached")
    return TypeFit::kNo;
  for (const auto& [type, names] : kGroups) {
    const bool is_named = is_word_of(name, names);
    if (type == op_type)
      return is_named ? TypeFit::kYes : TypeFit::kMaybe;  // the runtime regroups ops now and then
  }
  return TypeFit::kMaybe;
}

const ProblemInfo& info_of(LogProblem problem) {
  static constexpr std::array<ProblemInfo, kLogProblemCount> kInfos = {{
      {"op_text_unparsed", "op lines whose text is not an op (kept, without tensors)", false},
      {"op_text_cut", "op lines cut before their end (read as far as they go)", true},
      {"type_unparsed", "tensor types that could not be read (counted as 0 bytes)", false},
      {"block_incomplete", "memory blocks with fewer than four views (the rest taken from the block before)",
       true},
      {"block_displaced", "memory blocks away from their op line (put back by op type)", true},
      {"block_without_op", "memory blocks whose op line is missing (op known by type only)", true},
      {"block_missing", "ops without a memory block (their growth is modelled)", true},
      {"bad_memory_number", "memory views with unreadable numbers (view ignored)", false},
      {"view_inconsistent", "memory views whose allocated + free is not the total", false},
      {"program_left_open", "programs without an end line (crash or cut log)", true},
      {"program_end_unmatched", "program end lines without a start (ignored)", false},
      {"programs_too_deep", "programs nested beyond any real depth (outer ones closed)", true},
      {"module_cut", "module dumps without an end (read as far as they go)", true},
      {"module_unparsed", "module dumps without a readable function header", false},
      {"line_too_long", "lines too long to be real (only the beginning was read)", true},
      {"log_wrapped", "logs whose lines a terminal broke at a column (put together again)", true},
      {"invalid_utf8", "texts that are not UTF-8 (shown with replacement characters)", true},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

std::string_view name_of(CrashKind kind) {
  constexpr std::array<std::string_view, kCrashKindCount> kNames = {
      "fatal",       "throw",   "assert",       "segmentation_fault", "aborted",    "killed",
      "host_memory", "timeout", "python_error", "bus_error",          "terminated", "reported_failure"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace ttscope::mem
