#include "diff/write/diff_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_escape.h"
#include "diff/analyse/gap_changes.h"
#include "report/document_head.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::diff {
namespace {

using report::Painter;

constexpr std::string_view kByDevice = "By device";
constexpr std::string_view kByDeviceRemark =
    "its own ops without collectives, in which devices wait for each other";
constexpr int kLeastWidth = 60;
constexpr int kMostWidth = 140;

/// A table of before, after and change.
class ReportText {
 public:
  ReportText(const DiffReport& report, const DiffReport* beside, const DiffTextOptions& options)
      : report_(report),
        beside_(beside),
        options_(options),
        groups_(grouped_changes(report)),
        width_(static_cast<std::size_t>(std::clamp(options.width, kLeastWidth, kMostWidth))),
        painter_(options.color, width_) {}

  std::string text() {
    write_head();
    write_totals();
    write_changes();
    write_unannounced();
    write_gaps();
    write_sums("By category", report_.categories);
    write_gaps_beside_categories();
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
    std::string line = "  " + report::pad_right(report::fit(terminal_safe(name), name_width()), name_width());
    line += report::pad_left(cell(before), kCellWidth) + report::pad_left(cell(after), kCellWidth);
    if (before && after) {
      line += report::pad_left(signed_cost(*after - *before, unit), kCellWidth);
      if (has_share() && *before > 0 && unit != "flag" && unit != "count")
        line += report::pad_left(share_text(*before, *after), kShareWidth);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    painter_.line(line);
  }

  void write_totals() {
    painter_.heading("In total", totals_remark(report_));
    painter_.line("  " + report::pad_right("", name_width()) + report::pad_left("before", kCellWidth) +
                  report::pad_left("after", kCellWidth) + report::pad_left("change", kCellWidth));
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
                    terminal_safe(group_text(report_, groups_[i]) + beside_text(groups_[i])));
    }
    if (groups_.size() > listed) {
      const bool is_nothing = is_printed_as_zero(report_, groups_[listed].change);
      painter_.item(signed_cost(report_.cost_change() - named, report_.unit),
                    fmt::format("{} more{}", report::counted(groups_.size() - listed, "change"),
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
  std::string beside_text(const ChangeGroup& change) const {
    double sum = 0;
    bool is_known = false;
    for (const std::uint32_t op : change.ops) {
      if (!report_.ops[op].beside || beside_ == nullptr) continue;
      sum += beside_->ops[*report_.ops[op].beside].change();
      is_known = true;
    }
    return is_known ? fmt::format("; {} {}", beside_->cost_name, signed_cost(sum, beside_->unit)) : "";
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
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < std::min(ops.size(), options_.top == 0 ? ops.size() : kMost); ++i) {
      painter_.item(signed_cost(gap_change(report_.ops[ops[i]]), report_.unit),
                    terminal_safe(gap_text(report_, report_.ops[ops[i]])));
    }
  }

  /// Between ops lies what no category holds.
  void write_gaps_beside_categories() {
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
    constexpr std::size_t kMost = 40;
    return std::min(kMost, width_ - 2 - 3 * kCellWidth - (has_share() ? kShareWidth : 0));
  }
  /// Of next to nothing no share means anything.
  static std::string share_text(double before, double after) {
    constexpr double kMostPercent = 10'000;
    const double percent = 100 * (after - before) / before;
    return percent > kMostPercent ? std::string() : fmt::format("{:+.1f} %", percent);
  }

  static constexpr std::size_t kCellWidth = 13;
  static constexpr std::size_t kShareWidth = 10;
  const DiffReport& report_;
  const DiffReport* beside_;
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
                  markdown_code(report.after_name), sentence(verdict_text(report)), report::kDataNotice);
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
  constexpr std::size_t kMostGaps = 20;
  for (std::size_t i = 0; i < std::min(gaps.size(), kMostGaps); ++i) {
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

}  // namespace ttscope::diff
