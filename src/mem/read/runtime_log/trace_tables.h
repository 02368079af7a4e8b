#pragma once

#include <string_view>
#include <vector>

#include "mem/model/runtime_trace.h"
#include "mem/read/runtime_log/op_parts.h"

namespace ttscope::mem {

/// How many ops a log of this size has, roughly: an op line and its block take so many bytes. Sizes beyond
/// reason (a wrong file header) are cut.
std::size_t expected_ops(std::uint64_t log_bytes);

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

  /// Makes room for a log of this size in which every op text differs; room not used costs no memory.
  void expect_bytes(std::uint64_t log_bytes);
  void prefetch(const OpPartsTable& table, const OpParts& op) const;

  std::uint32_t name(std::string_view text) { return trace_.names.intern(text); }
  std::uint32_t name(const HashedText& name) {
    if (name.number < numbered_names_.size() && numbered_names_[name.number] != kNone)
      return numbered_names_[name.number];
    return new_name(name);
  }
  std::uint32_t type(std::string_view text);
  /// The signature that begins with `(`; the text behind ` : ` of an op.
  const Signature& signature(const HashedText& text);
  /// Lists of name or type ids are appended id by id; nothing else may append meanwhile.
  std::uint32_t list_end() const { return static_cast<std::uint32_t>(trace_.id_lists.size()); }
  void append(std::uint32_t id) { trace_.id_lists.push_back(id); }
  std::uint64_t unreadable_types() const { return unreadable_types_; }

 private:
  Signature parse_signature(std::string_view text);
  IdRange types_of(std::string_view list);
  std::uint32_t new_name(const HashedText& name);

  RuntimeTrace& trace_;
  std::vector<std::uint32_t> numbered_names_;  ///< id of `%N` by N: programs count up, so this stays in cache
  StringPool signature_texts_;                 ///< id = index in signatures_
  std::vector<Signature> signatures_;
  std::uint64_t unreadable_types_ = 0;
};

}  // namespace ttscope::mem
