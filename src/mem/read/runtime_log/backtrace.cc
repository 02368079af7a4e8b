// The runtime's functions are named after the ops that they run, so that a backtrace names the op even where
// no op line was printed; tt-metal's own functions name the device operation. Innermost first:
//    --- ttnn::prim::conv3d(tt::tt_metal::Tensor const&, ...)
//    --- /lib/_ttnncpp.so(_ZN4ttnn16device_operation6detail6launchI...4prim21Conv3dDeviceOperationEEE...)
//    [0x7d]
//    --- tt::runtime::ttnn::operations::conv::run(tt::target::ttnn::Conv3dOp const*, ...)
//    --- tt::runtime::ttnn::operations::cache::run(tt::target::ttnn::LoadCachedOp const*, ...)
// People write the same as a chain, outermost first: cache::run(LoadCachedOp) -> layout::run(ToDeviceOp).
#include "mem/read/runtime_log/backtrace.h"

#include <array>
#include <cstring>
#include <string>

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kLongestName = 96;
constexpr std::string_view kLoadCached = "LoadCachedOp";
constexpr std::string_view kDeviceOperation = "DeviceOperation";

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_op_type(std::string_view name) { return name.size() > 2 && name.ends_with("Op"); }

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end < at + kLongestName && is_of_word(text[end])) ++end;
  return text.substr(at, end - at);
}

/// The name behind its length, as in `8Conv3dOpE`.
std::string_view mangled_at(std::string_view text, std::size_t at) {
  std::size_t length = 0;
  std::size_t begin = at;
  for (; begin < text.size() && begin < at + 3 && text[begin] >= '0' && text[begin] <= '9'; ++begin)
    length = 10 * length + static_cast<std::size_t>(text[begin] - '0');
  return length <= kLongestName && begin + length <= text.size() ? text.substr(begin, length)
                                                                 : std::string_view();
}

/// `Conv3dOp` of `tt::target::ttnn::Conv3dOp const*`, of the same mangled, or of `conv::run(Conv3dOp)`; the
/// next at or behind `at`, which is set behind it.
std::string_view next_op_type(std::string_view text, std::size_t& at) {
  constexpr std::array<std::string_view, 3> kBefore = {"target::ttnn::", "6target4ttnn", "::run("};
  while (at < text.size()) {
    std::size_t found = kNoPlace;
    std::string_view before;
    for (const std::string_view words : kBefore) {
      const std::size_t place = text.find(words, at);
      if (place < found) {
        found = place;
        before = words;
      }
    }
    if (found == kNoPlace) break;
    at = found + before.size();
    const std::string_view name = before[0] == '6' ? mangled_at(text, at) : word_at(text, at);
    if (is_op_type(name)) return name;
  }
  return {};
}

/// `Conv3dDeviceOperation`, written out or mangled; templates of tt-metal that have the word in their names
/// are none.
std::string_view device_operation(std::string_view text) {
  for (std::size_t at = text.find(kDeviceOperation); at != kNoPlace;
       at = text.find(kDeviceOperation, at + 1)) {
    const std::size_t end = at + kDeviceOperation.size();
    std::size_t word = at;
    while (word > 0 && is_of_word(text[word - 1])) --word;
    for (std::size_t digit = word; digit < at; ++digit) {
      const std::string_view name = mangled_at(text, digit);
      if (name.size() > kDeviceOperation.size() && name.data() + name.size() == text.data() + end)
        return name;
    }
    const bool is_whole = word < at && (end == text.size() || !is_of_word(text[end]));
    const bool is_mangled = text[word] == '_' && text.substr(word, 2) == "_Z";
    if (is_whole && !is_mangled && at - word <= kLongestName) return text.substr(word, end - word);
  }
  return {};
}

/// Moving an input to the device runs no op.
bool moves_input(std::string_view text) {
  return holds(text, "toLayout") || holds(text, "BufferInstance") || holds(text, "prepareInputTensor");
}

}  // namespace

bool is_told_frame(std::string_view line) {
  return holds(line, "tt::runtime::") || holds(line, kDeviceOperation) || holds(line, "tt::pjrt::") ||
         holds(line, "6target4ttnn") || holds(line, "target::ttnn::");
}

void add_frame(std::string_view text, std::uint32_t line, Backtrace& backtrace) {
  std::size_t at = 0;
  std::string_view op;
  for (std::string_view type = next_op_type(text, at); !type.empty(); type = next_op_type(text, at)) {
    if (type == kLoadCached && backtrace.const_eval_line == 0) backtrace.const_eval_line = line;
    op = type;  // the last of a chain is the innermost
  }
  const bool names_none = backtrace.op.empty() || !is_op_type(backtrace.op);
  const bool is_around = op == kLoadCached && !backtrace.op.empty();
  if (!op.empty() && names_none && !is_around) {
    backtrace.op = op;
    backtrace.op_line = line;
  }
  if (!op.empty() || !backtrace.op.empty()) return;
  if (const std::string_view device = device_operation(text); !device.empty()) {
    backtrace.op = device;
    backtrace.op_line = line;
  } else if (backtrace.transfer_line == 0 && moves_input(text)) {
    backtrace.transfer_line = line;
  }
}

}  // namespace ttscope::mem
