#include "gate/read/bound_value.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/text_search.h"

namespace ttscope::gate {
namespace {

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
  bound.kind = amount->has_sign ? BoundKind::kDifference : BoundKind::kMost;
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

}  // namespace

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

}  // namespace ttscope::gate
