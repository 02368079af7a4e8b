#pragma once

#include <string_view>
#include <vector>

#include "model/runtime_trace.h"

namespace ttscope::input {

/// `(types) -> types` of an op, parsed. Ops of different names share few signatures.
struct Signature {
  IdRange input_types;
  IdRange result_types;
  TextPart inputs;   ///< inside the first parentheses; counted from the signature's first byte
  TextPart results;  ///< behind the arrow, its parentheses included
  bool cut = false;
};

/// Interns names and tensor types of a trace while it is filled: a distinct text is parsed once. Types that
/// cannot be read are counted in unreadable_types() and kept as tensors of 0 bytes.
class TraceTables {
 public:
  explicit TraceTables(RuntimeTrace& trace) : trace_(trace) {}

  std::uint32_t name(std::string_view text) { return trace_.names.intern(text); }
  std::uint32_t type(std::string_view text);
  /// The signature that begins with `(`; the text behind ` : ` of an op.
  const Signature& signature(std::string_view text);
  /// Appends a list of name or type ids.
  IdRange store(const std::vector<std::uint32_t>& ids);
  std::uint64_t unreadable_types() const { return unreadable_types_; }

 private:
  Signature parse_signature(std::string_view text);
  IdRange types_of(std::string_view list);

  RuntimeTrace& trace_;
  StringPool signature_texts_;  ///< id = index in signatures_
  std::vector<Signature> signatures_;
  std::uint64_t unreadable_types_ = 0;
};

}  // namespace ttscope::input
