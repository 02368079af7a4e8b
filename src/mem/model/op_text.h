#pragma once

#include <cstdint>
#include <string_view>

#include "base/none.h"

namespace ttscope::mem {

/// What an op does to names and buffers, as far as its own text tells.
enum class OpRole : std::uint8_t {
  kCompute,     ///< makes its results
  kDeallocate,  ///< drops its operands
  kGetDevice,   ///< no tensors
  kLoadCached,  ///< const-eval results, from the cache or from a nested program
  kCall,        ///< func.call, call, trace ops: may run a nested program
  kUnparsed,    ///< the text could not be read
};

/// Part of one of the trace's flat id columns.
struct IdRange {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
};

/// Part of the op's text, from its first byte.
struct TextPart {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;  ///< 0: absent
};

/// One distinct op text (without its location), parsed once however often it is executed.
struct OpText {
  std::string_view text;         ///< from the first result to the types, without ` loc(...)`
  std::uint32_t name = kNone;    ///< in RuntimeTrace::names, e.g. `ttnn.matmul`
  std::uint32_t callee = kNone;  ///< in RuntimeTrace::names, without `@`
  IdRange results;               ///< name ids (`%3`, `%7#1`) in RuntimeTrace::id_lists
  IdRange operands;              ///< name ids
  IdRange input_types;           ///< type ids; same order as operands
  IdRange result_types;          ///< type ids; same order as results
  TextPart attributes;           ///< inside `<{ }>`
  TextPart discardable;          ///< inside the `{ }` after it
  TextPart input_signature;      ///< between the parentheses of the type
  TextPart result_signature;     ///< after `->`
  OpRole role = OpRole::kUnparsed;
  bool frees_first_operand = false;  ///< `deallocate_activation = true`
  bool identity_mesh_shard = false;  ///< mesh_shard that only renames: the device already holds the shard
  bool may_be_view = false;  ///< reshape, to_layout, typecast ...: the result may share the operand's buffer
  bool cut = false;          ///< the line ended early
};

}  // namespace ttscope::mem
