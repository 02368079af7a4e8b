#include "gate/budget.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
// The library asserts what its error behind the assertion says (`[=`), or has clang rely on it in a release.
#define TOML_ASSERT(condition) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"

namespace ttscope::gate {

std::string_view name_of(Quantity quantity) {
  constexpr std::array<std::string_view, 4> kNames = {"time", "size", "count", "flag"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string_view unit_of(Quantity quantity) {
  constexpr std::array<std::string_view, 4> kUnits = {"us", "bytes", "count", "flag"};
  return kUnits[static_cast<std::size_t>(quantity)];
}

std::string_view name_of(Section section) { return section == Section::kMemory ? "memory" : "time"; }

const std::vector<BudgetFigure>& all_figures() {
  static const std::vector<BudgetFigure> kFigures = {
      {Section::kMemory, Scope::kRun, "dram_peak", "peak_dram", Quantity::kBytes, "the device's DRAM"},
      {Section::kMemory, Scope::kRun, "l1_peak", "peak_l1", Quantity::kBytes, "the device's L1"},
      {Section::kMemory, Scope::kRun, "fits", "fits", Quantity::kFlag, ""},
      {Section::kMemory, Scope::kRun, "failures", "failures", Quantity::kCount, ""},
      {Section::kMemory, Scope::kRun, "padding", "padding", Quantity::kBytes,
       "what the tensors at the peak hold without it"},
      {Section::kTime, Scope::kRun, "wall", "wall", Quantity::kTime, ""},
      {Section::kTime, Scope::kRun, "device", "device", Quantity::kTime, ""},
      {Section::kTime, Scope::kRun, "gaps", "gaps", Quantity::kTime, ""},
      {Section::kTime, Scope::kRun, "busy", "busy", Quantity::kTime, ""},
      {Section::kTime, Scope::kOp, "device", "device", Quantity::kTime, ""},
      {Section::kTime, Scope::kOp, "gaps", "gaps", Quantity::kTime, ""},
      {Section::kTime, Scope::kOp, "count", "count", Quantity::kCount, ""},
      {Section::kTime, Scope::kLayer, "device", "device", Quantity::kTime, ""},
      {Section::kTime, Scope::kLayer, "gaps", "gaps", Quantity::kTime, ""},
      {Section::kTime, Scope::kLayer, "count", "count", Quantity::kCount, ""},
  };
  return kFigures;
}

std::string Bound::path() const {
  std::string text(name_of(figure->section));
  if (figure->scope == Scope::kOp) text += ".ops." + name;
  if (figure->scope == Scope::kLayer) text += ".layers." + name;
  return text + "." + std::string(figure->key);
}

namespace {

/// A value of a budgets file, whatever its type there.
struct WrittenValue {
  std::optional<bool> flag{};
  std::optional<double> number{};
  std::optional<std::string> text{};
};

struct Unit {
  std::string_view name;  ///< in lower case
  Quantity quantity;
  double factor;
};

constexpr double kKilo = 1024;
constexpr std::array<Unit, 18> kUnits = {{
    {"ns", Quantity::kTime, 1e-3},
    {"us", Quantity::kTime, 1},
    {"µs", Quantity::kTime, 1},
    {"μs", Quantity::kTime, 1},
    {"ms", Quantity::kTime, 1e3},
    {"s", Quantity::kTime, 1e6},
    {"b", Quantity::kBytes, 1},
    {"bytes", Quantity::kBytes, 1},
    {"kb", Quantity::kBytes, kKilo},
    {"kib", Quantity::kBytes, kKilo},
    {"mb", Quantity::kBytes, kKilo* kKilo},
    {"mib", Quantity::kBytes, kKilo* kKilo},
    {"gb", Quantity::kBytes, kKilo* kKilo* kKilo},
    {"gib", Quantity::kBytes, kKilo* kKilo* kKilo},
    {"k", Quantity::kBytes, kKilo},
    {"m", Quantity::kBytes, kKilo* kKilo},
    {"g", Quantity::kBytes, kKilo* kKilo* kKilo},
    {"tb", Quantity::kBytes, kKilo* kKilo* kKilo* kKilo},
}};

const Unit* find_unit(std::string_view name) {
  const std::string own = lower(name);
  for (const Unit& unit : kUnits) {
    if (unit.name == own) return &unit;
  }
  return nullptr;
}

/// What a value of this figure may look like.
std::string examples_of(const BudgetFigure& figure) {
  switch (figure.quantity) {
    case Quantity::kTime:
      return fmt::format("\"120 us\", \"1.5 ms\", {}_us = 120, or \"+3%\" against the baseline", figure.key);
    case Quantity::kBytes:
      return fmt::format("\"90%\" of {}, \"1.5 GB\", {}_mb = 1500, or \"+3%\" against the baseline",
                         figure.whole, figure.key);
    case Quantity::kCount:
      return fmt::format("{} = 0, or \"+0\" against the baseline", figure.key);
    case Quantity::kFlag:
      break;
  }
  return fmt::format("{} = true", figure.key);
}

Error wrong(const BudgetFigure& figure, std::string_view what) {
  return bad_input(fmt::format("{}; expected {}", what, examples_of(figure)));
}

/// `+3%`, `1.5 GB`, `120`: a sign, a number, a unit.
struct Amount {
  bool has_sign = false;
  double number = 0;
  std::string_view unit;
};

std::optional<Amount> read_amount(std::string_view text) {
  Amount amount;
  text = trimmed(text);
  amount.has_sign = text.starts_with('+') || text.starts_with('-');
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount.number);
  if (error != std::errc() || !std::isfinite(amount.number)) return std::nullopt;
  amount.unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  return amount;
}

Result<Bound> of_share(const BudgetFigure& figure, const Amount& amount) {
  constexpr double kPercent = 100;
  Bound bound;
  bound.value = amount.number / kPercent;
  if (amount.has_sign) {
    bound.kind = BoundKind::kRelative;
    return bound;
  }
  if (figure.whole.empty()) {
    return failure(wrong(figure, fmt::format("{:g}% of what? `{}` is no part of anything; a share of the "
                                             "baseline has a sign: \"+{:g}%\"",
                                             amount.number, figure.key, amount.number)));
  }
  bound.kind = BoundKind::kShare;
  return bound;
}

Result<Bound> of_text(const BudgetFigure& figure, std::string_view key_unit, const std::string& text) {
  const std::optional<Amount> amount = read_amount(text);
  if (!amount) return failure(wrong(figure, fmt::format("\"{}\" is no amount", text)));
  if (amount->unit == "%") return of_share(figure, *amount);
  if (!key_unit.empty() && !amount->unit.empty()) {
    return failure(wrong(figure, fmt::format("\"{}\" has a unit, and so has its key", text)));
  }
  const std::string_view name = amount->unit.empty() ? key_unit : amount->unit;
  Bound bound;
  bound.kind = amount->has_sign ? BoundKind::kDifference : BoundKind::kAtMost;
  bound.value = amount->number;
  if (figure.quantity == Quantity::kCount && name.empty()) return bound;
  if (name.empty()) return failure(wrong(figure, fmt::format("\"{}\" has no unit", text)));
  const Unit* const unit = find_unit(name);
  if (unit == nullptr) return failure(wrong(figure, fmt::format("`{}` is no unit", name)));
  if (unit->quantity != figure.quantity) {
    return failure(wrong(figure, fmt::format("`{}` is a {}, and \"{}\" is a {}", figure.key,
                                             name_of(figure.quantity), text, name_of(unit->quantity))));
  }
  bound.value *= unit->factor;
  return bound;
}

Result<Bound> of_number(const BudgetFigure& figure, std::string_view key_unit, double number) {
  if (figure.quantity != Quantity::kCount && key_unit.empty()) {
    return failure(wrong(figure, fmt::format("{:g} has no unit", number)));
  }
  if (!std::isfinite(number) || number < 0) {
    return failure(wrong(figure, "a bound is a number that is not below 0"));
  }
  Bound bound;
  bound.value = number * (key_unit.empty() ? 1 : find_unit(key_unit)->factor);
  return bound;
}

/// The figure whose key this is, alone or with a unit behind it (`wall_us`); null: none. `unit` is then the
/// unit of the key, empty where it has none.
const BudgetFigure* find_figure(Section section, Scope scope, std::string_view key, std::string_view& unit) {
  for (const BudgetFigure& figure : all_figures()) {
    if (figure.section != section || figure.scope != scope || !key.starts_with(figure.key)) continue;
    unit = key.substr(figure.key.size());
    if (unit.empty()) return &figure;
    if (!unit.starts_with('_')) continue;
    unit.remove_prefix(1);
    const Unit* const known = find_unit(unit);
    if (known != nullptr && known->quantity == figure.quantity) return &figure;
  }
  return nullptr;
}

/// The bound that a value means: its kind and value. The error says what would be right, without a place.
Result<Bound> read_bound(const BudgetFigure& figure, std::string_view key_unit, const WrittenValue& value) {
  Result<Bound> bound = failure(wrong(figure, "this is no value of a bound"));
  if (figure.quantity == Quantity::kFlag) {
    if (!value.flag) return failure(wrong(figure, fmt::format("`{}` is true or false", figure.key)));
    Bound flag;
    flag.kind = BoundKind::kMustBe;
    flag.value = *value.flag ? 1 : 0;
    bound = flag;
  } else if (value.text) {
    bound = of_text(figure, key_unit, *value.text);
  } else if (value.number) {
    bound = of_number(figure, key_unit, *value.number);
  }
  if (bound) bound->figure = &figure;
  return bound;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Goes over the tokens of a text as far as their ends are concerned.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::optional<std::uint32_t> find() {
    while (!rest_.empty() && !found_) {
      const char c = rest_.front();
      if (c == '#') {
        skip(rest_.find('\n'));
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        note_if_not_ascii();
        skip(1);
      }
    }
    return found_;
  }

 private:
  void skip(std::size_t bytes) {
    for (const char c : rest_.substr(0, bytes)) line_ += c == '\n' ? 1 : 0;
    rest_.remove_prefix(std::min(bytes, rest_.size()));
  }
  void note_if_not_ascii() {
    if (!found_ && !rest_.empty() && !is_ascii(rest_.front())) found_ = line_;
  }

  /// Strings of one line end with it, as TOML's do.
  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_long = rest_.starts_with(triple);
    skip(is_long ? 3 : 1);
    while (!rest_.empty() && !found_) {
      const char c = rest_.front();
      if (quote == '"' && c == '\\') {
        skip_escape();
      } else if (!is_long && (c == quote || c == '\n')) {
        return skip(1);
      } else if (is_long && rest_.starts_with(triple)) {
        skip(3);
        // One or two more belong to the text.
        for (int more = 0; more < 2 && rest_.starts_with(quote); ++more) skip(1);
        return;
      } else {
        skip(1);
      }
    }
  }

  void skip_escape() {
    skip(1);
    note_if_not_ascii();
    if (rest_.empty() || !is_blank(rest_.front())) return skip(1);
    while (!rest_.empty() && is_blank(rest_.front())) skip(1);
    note_if_not_ascii();
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  std::optional<std::uint32_t> found_;
};

/// The first character of a TOML text that is not ASCII and stands where TOML wants ASCII: outside of strings
/// and comments, or at the beginning of a line that a backslash continues. Its line, from 1. toml++ 3.3 asks
/// there whether it is a blank, and of some (U+00E9, U+FEFB) that ends in code that cannot be reached.
std::optional<std::uint32_t> line_of_unquoted_character(std::string_view text) {
  return Scanner(without_byte_order_mark(text)).find();
}

/// A table of the file and what its keys are.
struct Place {
  Section section;
  Scope scope;
  std::string name;  ///< of the op or layer

  std::string title() const {
    std::string text(name_of(section));
    if (scope != Scope::kRun) text += (scope == Scope::kOp ? ".ops." : ".layers.") + name;
    return text;
  }
};

class BudgetReader {
 public:
  BudgetReader(std::string path, const toml::table& root) : root_(root) { budget_.path = std::move(path); }

  Result<Budget> read() {
    for (const auto& [key, node] : root_) {
      const std::string_view name = key.str();
      if (name == "baseline") {
        read_baseline(node);
      } else if (name == "memory") {
        read_section(Section::kMemory, node);
      } else if (name == "time") {
        read_section(Section::kTime, node);
      } else {
        unknown(key, "the file", {"baseline", "memory", "time"});
      }
    }
    if (!errors_.empty()) return failure(bad_input(error_text()));
    if (budget_.bounds.empty()) {
      return failure(bad_input(
          fmt::format("{}: no bound in it; for example: [memory] dram_peak = \"90%\"", budget_.path)));
    }
    // toml++ keeps keys by name; people read files from the top.
    std::stable_sort(budget_.bounds.begin(), budget_.bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.line < b.line; });
    return std::move(budget_);
  }

 private:
  void complain(const toml::source_region& where, std::string_view what) {
    errors_.emplace_back(where.begin.line, fmt::format("{}:{}: {}", budget_.path, where.begin.line, what));
  }

  std::string error_text() {
    std::stable_sort(errors_.begin(), errors_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (const auto& [line, error] : errors_) text += (text.empty() ? "" : "\n") + error;
    return text;
  }

  void unknown(const toml::key& key, std::string_view where, const std::vector<std::string_view>& known) {
    std::string near(nearest_name(key.str(), known));
    if (const std::size_t unit = key.str().rfind('_'); near.empty() && unit != std::string_view::npos) {
      near = nearest_name(key.str().substr(0, unit), known);
      if (!near.empty()) near += key.str().substr(unit);
    }
    complain(key.source(),
             fmt::format("unknown key `{}` in {}{} (known: {})", key.str(), where,
                         near.empty() ? "" : fmt::format("; did you mean `{}`?", near), joined(known)));
  }

  static std::string joined(const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
  }

  void read_baseline(const toml::node& node) {
    if (const auto* one = node.as_string()) {
      budget_.baseline = {**one};
      return;
    }
    const toml::array* const list = node.as_array();
    if (list == nullptr)
      return complain(node.source(), "`baseline` is the path of a run, or a list of paths");
    for (const toml::node& element : *list) {
      if (const auto* path = element.as_string()) {
        budget_.baseline.push_back(**path);
      } else {
        complain(element.source(), "an entry of `baseline` is the path of a run, in quotes");
      }
    }
  }

  void read_section(Section section, const toml::node& node) {
    const toml::table* const table = node.as_table();
    if (table == nullptr)
      return complain(node.source(),
                      fmt::format("`{}` is a table: [{}]", name_of(section), name_of(section)));
    for (const auto& [key, value] : *table) {
      const bool is_time = section == Section::kTime;
      if (is_time && key.str() == "ops") {
        read_named(Scope::kOp, value);
      } else if (is_time && key.str() == "layers") {
        read_named(Scope::kLayer, value);
      } else {
        read_entry({section, Scope::kRun, {}}, key, value);
      }
    }
  }

  /// `[time.ops.Matmul]`: a table for each name.
  void read_named(Scope scope, const toml::node& node) {
    const toml::table* const names = node.as_table();
    const std::string_view word = scope == Scope::kOp ? "ops" : "layers";
    if (names == nullptr)
      return complain(node.source(), fmt::format("`{}` holds tables: [time.{}.NAME]", word, word));
    for (const auto& [name, entries] : *names) {
      const toml::table* const table = entries.as_table();
      if (table == nullptr) {
        complain(name.source(), fmt::format("`{}` is a table: [time.{}.{}]", name.str(), word, name.str()));
        continue;
      }
      for (const auto& [key, value] : *table) {
        read_entry({Section::kTime, scope, std::string(name.str())}, key, value);
      }
    }
  }

  void read_entry(const Place& place, const toml::key& key, const toml::node& node) {
    std::string_view unit;
    const BudgetFigure* const figure = find_figure(place.section, place.scope, key.str(), unit);
    if (figure == nullptr) return unknown_entry(place, key);
    const WrittenValue value = {
        node.is_boolean() ? node.value<bool>() : std::nullopt,
        node.is_number() ? node.value<double>() : std::nullopt,
        node.is_string() ? node.value<std::string>() : std::nullopt,
    };
    Result<Bound> bound = read_bound(*figure, unit, value);
    if (!bound)
      return complain(key.source(),
                      fmt::format("[{}] {}: {}", place.title(), key.str(), bound.error().message));
    bound->name = place.name;
    bound->line = key.source().begin.line;
    bound->written = value.text     ? *value.text
                     : value.number ? fmt::format("{:g} {}", *value.number, unit)
                                    : fmt::format("{}", value.flag.value_or(false));
    while (bound->written.ends_with(' ')) bound->written.pop_back();
    budget_.bounds.push_back(std::move(*bound));
  }

  void unknown_entry(const Place& place, const toml::key& key) {
    std::vector<std::string_view> known;
    for (const BudgetFigure& figure : all_figures()) {
      if (figure.section != place.section || figure.scope != place.scope) continue;
      known.push_back(figure.key);
      const std::string with_unit = std::string(figure.key) + "_";
      if (key.str().starts_with(with_unit)) {
        return complain(
            key.source(),
            fmt::format("[{}] {}: `{}` is a {}, and `{}` is no unit of one (units: {})", place.title(),
                        key.str(), figure.key, name_of(figure.quantity), key.str().substr(with_unit.size()),
                        figure.quantity == Quantity::kTime    ? "ns, us, ms, s"
                        : figure.quantity == Quantity::kBytes ? "bytes, kb, mb, gb"
                                                              : "none"));
      }
    }
    if (place.section == Section::kTime && place.scope == Scope::kRun) {
      known.push_back("ops");
      known.push_back("layers");
    }
    unknown(key, fmt::format("[{}]", place.title()), known);
  }

  const toml::table& root_;
  Budget budget_;
  std::vector<std::pair<std::uint32_t, std::string>> errors_;  ///< by line
};

}  // namespace

Result<Budget> read_budget(const std::string& path, std::string_view text) {
  if (const std::optional<std::uint32_t> line = line_of_unquoted_character(text)) {
    return failure(bad_input(
        fmt::format("{}:{}: a character that is not ASCII is outside quotes and comments", path, *line)));
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return failure(bad_input(fmt::format("{}:{}: {}; budgets are TOML: [memory], then dram_peak = \"90%\"",
                                         path, error.source().begin.line, error.description())));
  }
  return BudgetReader(path, parsed.table()).read();
}

}  // namespace ttscope::gate
