#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mem/model/op_text.h"

namespace ttscope::mem {

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

}  // namespace ttscope::mem
