#pragma once

#include <string>
#include <string_view>

#include "mem/read/runtime_log/module_aliases.h"

namespace ttscope::mem {

/// An op of a module, written as the runtime prints it: aliases written out, constants of more than 16
/// elements elided, calls in their short form, the location apart.
struct OpStatement {
  std::string text;
  std::string loc;  ///< inside `loc( )`; empty if it has none
};

/// `text` is the whole statement. The result replaces what `op` holds, whose memory is used again.
void write_op_statement(std::string_view text, ModuleAliases& aliases, OpStatement& op);

/// Without the elements of large constants; `kept` holds the text where there are some.
std::string_view without_constants(std::string_view text, std::string& kept);

/// The symbol behind a key of an op's attributes: `f` of `capture_callee = @f`; empty if there is none.
std::string_view symbol_behind(std::string_view text, std::string_view key);

}  // namespace ttscope::mem
