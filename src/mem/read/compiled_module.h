#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mem/model/runtime_log.h"
#include "mem/read/mlir_text.h"
#include "mem/read/module_dumps.h"

namespace ttscope::mem {

/// One op of a function, its text as the runtime would print it.
struct CompiledOp {
  std::uint32_t text = kNone;  ///< in RuntimeLog::op_texts
  std::uint32_t loc = kNone;   ///< in RuntimeLog::locs
  std::uint32_t line = 0;
};

/// What a function is for, where the compiler says it (`tt.function_type`) or its place and name do.
enum class FunctionUse : std::uint8_t {
  kProgram,    ///< can be run from outside
  kConstEval,  ///< run by load_cached
  kCalled,     ///< by trace ops, or private
  kElsewhere,  ///< on the host, or a kernel
};

struct CompiledFunction {
  std::string name;  ///< without `@`
  FunctionUse use = FunctionUse::kProgram;
  std::vector<CompiledOp> ops;
  IdRange returned;  ///< name ids in RuntimeLog::id_lists
  std::uint32_t line = 0;
  std::uint32_t end_line = 0;  ///< 0: the text ends inside it
  bool has_body = false;
};

/// The device functions of a TTNN module with their ops in order.
struct CompiledModule {
  std::vector<CompiledFunction> functions;
  /// Deallocating an argument frees nothing: the runtime's caller keeps it. True of all but the modules of
  /// before October 2025, whose layouts are written out in every type.
  bool retains_arguments = true;
  /// Results of const-eval that depend on no argument are found by other programs too; before December 2025
  /// every program had a cache of its own.
  bool shares_const_eval = true;
  bool is_cut = false;  ///< the text ends inside a function
};

/// Reads the functions of a dumped module, in the pretty or the generic form: aliases are written out and
/// large constants left out, as in op lines. Arguments are added to `dump.functions` where it has none. Texts
/// that are no ops are counted in the trace's problems.
CompiledModule read_compiled_module(ModuleDump& dump, RuntimeLog& log, LogTables& tables);

/// One statement of a module's text: an op, the header of a function, a bracket that closes one.
struct Statement {
  std::string_view text;         ///< trimmed, without comments; the lines of a longer one joined with blanks
  std::uint32_t first_line = 0;  ///< index in the lines given
  std::uint32_t last_line = 0;
  bool opens_region = false;  ///< ends with `{` or `({`: what follows is inside
  bool is_whole = true;       ///< false: the text ends before its brackets do
};

/// Takes the lines of a module apart into statements. Lines that hold nothing (comments, aliases, resources)
/// are passed over. Constants, however large, are skipped and not copied.
class StatementReader {
 public:
  explicit StatementReader(const std::vector<std::string_view>& lines) : lines_(lines) {}

  /// The next statement; its text is valid until the next call. False at the end.
  bool next(Statement& statement);
  /// Passes over the region that the last statement opened. Returns the line that closes it, from its bracket
  /// on
  /// (`}) : () -> ()`); empty if the text ends inside it.
  std::string_view skip_region();

 private:
  bool is_passed_over(std::string_view line);
  bool has_more() const;
  bool gather(Statement& statement, std::string_view first, int depth);

  const std::vector<std::string_view>& lines_;
  std::uint32_t at_ = 0;
  std::string joined_;
};

/// How far the brackets of one line are open behind it, constants and strings skipped; `line` loses a comment
/// at its end.
int open_brackets(std::string_view& line);

/// Behind the constant whose `<` stands at `open`: `dense<"0x...">`, `dense<[1, 2]>`, `dense<5>`; the end of
/// the text if it is cut.
std::size_t end_of_constant(std::string_view text, std::size_t open);

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
std::string_view symbol_after(std::string_view text, std::string_view key);

}  // namespace ttscope::mem
