#include "mem/read/ttnn_module/compiled_module.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text_search.h"
#include "mem/read/runtime_log/mlir_text.h"
#include "mem/read/runtime_log/module_parser.h"
#include "mem/read/runtime_log/op_parser.h"
#include "mem/read/ttnn_module/op_statement.h"
#include "mem/read/ttnn_module/statements.h"

namespace ttscope::mem {
namespace {

/// Text between `key` and the next quote.
std::string_view quoted_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == kNoPlace) return {};
  const std::string_view rest = text.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

/// `tt.function_type` where the compiler writes it, else what the attributes and the name say.
FunctionUse use_of(std::string_view name, std::string_view attributes, bool is_private) {
  const std::string_view type = quoted_behind(attributes, "tt.function_type = \"");
  if (type == "const_eval") return FunctionUse::kConstEval;
  if (type == "forward_device" || type == "main") return FunctionUse::kProgram;
  for (const std::string_view elsewhere :
       {"forward_cpu", "forward_cpu_declaration", "kernel", "imported_declaration"}) {
    if (type == elsewhere) return FunctionUse::kElsewhere;
  }
  if (!type.empty()) return FunctionUse::kCalled;
  if (contains(attributes, "const_eval") || contains(name, "_const_eval_")) return FunctionUse::kConstEval;
  return is_private ? FunctionUse::kCalled : FunctionUse::kProgram;
}

class ModuleReader {
 public:
  ModuleReader(ModuleDump& dump, RuntimeTrace& trace, TraceTables& tables)
      : dump_(dump), trace_(trace), tables_(tables), statements_(dump.lines) {
    for (const std::string_view line : dump.lines) collect(line);
  }

  CompiledModule read() {
    Statement statement;
    while (statements_.next(statement)) {
      if (statement.text.starts_with("func.func ")) {
        begin_function(statement);
      } else if (statement.text.starts_with("\"func.func\"")) {
        begin_generic_function(statement);
      } else if (function_ != nullptr) {
        read_inside(statement);
      } else if (statement.opens_region && is_on_host(statement.text)) {
        if (statements_.skip_region().empty()) module_.is_cut = true;
      }
    }
    if (function_ != nullptr) module_.is_cut = true;
    module_.retains_arguments = has_layout_aliases_ || has_function_types_;
    module_.shares_const_eval = has_function_types_;  // written since January 2026
    if (module_.is_cut) trace_.problems.add(LogProblem::kModuleCut, {dump_.file, dump_.line});
    return std::move(module_);
  }

 private:
  void collect(std::string_view line) {
    aliases_.collect(line);
    has_layout_aliases_ |= line.starts_with("#") && contains(line.substr(0, 160), "_layout<");
  }

  static bool is_on_host(std::string_view text) {
    return text.starts_with("ttcore.cpu_module") || text.starts_with("\"ttcore.cpu_module\"") ||
           text.starts_with("llvm.func") || text.starts_with("emitc.") || text.starts_with("emitpy.");
  }

  std::uint32_t line_of(std::uint32_t index) const { return dump_.body_line + index; }

  // -- functions

  /// `func.func private @main_const_eval_0(%arg0: ...) -> ... attributes {...} {`, or a declaration without
  /// `{`.
  void begin_function(const Statement& statement) {
    const std::size_t at = statement.text.find('@');
    const std::size_t open = at == kNoPlace ? kNoPlace : statement.text.find('(', at);
    if (open == kNoPlace) return;
    std::string_view name = trimmed(statement.text.substr(at + 1, open - at - 1));
    if (name.size() > 1 && name.front() == '"') name = name.substr(1, name.size() - 2);
    const std::size_t close = find_closing(statement.text, open);
    const std::string_view attributes = close == kNoPlace ? std::string_view{} : statement.text.substr(close);
    has_function_types_ |= contains(attributes, "tt.function_type");
    add_function(name, statement);
    function_->use = use_of(name, attributes, contains(statement.text.substr(0, at), "private"));
    if (!statement.opens_region && !statement.is_whole) return;  // cut in its header
    if (!statement.opens_region) end_function(statement.last_line);
  }

  /// `"func.func"() <{function_type = ..., sym_name = "main", sym_visibility = "private"}> ({`: arguments are
  /// those of the block behind it, and other attributes stand behind the body.
  void begin_generic_function(const Statement& statement) {
    const std::string_view name = quoted_behind(statement.text, "sym_name = \"");
    if (name.empty()) return;
    add_function(name, statement);
    generic_header_ = statement.text;
    is_private_ = contains(statement.text, "sym_visibility = \"private\"");
    function_->use = use_of(name, {}, is_private_);
    if (!statement.opens_region) end_function(statement.last_line);
  }

  void add_function(std::string_view name, const Statement& statement) {
    if (function_ != nullptr) module_.is_cut = true;  // the one before has no end
    CompiledFunction function;
    function.name = name;
    function.line = line_of(statement.first_line);
    function.has_body = statement.opens_region;
    module_.functions.push_back(std::move(function));
    function_ = &module_.functions.back();
    generic_header_.clear();
  }

  void end_function(std::uint32_t line) {
    function_->end_line = line_of(line);
    function_ = nullptr;
  }

  // -- what is inside

  void read_inside(const Statement& statement) {
    const std::string_view text = statement.text;
    if (text[0] == '}') return end_of_function(statement);
    if (text[0] == '^') return read_block_header(text);
    if (text.starts_with("return") || text.starts_with("func.return") || text.starts_with("\"func.return\""))
      return read_return(text);
    if (!statement.opens_region) return add_op(text, statement);
    std::string with_region(text);  // `... ({`, its region, `}) : (...) -> ...`
    const std::string_view closing = statements_.skip_region();
    if (closing.empty()) module_.is_cut = true;
    with_region.append("...").append(closing);
    add_op(with_region, statement);
  }

  void end_of_function(const Statement& statement) {
    if (!generic_header_.empty()) {
      has_function_types_ |= contains(statement.text, "tt.function_type");
      function_->use = use_of(function_->name, statement.text, is_private_);
    }
    end_function(statement.last_line);
  }

  /// `^bb0(%arg0: tensor<...> loc(...), %arg1: ...):` of a generic function: its header in the pretty form is
  /// read as any other.
  void read_block_header(std::string_view text) {
    const std::size_t open = text.find('(');
    const std::size_t close = open == kNoPlace ? kNoPlace : find_closing(text, open);
    if (generic_header_.empty() || close == kNoPlace || !function_->ops.empty()) return;
    std::vector<std::string_view> attributes;
    const std::size_t list = generic_header_.find("arg_attrs = [");
    if (list != std::string::npos) {
      const std::string_view rest = std::string_view(generic_header_).substr(list + 12);
      const std::size_t end = find_closing(rest, 0);
      for_each_item(rest.substr(1, end == kNoPlace ? end : end - 1),
                    [&](std::string_view item) { attributes.push_back(item); });
    }
    std::string header = "func.func @" + function_->name + "(";
    std::size_t position = 0;
    for_each_item(text.substr(open + 1, close - open - 1), [&](std::string_view item) {
      const std::size_t loc = location_start(item);
      header.append(position == 0 ? "" : ", ").append(item.substr(0, loc));
      if (position < attributes.size()) header.append(" ").append(attributes[position]);
      if (loc != kNoPlace) header.append(item.substr(loc));
      ++position;
    });
    header += ") {";
    if (auto info = parse_function_header(header, aliases_, tables_))
      dump_.functions.push_back(std::move(*info));
  }

  void read_return(std::string_view text) {
    const std::size_t begin = text.find('%');
    const std::uint32_t first = tables_.list_end();
    if (begin != kNoPlace) {
      const std::size_t end = std::min(text.find_first_of(":)", begin), text.size());
      std::vector<std::uint32_t> names;
      for_each_item(text.substr(begin, end - begin),
                    [&](std::string_view item) { names.push_back(tables_.name(item)); });
      for (const std::uint32_t name : names) tables_.append(name);
    }
    function_->returned = {first, tables_.list_end() - first};
  }

  void add_op(std::string_view statement_text, const Statement& statement) {
    write_op_statement(statement_text, aliases_, op_);
    const Place place{dump_.file, line_of(statement.first_line)};
    CompiledOp op;
    op.line = place.line;
    op.text = trace_.op_bodies.intern(op_.text);
    if (op.text == trace_.op_texts.size()) {
      const std::uint64_t unreadable_before = tables_.unreadable_types();
      OpText parsed = parse_op(trace_.op_bodies[op.text], tables_);
      trace_.op_texts.push_back(parsed);
      if (tables_.unreadable_types() != unreadable_before)
        trace_.problems.add(LogProblem::kTypeUnparsed, place);
    }
    const OpText& text = trace_.op_texts[op.text];
    if (text.role == OpRole::kUnparsed) {
      trace_.problems.add(LogProblem::kOpTextUnparsed, place);
    } else if (text.cut || !statement.is_whole) {
      trace_.problems.add(LogProblem::kOpTextCut, place);
    }
    if (!op_.loc.empty()) op.loc = trace_.locs.intern(op_.loc);
    function_->ops.push_back(op);
  }

  ModuleDump& dump_;
  RuntimeTrace& trace_;
  TraceTables& tables_;
  StatementReader statements_;
  ModuleAliases aliases_;
  CompiledModule module_;
  CompiledFunction* function_ = nullptr;  ///< the open one
  std::string generic_header_;            ///< of the open one; empty in the pretty form
  bool is_private_ = false;               ///< the same
  OpStatement op_;
  bool has_layout_aliases_ = false;
  bool has_function_types_ = false;
};

}  // namespace

CompiledModule read_compiled_module(ModuleDump& dump, RuntimeTrace& trace, TraceTables& tables) {
  return ModuleReader(dump, trace, tables).read();
}

}  // namespace ttscope::mem
