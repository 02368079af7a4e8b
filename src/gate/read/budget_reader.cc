#include "gate/read/budget_reader.h"

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

#include "base/edit_distance.h"
#include "gate/read/bound_value.h"
#include "gate/read/toml_characters.h"

namespace ttscope::gate {
namespace {

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
