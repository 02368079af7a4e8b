#include "mem/read/compiled_module.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "mem/read/mlir_text.h"
#include "mem/read/module_dumps.h"

namespace ttscope::mem {
namespace {

/// Text between `key` and the next quote.
std::string_view quoted_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == kNoPlace) return {};
  const std::string_view rest = text.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

/// `tt.function_type` where the compiler writes it, else what the attributes and the name say.
FunctionUse use_of(std::string_view name, std::string_view attributes, bool is_private) {
  const std::string_view type = quoted_after(attributes, "tt.function_type = \"");
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
  ModuleReader(ModuleDump& dump, RuntimeLog& log, LogTables& tables)
      : dump_(dump), log_(log), tables_(tables), statements_(dump.lines) {
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
    if (module_.is_cut) log_.problems.add(LogProblem::kModuleCut, {dump_.file, dump_.line});
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
    const std::string_view name = quoted_after(statement.text, "sym_name = \"");
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
    op.text = log_.op_bodies.intern(op_.text);
    if (op.text == log_.op_texts.size()) {
      const std::uint64_t unreadable_before = tables_.unreadable_types();
      OpText parsed = parse_op(log_.op_bodies[op.text], tables_);
      log_.op_texts.push_back(parsed);
      if (tables_.unreadable_types() != unreadable_before)
        log_.problems.add(LogProblem::kTypeUnparsed, place);
    }
    const OpText& text = log_.op_texts[op.text];
    if (text.role == OpRole::kUnparsed) {
      log_.problems.add(LogProblem::kOpTextUnparsed, place);
    } else if (text.cut || !statement.is_whole) {
      log_.problems.add(LogProblem::kOpTextCut, place);
    }
    if (!op_.loc.empty()) op.loc = log_.locs.intern(op_.loc);
    function_->ops.push_back(op);
  }

  ModuleDump& dump_;
  RuntimeLog& log_;
  LogTables& tables_;
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

CompiledModule read_compiled_module(ModuleDump& dump, RuntimeLog& log, LogTables& tables) {
  return ModuleReader(dump, log, tables).read();
}

namespace {

constexpr std::string_view kConstant = "dense<";
constexpr std::size_t kMaxJoinedLines =
    4096;  // a printed statement is one line; damaged ones are not followed far
constexpr std::size_t kJoinedLimit = std::size_t{1} << 22;  // a constant over many lines is not copied

bool is_constant_at(std::string_view text, std::size_t open) {
  return open + 1 >= kConstant.size() &&
         text.substr(open + 1 - kConstant.size(), kConstant.size()) == kConstant;
}

std::size_t find_character(std::string_view text, char wanted, std::size_t from) {
  const void* const found =
      from >= text.size() ? nullptr : std::memchr(text.data() + from, wanted, text.size() - from);
  return found == nullptr ? text.size()
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// How many braces more a line opens than it closes: regions are told by these alone.
int open_braces(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (in_string && c == '\\') {
      ++at;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && c == '<' && is_constant_at(line, at)) {
      at = end_of_constant(line, at) - 1;
    } else if (!in_string && (c == '{' || c == '}')) {
      depth += c == '{' ? 1 : -1;
    }
  }
  return depth;
}

}  // namespace

std::size_t end_of_constant(std::string_view text, std::size_t open) {
  std::size_t at = open + 1;
  if (at < text.size() && text[at] == '"') at = find_character(text, '"', at + 1);
  at = find_character(text, '>', at);  // numbers, brackets and commas only
  return std::min(at + 1, text.size());
}

int open_brackets(std::string_view& line) {
  int depth = 0;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '/' && at + 1 < line.size() && line[at + 1] == '/') {
      line = trimmed(line.substr(0, at));
      break;
    }
    if (c == '<' && is_constant_at(line, at)) {
      at = end_of_constant(line, at);
      continue;
    }
    at = next_token(line, at, depth);
  }
  return depth;
}

/// Blank lines, comments, `#alias = ...` and the `{-# ... #-}` of resources.
bool StatementReader::is_passed_over(std::string_view line) {
  if (line.empty() || line[0] == '#' || line[0] == '!' || line.starts_with("//")) return true;
  if (!line.starts_with("{-#")) return false;
  while (at_ < lines_.size() && lines_[at_].find("#-}") == kNoPlace) ++at_;
  return true;
}

bool StatementReader::next(Statement& statement) {
  while (at_ < lines_.size()) {
    std::string_view line = trimmed(lines_[at_]);
    if (is_passed_over(line)) {
      ++at_;
      continue;
    }
    statement = {line, at_, at_};
    ++at_;
    if (line[0] == '}') return true;  // `}`, `} loc(#loc)`, `}) : () -> ()`
    const int depth = open_brackets(line);
    statement.text = line;
    if (line.empty()) continue;
    return gather(statement, line, depth);
  }
  return false;
}

/// A statement goes on while brackets are open that are not those of a region, and where the next line cannot
/// begin one.
bool StatementReader::gather(Statement& statement, std::string_view first, int depth) {
  const auto is_opener = [&](std::string_view text) {
    const int opened = text.ends_with("({") ? 2 : 1;
    return text.ends_with('{') && depth == opened;
  };
  const auto is_done = [&](std::string_view text) {
    statement.opens_region = is_opener(text);
    return statement.opens_region || (depth <= 0 && !has_more());
  };
  if (is_done(first)) return true;
  joined_ = first;
  const std::size_t limit = std::min<std::size_t>(lines_.size(), at_ + kMaxJoinedLines);
  while (at_ < limit) {
    std::string_view line = trimmed(lines_[at_]);
    if (line.starts_with("func.func") || line.starts_with("\"func.func\""))
      break;  // the text was cut before it
    depth += open_brackets(line);
    statement.last_line = at_++;
    if (!line.empty() && joined_.size() + line.size() <= kJoinedLimit) joined_.append(" ").append(line);
    statement.text = joined_;
    if (is_done(line)) return true;
  }
  statement.text = joined_;
  statement.is_whole = false;
  return true;
}

/// Written by hand, a header or an op may stand on several lines:
///   %0 = "ttnn.add"(%a, %b)
///       : (tensor<...>, tensor<...>) -> tensor<...>
bool StatementReader::has_more() const {
  std::uint32_t next = at_;
  std::string_view line;
  while (next < lines_.size() && (line.empty() || line.starts_with("//"))) line = trimmed(lines_[next++]);
  if (line.empty()) return false;
  const bool is_word =
      line.starts_with("attributes ") || line.starts_with("ins(") || line.starts_with("outs(");
  const bool is_sign = line[0] == ':' || line[0] == '<' || line.starts_with("->");
  return is_word || is_sign || (line[0] == '{' && !line.starts_with("{-#"));
}

std::string_view StatementReader::skip_region() {
  for (int depth = 1; at_ < lines_.size();) {
    const std::string_view line = trimmed(lines_[at_++]);
    depth += open_braces(line);
    if (depth <= 0) return line.substr(std::min(line.find('}'), line.size()));
  }
  return {};
}

namespace {

constexpr std::size_t kStatementLimit = std::size_t{1} << 20;  // as in logs
constexpr std::size_t kLocLimit = std::size_t{1} << 12;
constexpr int kShownElements = 16;  // a constant of more is elided, as the runtime does

std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from) {
  if (from >= text.size()) return kNoPlace;
  const void* hit = ::memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  return hit == nullptr ? kNoPlace : static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
}

/// `"0x..."` is printed for large constants only; lists are counted.
bool is_large(std::string_view inside) {
  if (inside.starts_with('"')) return true;
  int elements = 1;
  for (const char c : inside) {
    elements += c == ',' ? 1 : 0;
    if (elements > kShownElements) return true;
  }
  return false;
}

/// `"ttcore.load_cached"(%arg1) <{callee = @f}> : types` -> `ttcore.load_cached(@f, [%arg1]) : types`;
/// `"func.call"(%a) <{callee = @f}> {x} : types` -> `func.call @f(%a) {x} : types`. False if it is cut.
bool append_short_call(std::string_view op, std::string_view name, std::string& out) {
  const std::size_t open = name.size() + 2;
  const std::size_t close = find_closing(op, open);
  const std::string_view callee = symbol_after(op, "callee = @");
  const std::size_t colon = close == kNoPlace ? kNoPlace : find_at_depth(op, " : ", close + 1);
  if (colon == kNoPlace || callee.empty()) return false;
  const std::string_view operands = op.substr(open + 1, close - open - 1);
  if (name != "func.call") {
    out.append(name).append("(@").append(callee).append(", [").append(operands).append("])");
  } else {
    out.append("func.call @").append(callee).append("(").append(operands).append(")");
    const std::size_t properties = find_closing(op, std::min(close + 2, colon));
    if (properties < colon) out.append(op.substr(properties + 1, colon - properties - 1));
  }
  out.append(op.substr(colon));
  return true;
}

/// Calls in the short form that the runtime prints, also those that modules shorten further (`call @f`);
/// `kept` holds the text where it was changed.
std::string_view with_short_calls(std::string_view text, std::string& kept) {
  const std::size_t equals = text.starts_with('%') ? find_text(text, " = ", 0) : kNoPlace;
  const std::size_t begin = equals == kNoPlace ? 0 : equals + 3;
  const std::string_view op = text.substr(begin);
  kept = text.substr(0, begin);
  if (op.starts_with("call @")) {
    kept.append("func.").append(op);
    return kept;
  }
  constexpr std::array<std::string_view, 3> kCalls = {"ttcore.load_cached", "tt.load_cached", "func.call"};
  for (const std::string_view name : kCalls) {
    const bool is_named = op.size() > name.size() + 2 && op[0] == '"' && op.substr(1).starts_with(name) &&
                          op[name.size() + 1] == '"';
    if (is_named && append_short_call(op, name, kept)) return kept;
  }
  return text;
}

}  // namespace

std::string_view without_constants(std::string_view text, std::string& kept) {
  std::size_t at = find_text(text, kConstant, 0);
  if (at == kNoPlace) return text;
  kept.clear();
  std::size_t copied = 0;
  for (; at != kNoPlace; at = find_text(text, kConstant, at)) {
    const std::size_t open = at + kConstant.size() - 1;
    const std::size_t end = end_of_constant(text, open);
    if (is_large(text.substr(open + 1, end - open - 1))) {
      kept.append(text.substr(copied, at - copied)).append("dense_resource<__elided__>");
      copied = end;
    }
    at = end;
  }
  kept.append(text.substr(copied));
  return kept;
}

std::string_view symbol_after(std::string_view text, std::string_view key) {
  const std::size_t at = find_text(text, key, 0);
  if (at == kNoPlace) return {};
  const std::string_view rest = text.substr(at + key.size());
  if (rest.starts_with('"')) return rest.substr(1, rest.substr(1).find('"'));
  return rest.substr(0, rest.find_first_of(",}> )]"));
}

void write_op_statement(std::string_view text, ModuleAliases& aliases, OpStatement& op) {
  op.text.clear();
  op.loc.clear();
  const std::size_t loc = location_start(text);
  if (loc != kNoPlace) {
    aliases.append_expanded(text.substr(loc + 5, text.size() - loc - 6), kLocLimit, op.loc);
    text = text.substr(0, loc);
  }
  std::string elided;
  std::string shortened;
  aliases.append_expanded(with_short_calls(without_constants(text, elided), shortened), kStatementLimit,
                          op.text);
}

}  // namespace ttscope::mem
