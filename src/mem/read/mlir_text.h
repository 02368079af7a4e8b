#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "mem/model/runtime_log.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {

/// Bracket-aware scanning of MLIR text. Strings (`"..."` with escapes) and arrows (`->`) never open or close
/// anything. All functions are total: text that is cut or damaged gives npos.

/// Position of the bracket that closes the one at `open`; npos if the text ends first.
std::size_t find_closing(std::string_view text, std::size_t open);

/// Position at or after `from` of the first `wanted` text at the nesting depth of `from`; npos if none.
std::size_t find_at_depth(std::string_view text, std::string_view wanted, std::size_t from);

/// Where the location of an op begins: the last ` loc(` that is not inside a string, of a text that ends with
/// `)`; npos if there is none.
std::size_t location_start(std::string_view text);

/// Calls `take(part)` for every part of a comma-separated list, trimmed, commas inside brackets or strings
/// ignored.
template <typename Take>
void for_each_item(std::string_view list, Take take);

/// Skips a string, an arrow or one character; returns the next position and adds to `depth` for brackets.
inline std::size_t next_token(std::string_view text, std::size_t at, int& depth) {
  switch (text[at]) {
    case '"': {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      return end < text.size() ? end + 1 : text.size();
    }
    case '-':
      return at + 1 < text.size() && text[at + 1] == '>' ? at + 2 : at + 1;
    case '<':
    case '(':
    case '{':
    case '[':
      ++depth;
      return at + 1;
    case '>':
    case ')':
    case '}':
    case ']':
      --depth;
      return at + 1;
    default:
      return at + 1;
  }
}

template <typename Take>
void for_each_item(std::string_view list, Take take) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= list.size();) {
    if (at == list.size() || (list[at] == ',' && depth == 0)) {
      const std::string_view item = trimmed(list.substr(begin, at - begin));
      if (!item.empty()) take(item);
      begin = ++at;
    } else {
      at = next_token(list, at, depth);
    }
  }
}

/// Reads one type of an op line (or of a module, once its aliases are written out):
///   tensor<1x197x768xf32, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 224 + d1, d2), <1x1>,
///     memref<7x24x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>
/// Layouts of every age are understood (`#tt.layout`, `ttnn_nd_layout`, grids with a map inside, `exactGrid`,
/// core ranges). Returns false, with `type.is_tensor` telling why, when the text is a tensor that cannot be
/// read; other types
/// (`!ttnn.device`) are read as non-tensors. `type.text` is not set.
bool parse_type(std::string_view text, TensorType& type);

/// Reads `1x32x4x` prefixes: dims up to the element; advances `text` past them. A `?` is -1.
std::vector<std::int64_t> take_dims(std::string_view& text);

/// A text with the hash under which a pool will look for it.
struct HashedText {
  std::string_view text;
  std::uint64_t hash = 0;
  std::uint32_t number = kNone;  ///< of an SSA name like `%12`
};

/// An op text taken apart, nothing looked up yet: any thread can do this while another one interns.
struct OpParts {
  HashedText name;       ///< `ttnn.matmul`
  HashedText callee;     ///< without `@`; empty: none
  HashedText signature;  ///< behind ` : `; empty: the line ended before it
  std::uint32_t first_name =
      0;  ///< in OpPartsTable::names: the result items (`%3`, `%3:4`), then the operands
  std::uint32_t results = 0;
  std::uint32_t operands = 0;
  TextPart attributes;
  TextPart discardable;
  OpRole role = OpRole::kUnparsed;
  bool frees_first_operand = false;
  bool identity_mesh_shard = false;
  bool may_be_view = false;
  bool cut = false;
};

/// The op texts that one thread took apart. Views point into the texts given.
struct OpPartsTable {
  std::vector<OpParts> ops;
  std::vector<HashedText> names;
};

/// Takes the text of an op line apart and appends it to the table (see parse_op for the forms).
void split_op(std::string_view text, OpPartsTable& table);

/// `%3:4` is the name of so many results, `%3#0` to `%3#3`; 0 for a plain name or a hostile count.
std::uint32_t results_of(std::string_view item);

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
class LogTables {
 public:
  explicit LogTables(RuntimeLog& log) : log_(log) {}

  /// Makes room for a log of this size in which every op text differs; room not used costs no memory.
  void expect_bytes(std::uint64_t log_bytes);
  void prefetch(const OpPartsTable& table, const OpParts& op) const;

  std::uint32_t name(std::string_view text) { return log_.names.intern(text); }
  std::uint32_t name(const HashedText& name) {
    if (name.number < numbered_names_.size() && numbered_names_[name.number] != kNone)
      return numbered_names_[name.number];
    return new_name(name);
  }
  std::uint32_t type(std::string_view text);
  /// The signature that begins with `(`; the text behind ` : ` of an op.
  const Signature& signature(const HashedText& text);
  /// Lists of name or type ids are appended id by id; nothing else may append meanwhile.
  std::uint32_t list_end() const { return static_cast<std::uint32_t>(log_.id_lists.size()); }
  void append(std::uint32_t id) { log_.id_lists.push_back(id); }
  std::uint64_t unreadable_types() const { return unreadable_types_; }

 private:
  Signature parse_signature(std::string_view text);
  IdRange types_of(std::string_view list);
  std::uint32_t new_name(const HashedText& name);

  RuntimeLog& log_;
  std::vector<std::uint32_t> numbered_names_;  ///< id of `%N` by N: programs count up, so this stays in cache
  StringPool signature_texts_;                 ///< id = index in signatures_
  std::vector<Signature> signatures_;
  std::uint64_t unreadable_types_ = 0;
};

/// Reads the text of an op line behind `Executing operation: `, without its location:
///   %12:4 = ttcore.load_cached(@main_const_eval_12, []) : () -> (tensor<...>, ...)
///   %86 = "ttnn.conv2d"(%85, %21) <{...}> {...} : (tensor<...>, ...) -> tensor<...>
///   "ttnn.deallocate"(%85) <{force = false}> : (tensor<...>) -> ()
///   %13 = func.call @cpu_hoisted(%11) {ttir.cpu_hoist_call} : (...) -> ...
/// `text` must stay valid as long as the trace. A text that is not an op gives role kUnparsed.
OpText parse_op(std::string_view text, LogTables& tables);

/// The second half of parse_op, for a text that was taken apart before. `text` is the same text where it
/// stays.
OpText intern_op(const OpParts& parts, const OpPartsTable& table, std::string_view text, LogTables& tables);

}  // namespace ttscope::mem
