#include "mem/read/ttnn_module/op_statement.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text_search.h"
#include "mem/read/runtime_log/mlir_text.h"
#include "mem/read/ttnn_module/statements.h"

namespace ttscope::mem {
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
  const std::string_view callee = symbol_behind(op, "callee = @");
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
  constexpr std::string_view kConstant = "dense<";
  std::size_t at = find_text(text, kConstant, 0);
  if (at == kNoPlace) return text;
  kept.clear();
  std::size_t copied = 0;
  for (; at != kNoPlace; at = find_text(text, kConstant, at)) {
    const std::size_t open = at + kConstant.size() - 1;
    const std::size_t end = behind_constant(text, open);
    if (is_large(text.substr(open + 1, end - open - 1))) {
      kept.append(text.substr(copied, at - copied)).append("dense_resource<__elided__>");
      copied = end;
    }
    at = end;
  }
  kept.append(text.substr(copied));
  return kept;
}

std::string_view symbol_behind(std::string_view text, std::string_view key) {
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
