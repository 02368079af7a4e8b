#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "diff/compared_run.h"
#include "diff/outputs.h"
#include "diff/report.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::diff {
namespace {

using ui::Painter;

constexpr std::string_view kByDevice = "By device";
constexpr std::string_view kByDeviceRemark =
    "its own ops without collectives, in which devices wait for each other";
constexpr int kMinWidth = 60;
constexpr int kMaxWidth = 140;

/// A table of before, after and change.
class ReportText {
 public:
  ReportText(const DiffReport& report, const DiffReport* beside, const DiffTextOptions& options)
      : report_(report),
        other_(beside),
        options_(options),
        groups_(grouped_changes(report)),
        width_(static_cast<std::size_t>(std::clamp(options.width, kMinWidth, kMaxWidth))),
        painter_(options.color, width_) {}

  std::string text() {
    write_head();
    write_totals();
    write_changes();
    write_unannounced();
    write_gaps();
    write_sums("By category", report_.categories);
    write_gaps_and_categories();
    write_sums("By kind of movement", report_.movement);
    write_sums("By op", report_.classes);
    write_sums(report_.unit == "us" ? "By place of the first input" : "By memory", report_.placements);
    write_sums("By layer", report_.layers);
    write_sums(kByDevice, report_.devices, kByDeviceRemark);
    write_foot();
    return painter_.take();
  }

 private:
  void write_head() {
    const Painter::Ink ink = !report_.is_different        ? Painter::Ink::kGreen
                             : report_.cost_change() <= 0 ? Painter::Ink::kCyan
                                                          : Painter::Ink::kYellow;
    painter_.statement(report_.is_different ? "DIFFERENT" : "SAME", ink,
                       terminal_safe(verdict_text(report_)));
    for (const Caution& caution : report_.cautions) {
      painter_.statement("CAUTION", Painter::Ink::kYellow, terminal_safe(caution_text(caution)));
    }
    const bool is_one_device = report_.before_device == report_.after_device;
    write_side("before", report_.before_name, report_.before_what,
               is_one_device ? "" : report_.before_device);
    write_side("after", report_.after_name, report_.after_what, is_one_device ? "" : report_.after_device);
    if (is_one_device && !report_.after_device.empty())
      painter_.item("device", terminal_safe(report_.after_device));
    for (const std::string& warning : warning_texts(report_))
      painter_.paragraph(2, terminal_safe(warning), Painter::Ink::kYellow);
  }

  void write_side(std::string_view label, const std::string& name, const std::string& what,
                  const std::string& device) {
    std::string text = name;
    if (!device.empty()) text += fmt::format(" ({})", device);
    if (!what.empty()) text += ": " + what;
    painter_.item(label, terminal_safe(text));
  }

  void row(const std::string& name, const std::optional<double>& before, const std::optional<double>& after,
           const std::string& unit) {
    const auto cell = [&](const std::optional<double>& value) {
      return value ? cost_text(*value, unit) : std::string("-");
    };
    std::string line = "  " + ui::pad_right(ui::fit(terminal_safe(name), name_width()), name_width());
    line += ui::pad_left(cell(before), kCellWidth) + ui::pad_left(cell(after), kCellWidth);
    if (before && after) {
      line += ui::pad_left(signed_cost(*after - *before, unit), kCellWidth);
      if (has_share() && *before > 0 && unit != "flag" && unit != "count")
        line += ui::pad_left(share_text(*before, *after), kShareWidth);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    painter_.line(line);
  }

  void write_totals() {
    painter_.heading("In total", totals_remark(report_));
    painter_.line("  " + ui::pad_right("", name_width()) + ui::pad_left("before", kCellWidth) +
                  ui::pad_left("after", kCellWidth) + ui::pad_left("change", kCellWidth));
    for (const DiffTotal& total : report_.totals) {
      if (total.before || total.after) row(total.name, total.before, total.after, total.unit);
    }
  }

  std::size_t shown(std::size_t count) const {
    return options_.top == 0 ? count : std::min(count, options_.top);
  }

  void write_changes() {
    painter_.heading("What accounts for it", "it adds up to the change");
    const std::size_t listed = listed_groups();
    double named = report_.noise.left_over;
    for (std::size_t i = 0; i < listed; ++i) {
      named += groups_[i].change;
      painter_.item(signed_cost(groups_[i].change, report_.unit),
                    terminal_safe(group_text(report_, groups_[i]) + other_text(groups_[i])));
    }
    if (groups_.size() > listed) {
      const bool is_nothing = is_printed_as_zero(report_, groups_[listed].change);
      painter_.item(signed_cost(report_.cost_change() - named, report_.unit),
                    fmt::format("{} more{}", ui::counted(groups_.size() - listed, "change"),
                                is_nothing ? " without effect on it; --top 0 lists them" : ""));
    }
    painter_.item(signed_cost(report_.noise.left_over, report_.unit), left_over_text(report_));
    if (const std::string unsure = pairs_text(report_); !unsure.empty()) painter_.paragraph(2, unsure);
  }

  /// The largest; what changed nothing stands behind what did, and is listed only where it is few or asked
  /// for.
  std::size_t listed_groups() const {
    const std::size_t most = shown(groups_.size());
    const auto first_idle = std::find_if(groups_.begin(), groups_.end(), [&](const ChangeGroup& group) {
      return is_printed_as_zero(report_, group.change);
    });
    const auto effective = static_cast<std::size_t>(first_idle - groups_.begin());
    constexpr std::size_t kFew = 3;
    const bool is_few = effective == 0 || groups_.size() - effective <= kFew;
    return options_.top == 0 || is_few ? most : std::min(most, effective);
  }

  /// What the ops of a change did in the report of the other subject.
  std::string other_text(const ChangeGroup& change) const {
    double sum = 0;
    bool is_known = false;
    for (const std::uint32_t op : change.ops) {
      if (!report_.ops[op].beside || other_ == nullptr) continue;
      sum += other_->ops[*report_.ops[op].beside].change();
      is_known = true;
    }
    return is_known ? fmt::format("; {} {}", other_->cost_name, signed_cost(sum, other_->unit)) : "";
  }

  /// Properties that changed with the rest: easily overlooked, and seldom announced.
  void write_unannounced() {
    std::size_t count = 0;
    for (const ChangeGroup& group : groups_) {
      if (!group.is_intended_unknown) continue;
      if (count++ == 0)
        painter_.heading("Changed beside the largest change",
                         "was it meant? they are part of the list above");
      if (count > shown(groups_.size())) break;
      painter_.item(signed_cost(group.change, report_.unit), terminal_safe(group_text(report_, group)));
    }
  }

  /// Gaps belong to no op's cost; those that changed most say where the wall was lost or won.
  void write_gaps() {
    const std::vector<std::uint32_t> ops = ops_by_gap_change(report_);
    if (ops.empty()) return;
    painter_.heading("Where gaps changed", "before the op that is named; they are in no op's time");
    constexpr std::size_t kMax = 5;
    for (std::size_t i = 0; i < std::min(ops.size(), options_.top == 0 ? ops.size() : kMax); ++i) {
      painter_.item(signed_cost(gap_change(report_.ops[ops[i]]), report_.unit),
                    terminal_safe(gap_text(report_, report_.ops[ops[i]])));
    }
  }

  /// Between ops lies what no category holds.
  void write_gaps_and_categories() {
    const std::optional<DiffSum> gaps = gaps_of(report_);
    if (gaps && report_.is_different) row(gaps->name, gaps->before, gaps->after, report_.unit);
  }

  void write_sums(std::string_view title, const std::vector<DiffSum>& sums, std::string_view remark = {}) {
    const bool has_change =
        std::any_of(sums.begin(), sums.end(), [](const DiffSum& sum) { return sum.change() != 0; });
    if (!has_change && !report_.is_different) return;
    const bool is_told = sums.size() > 1 || (sums.size() == 1 && !sums.front().name.empty());
    if (!is_told) return;
    painter_.heading(title, remark);
    std::vector<const DiffSum*> listed;
    DiffSum unchanged;
    std::size_t unchanged_count = 0;
    for (const DiffSum& sum : sums) {
      if (sum.before == 0 && sum.after == 0) continue;
      if (options_.top == 0 || !is_printed_as_zero(report_, sum.change())) {
        listed.push_back(&sum);
      } else {
        unchanged.before += sum.before;
        unchanged.after += sum.after;
        ++unchanged_count;
      }
    }
    for (std::size_t i = 0; i < shown(listed.size()); ++i) {
      const DiffSum& sum = *listed[i];
      row(sum.name.empty() ? "(not told)" : sum.name, sum.before, sum.after, report_.unit);
    }
    if (listed.size() > shown(listed.size()))
      painter_.line(fmt::format("  ... {} more", listed.size() - shown(listed.size())));
    if (unchanged_count > 0)
      row(fmt::format("({} without change)", unchanged_count), unchanged.before, unchanged.after,
          report_.unit);
  }

  void write_foot() {
    painter_.blank_line();
    painter_.statement(report_.is_different ? "DIFFERENT" : "SAME", Painter::Ink::kPlain,
                       terminal_safe(verdict_text(report_)));
  }

  /// Narrow terminals lose the column of shares, which follow from the others.
  bool has_share() const { return width_ >= 72; }
  std::size_t name_width() const {
    constexpr std::size_t kMax = 40;
    return std::min(kMax, width_ - 2 - 3 * kCellWidth - (has_share() ? kShareWidth : 0));
  }
  /// Of next to nothing no share means anything.
  static std::string share_text(double before, double after) {
    constexpr double kMaxPercent = 10'000;
    const double percent = 100 * (after - before) / before;
    return percent > kMaxPercent ? std::string() : fmt::format("{:+.1f} %", percent);
  }

  static constexpr std::size_t kCellWidth = 13;
  static constexpr std::size_t kShareWidth = 10;
  const DiffReport& report_;
  const DiffReport* other_;
  const DiffTextOptions& options_;
  std::vector<ChangeGroup> groups_;
  std::size_t width_;
  Painter painter_;
};

void write_markdown_sums(std::string_view title, const DiffReport& report, const std::vector<DiffSum>& sums,
                         std::string& text) {
  if (sums.empty() || (sums.size() == 1 && sums.front().name.empty())) return;
  text += fmt::format("\n## {}\n\n| name | before | after | change |\n|---|---:|---:|---:|\n", title);
  for (const DiffSum& sum : sums) {
    text += fmt::format("| {} | {} | {} | {} |\n", sum.name.empty() ? "(not told)" : markdown_code(sum.name),
                        cost_text(sum.before, report.unit), cost_text(sum.after, report.unit),
                        signed_cost(sum.change(), report.unit));
  }
}

/// The names of ops that sentences of a report may hold.
std::vector<std::string> op_names(const DiffReport& report) {
  std::vector<std::string> names = {report.before_name, report.after_name};
  for (const DiffSum& sum : report.classes) names.push_back(sum.name);
  return names;
}

std::string report_markdown(const DiffReport& report) {
  const std::vector<std::string> names = op_names(report);
  const auto sentence = [&](std::string_view text) { return markdown_cell(with_marked_names(text, names)); };
  std::string text =
      fmt::format("# {} -> {}\n\n**{}**\n\n{}\n\n", markdown_code(report.before_name),
                  markdown_code(report.after_name), sentence(verdict_text(report)), ui::kDataNotice);
  for (const Caution& caution : report.cautions)
    text += fmt::format("- caution: {}\n", sentence(caution_text(caution)));
  for (const std::string& warning : warning_texts(report))
    text += fmt::format("- warning: {}\n", sentence(warning));
  text += "\n| total | before | after | change |\n|---|---:|---:|---:|\n";
  const auto cell = [](const std::optional<double>& value, const std::string& unit) {
    return value ? cost_text(*value, unit) : std::string("-");
  };
  for (const DiffTotal& total : report.totals) {
    text += fmt::format("| {} | {} | {} | {} |\n", markdown_cell(total.name), cell(total.before, total.unit),
                        cell(total.after, total.unit),
                        total.change() ? signed_cost(*total.change(), total.unit) : "-");
  }
  text += "\n## What accounts for it\n\n";
  for (const ChangeGroup& group : grouped_changes(report)) {
    text += fmt::format("- {}: {}{}\n", signed_cost(group.change, report.unit),
                        sentence(group_text(report, group)),
                        group.is_intended_unknown ? " (beside a larger change: was it meant?)" : "");
  }
  text += fmt::format("- {}: {}\n", signed_cost(report.noise.left_over, report.unit),
                      sentence(left_over_text(report)));
  if (const std::string unsure = pairs_text(report); !unsure.empty())
    text += fmt::format("\n{}\n", sentence(unsure));
  const std::vector<std::uint32_t> gaps = ops_by_gap_change(report);
  if (!gaps.empty()) text += "\n## Where gaps changed\n\n";
  constexpr std::size_t kMaxGaps = 20;
  for (std::size_t i = 0; i < std::min(gaps.size(), kMaxGaps); ++i) {
    text += fmt::format("- {}: {}\n", signed_cost(gap_change(report.ops[gaps[i]]), report.unit),
                        sentence(gap_text(report, report.ops[gaps[i]])));
  }
  write_markdown_sums("By category", report, categories_and_gaps(report), text);
  write_markdown_sums("By kind of movement", report, report.movement, text);
  write_markdown_sums("By op", report, report.classes, text);
  write_markdown_sums(report.unit == "us" ? "By place of the first input" : "By memory", report,
                      report.placements, text);
  write_markdown_sums("By layer", report, report.layers, text);
  write_markdown_sums(fmt::format("{}: {}", kByDevice, kByDeviceRemark), report, report.devices, text);
  return text;
}

}  // namespace

std::string diff_text(const std::vector<DiffReport>& reports, const DiffTextOptions& options) {
  std::string text;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    // Only the first two are joined.
    const DiffReport* const beside = i < 2 && reports.size() > 1 ? &reports[1 - i] : nullptr;
    text += (i == 0 ? "" : "\n") + ReportText(reports[i], beside, options).text();
  }
  return text;
}

std::string diff_markdown(const std::vector<DiffReport>& reports) {
  std::string text;
  for (const DiffReport& report : reports) text += (text.empty() ? "" : "\n") + report_markdown(report);
  return text;
}

namespace {

std::string percent_of(double change, double before) {
  return before > 0 ? fmt::format(" ({:+.2f} %)", 100 * change / before) : std::string();
}

/// `device time`, `DRAM peak`: what the parts add up to.
std::string_view cost_label(const DiffReport& report) {
  if (report.cost_name == "device") return "device time";
  if (report.cost_name == "peak_dram") return "DRAM peak";
  if (report.cost_name == "peak_l1") return "L1 peak";
  return report.cost_name;
}

const DiffTotal* total_of(const DiffReport& report, std::string_view name) {
  const auto found = std::find_if(report.totals.begin(), report.totals.end(),
                                  [&](const DiffTotal& total) { return total.name == name; });
  return found == report.totals.end() ? nullptr : &*found;
}

const DiffTotal* cost_total(const DiffReport& report) { return total_of(report, report.cost_name); }

using CountedLabels = std::vector<std::pair<std::string_view, std::size_t>>;

/// Labels of the ops of one side. In order those are counted together that stand beside each other, else all.
CountedLabels counted_labels(const DiffReport& report, const std::vector<std::uint32_t>& ops, bool removed,
                             bool in_order) {
  CountedLabels labels;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::uint32_t index : ops) {
    const DiffOp& op = report.ops[index];
    if (op.before_row.has_value() != removed) continue;
    const std::string_view label = op.label.empty() ? op.op : op.label;
    const auto [place, is_new] = places.try_emplace(label, labels.size());
    const bool is_known = in_order ? !labels.empty() && labels.back().first == label : !is_new;
    if (is_known) {
      ++labels[in_order ? labels.size() - 1 : place->second].second;
    } else {
      labels.emplace_back(label, 1);
    }
  }
  return labels;
}

/// Ops by label with how often they stand there: `2 x Slice 128x4096`.
std::string labels_text(const CountedLabels& labels) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < labels.size() && i < kShown; ++i) {
    const auto& [label, count] = labels[i];
    text += i == 0 ? "" : ", ";
    text += count > 1 ? fmt::format("{} x {}", count, label) : std::string(label);
  }
  if (labels.size() > kShown) text += fmt::format(" and {} more", labels.size() - kShown);
  return text;
}

/// The device that the cost of all these ops is of; empty: there is one device, or it is not always the
/// same.
std::string device_text(const DiffReport& report, const std::vector<std::uint32_t>& ops) {
  const std::int32_t device = report.ops[ops.front()].device;
  const bool is_same =
      std::all_of(ops.begin(), ops.end(), [&](std::uint32_t op) { return report.ops[op].device == device; });
  return device < 0 || !is_same ? "" : fmt::format(", on device {}", device);
}

/// `row 12 -> 14, on device 2`: where the first of these ops stands.
std::string rows_text(const DiffReport& report, const DiffOp& first, const std::vector<std::uint32_t>& ops) {
  const auto row = [](const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : std::string("-");
  };
  const std::size_t count = ops.size();
  return fmt::format("{}{} {} -> {}{}{}", report.row_name, count == 1 ? "" : "s from", row(first.before_row),
                     row(first.after_row), count == 1 ? "" : fmt::format(", {} ops", count),
                     device_text(report, ops));
}

/// Microseconds, or what keeps a figure within eight places.
std::string time_text(double us, bool is_signed) {
  constexpr double kMax = 100'000;
  const double size = std::abs(us);
  const double scale = size < kMax ? 1 : size < kMax * 1000 ? 1e3 : 1e6;
  const std::string_view unit = scale == 1 ? "μs" : scale == 1e3 ? "ms" : "s";
  const double value = us / scale;
  const int places = std::abs(value) < 100 ? 2 : 1;
  const std::string number =
      is_signed ? fmt::format("{:+.{}f}", value, places) : fmt::format("{:.{}f}", value, places);
  return fmt::format("{} {}", number == "-0.00" ? "+0.00" : number, unit);
}

}  // namespace

std::string cost_text(double cost, const std::string& unit) {
  if (unit == "bytes") return ui::size_text(static_cast<std::int64_t>(std::llround(cost)));
  if (unit == "flag") return cost > 0 ? "yes" : "no";
  if (unit == "us") return time_text(cost, false);
  return fmt::format("{:.0f}", cost);
}

std::string signed_cost(double change, const std::string& unit) {
  if (unit == "bytes") return ui::signed_size_text(static_cast<std::int64_t>(std::llround(change)));
  if (unit == "us") return time_text(change, true);
  if (unit == "flag") return {};
  return change == 0 ? "" : fmt::format("{:+.0f}", change);
}

std::string verdict_text(const DiffReport& report) {
  const DiffTotal* cost = cost_total(report);
  const double change = report.cost_change();
  const double before = cost != nullptr ? cost->before.value_or(0) : 0;
  const bool is_beyond = std::abs(change) > report.noise.band;
  if (!report.is_different) {
    return fmt::format("no difference beyond {}: {} changed by {}{}, within ±{}",
                       report.noise.is_rounding ? "rounding" : "noise", cost_label(report),
                       signed_cost(change, report.unit), percent_of(change, before),
                       cost_text(report.noise.band, report.unit));
  }
  const DiffTotal* wall = report.is_wall_beyond_noise ? total_of(report, "wall") : nullptr;
  const double wall_change = wall != nullptr ? wall->change().value_or(0) : 0;
  const double decides = is_beyond ? change : wall_change;
  const bool is_partial = report.has_caution(Caution::What::kPartial);
  const std::string_view how = is_partial ? "not comparable, a run is not whole"
                               : report.has_unlike_costs()
                                   ? "not comparable, times of ops are those of unlike things"
                               : report.has_caution(Caution::What::kLittleInCommon)
                                   ? "hardly comparable, few ops have a partner and only sums tell"
                               : decides == 0 && report.noise.is_rounding ? "different, but at the same cost"
                               : decides == 0 ? "different ops, at a cost that is the same but for noise"
                               : decides < 0  ? "better"
                                              : "worse";
  std::string text = fmt::format("{}: {} {}{}", how, cost_label(report), signed_cost(change, report.unit),
                                 percent_of(change, before));
  for (const DiffTotal& total : report.totals) {
    if (total.unit == "flag" && total.is_other())
      text += fmt::format("; {}: {} -> {}", total.name, cost_text(*total.before, total.unit),
                          cost_text(*total.after, total.unit));
  }
  if (wall_change != 0) {
    text += fmt::format("; wall {}{}: gaps and waiting changed, not only ops",
                        signed_cost(wall_change, wall->unit), percent_of(wall_change, *wall->before));
  }
  return text;
}

std::string_view totals_remark(const DiffReport& report) {
  if (report.unit == "us")
    return "device: sum of kernel times; gaps: between ops; wall: first start to last end";
  return "peaks are of all banks of one device; padding is of what is live at the peak";
}

std::string left_over_text(const DiffReport& report) {
  const std::string rows = ui::counted(report.noise.equal_rows, report.row_name);
  if (report.noise.is_rounding) {
    return is_printed_as_zero(report, report.noise.left_over)
               ? fmt::format("{} that did not change", rows)
               : fmt::format("rounding of the figures; {} did not change", rows);
  }
  return fmt::format("noise: {} that did not change, {:.1f} % each as a rule", rows,
                     100 * report.noise.relative);
}

namespace {

/// What is compared although the runs differ in a setting.
std::string_view compared_anyway_text(const std::string& setting) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kRemarks = {{
      {"devices", "each op counts with the device that decides the wall, without cycles the slowest"},
      {"architecture", "figures are compared as they are"},
      {"clock", "times are compared as they are"},
      {kModeSetting, "kernel times are compared; gaps and wall differ by the mode alone already"},
      {kCostSetting, "wall and busy can be compared, times of ops cannot"},
      {kRepeatsInWindow, "figures are of all of them"},
      {"mode of the capture", "what was allocated is compared"},
      {"window", "what lies in each is compared"},
      {"kind of input", "what both tell is compared"},
      {"chips", "one device of each is compared"},
      {"banks of DRAM", "bytes are of all banks of one device"},
      {"banks of L1", "bytes are of all banks of one device"},
      {"DRAM of the device", "bytes are compared, shares are not"},
      {"ranks", "the rank with the highest peak is compared"},
      {"figures", "what is modelled is as good as its model"},
      {"how it ended", "what had run by then is compared"},
      {"runs in the log", "the one with the highest peak is compared"},
      {"segments", "all of each are compared together"},
      {"names of arguments", "weights and inputs are paired by shape and type"},
      {"phases", "the peak over all of them is compared"},
  }};
  const auto found = std::find_if(kRemarks.begin(), kRemarks.end(),
                                  [&](const auto& remark) { return remark.first == setting; });
  return found == kRemarks.end() ? std::string_view() : found->second;
}

}  // namespace

std::string caution_text(const Caution& caution) {
  switch (caution.what) {
    case Caution::What::kSetting: {
      const std::string_view remark = compared_anyway_text(caution.name);
      return fmt::format("not alike: {} was {}, is {}{}{}", caution.name, caution.before, caution.after,
                         remark.empty() ? "" : "; ", remark);
    }
    case Caution::What::kReplays:
      return fmt::format(
          "not alike: {} was {}, is {}; one of each is compared, their mean, instead of the windows",
          kRepeatsInWindow, caution.before, caution.after);
    case Caution::What::kRepeats:
      return fmt::format("{} is left out: it has not the same ops in the same order as the first of its side",
                         caution.name);
    case Caution::What::kEmpty:
      return fmt::format("{}: nothing to compare: no op of it has a duration{}{}", caution.name,
                         caution.before.empty() ? "" : "; its window: ", caution.before);
    case Caution::What::kPartial:
      return fmt::format("{} is not whole, and figures are of what is there: {}", caution.name,
                         caution.before);
    case Caution::What::kLittleInCommon:
      return fmt::format(
          "only {} % of the cost is of ops that have a partner in the other run: are these "
          "runs of the same thing?",
          caution.before);
  }
  return {};
}

std::optional<DiffSum> gaps_of(const DiffReport& report) {
  const DiffTotal* const gaps = report.unit == "us" ? total_of(report, "gaps") : nullptr;
  if (gaps == nullptr || !gaps->before || !gaps->after) return std::nullopt;
  return DiffSum{"(gaps between ops)", *gaps->before, *gaps->after, 0, 0};
}

std::vector<DiffSum> categories_and_gaps(const DiffReport& report) {
  std::vector<DiffSum> sums = report.categories;
  if (const std::optional<DiffSum> gaps = gaps_of(report)) sums.push_back(*gaps);
  return sums;
}

std::string gap_text(const DiffReport& report, const DiffOp& op) {
  const auto side = [&](const std::optional<std::uint64_t>& row, double gap) {
    return row ? cost_text(gap, report.unit) : std::string("-");
  };
  const auto number = [](const std::optional<std::uint64_t>& row) {
    return row ? std::to_string(*row) : std::string("-");
  };
  return fmt::format("before {}: {} -> {} ({} {} -> {})", op.label.empty() ? op.op : op.label,
                     side(op.before_row, op.gap_before), side(op.after_row, op.gap_after), report.row_name,
                     number(op.before_row), number(op.after_row));
}

namespace {

/// `fidelity was HiFi2, is LoFi; cores was 64, is 32`.
std::string causes_text(const std::vector<Cause>& causes) {
  std::string text;
  for (const Cause& cause : causes) {
    text +=
        fmt::format("{}{} was {}, is {}", text.empty() ? "" : "; ", cause.name, cause.before, cause.after);
  }
  return text;
}

/// How many pairs stand on little: a common name, where neighbors do not agree.
std::size_t unsure_pairs(const DiffReport& report) {
  constexpr double kUnsure = 0.5;
  return static_cast<std::size_t>(std::count_if(report.ops.begin(), report.ops.end(), [](const DiffOp& op) {
    return op.is_pair() && op.confidence < kUnsure;
  }));
}

/// A change in words, without the rows where it is.
std::string change_sentence(const DiffReport& report, const DiffChange& change) {
  // What became of what is told by the order; one property of many ops is not.
  const bool in_order = change.what != DiffChange::What::kCause;
  const std::string removed = labels_text(counted_labels(report, change.ops, true, in_order));
  const std::string added = labels_text(counted_labels(report, change.ops, false, in_order));
  switch (change.what) {
    case DiffChange::What::kReplaced:
      return fmt::format("{} became {}", removed, added);
    case DiffChange::What::kRemoved:
      return removed + " gone";
    case DiffChange::What::kAdded:
      return added + " new";
    case DiffChange::What::kCause:
      return fmt::format("{}: {}", removed, causes_text(report.ops[change.ops.front()].causes));
    case DiffChange::What::kMoved:
      return removed + " moved";
    case DiffChange::What::kSlower:
      return fmt::format("{}: another {}, nothing that the inputs tell changed", removed,
                         report.unit == "us" ? "time" : "size");
  }
  return {};
}

}  // namespace

std::string change_text(const DiffReport& report, const DiffChange& change) {
  return fmt::format("{} ({})", change_sentence(report, change),
                     rows_text(report, report.ops[change.ops.front()], change.ops));
}

std::vector<ChangeGroup> grouped_changes(const DiffReport& report) {
  std::vector<ChangeGroup> groups;
  std::unordered_map<std::string, std::size_t> by_text;
  for (const DiffChange& change : report.changes) {
    const auto [place, is_new] = by_text.try_emplace(change_sentence(report, change), groups.size());
    if (is_new) {
      groups.push_back({place->first, change.ops, change.ops.front(), 0, 0, false});
    } else {
      std::vector<std::uint32_t>& ops = groups[place->second].ops;
      ops.insert(ops.end(), change.ops.begin(), change.ops.end());
    }
    ChangeGroup& group = groups[place->second];
    group.first_op = std::min(group.first_op, change.ops.front());
    ++group.times;
    group.change += change.change;
    group.is_intended_unknown |= change.is_intended_unknown;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const ChangeGroup& a, const ChangeGroup& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  return groups;
}

std::string group_text(const DiffReport& report, const ChangeGroup& group) {
  return fmt::format("{}{} ({})", group.times > 1 ? fmt::format("{} times: ", group.times) : "", group.words,
                     rows_text(report, report.ops[group.first_op], group.ops));
}

std::vector<std::string> warning_texts(const DiffReport& report) {
  std::vector<std::string> texts = report.warnings;
  if (report.joined && report.joined->basis == JoinBasis::kNone) {
    texts.emplace_back(
        "no op of one subject was found in the other: neither by location, nor by what ops are and their "
        "order");
  }
  if (report.joined && report.joined->basis == JoinBasis::kNames) {
    texts.push_back(
        fmt::format("no location stands in both subjects: {} of {} ops were found in the other one by what "
                    "they are and their order",
                    report.joined->count, report.ops.size()));
  }
  return texts;
}

std::string pairs_text(const DiffReport& report) {
  const std::size_t unsure = unsure_pairs(report);
  if (unsure == 0) return {};
  const auto pairs = static_cast<std::size_t>(
      std::count_if(report.ops.begin(), report.ops.end(), [](const DiffOp& op) { return op.is_pair(); }));
  return fmt::format("{} of {} stand by their name and order alone, less than 50 % sure", unsure,
                     ui::counted(pairs, "pair"));
}

bool is_printed_as_zero(const DiffReport& report, double change) {
  return std::abs(change) < (report.unit == "us" ? 0.005 : 0.5);
}

}  // namespace ttscope::diff
