#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "diff/report.h"

namespace ttscope::diff {

/// `ttscope.diff/1` (docs/formats/diff_json.md). The first report is the document; further ones, of other
/// subjects of the same runs, stand in it under `also`. There is at least one.
void write_diff_json(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out);

/// The page that shows both runs on one axis: the built front end with the reports inside, their ops as
/// columns (docs/formats/report_page.md). One file, no requests.
void write_diff_page(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out);

/// The built front end, with its marks.
std::string_view diff_page_template();

struct DiffTextOptions {
  bool color = false;
  int width = 80;
  std::size_t top = 12;  ///< entries of each list; 0: all
};

/// What changed, which ops account for it and why, for a terminal.
std::string diff_text(const std::vector<DiffReport>& reports, const DiffTextOptions& options);
/// The same as a markdown document, with every change.
std::string diff_markdown(const std::vector<DiffReport>& reports);

// The words that both share.

/// What the totals mean.
std::string_view totals_remark(const DiffReport& report);

/// `no difference beyond noise`, or what became of the cost.
std::string verdict_text(const DiffReport& report);
/// What rows that did not change add up to, and why they are not the same.
std::string left_over_text(const DiffReport& report);
std::string caution_text(const Caution& caution);
/// `Transpose 128x32x256, ReshapeView ... became Slice ..., Concat ...`
std::string change_text(const DiffReport& report, const DiffChange& change);

/// Changes of the same words, as every layer of a model has them: one line for people. What reads alike is
/// known where the words are made, so that writers group them and no analysis.
struct ChangeGroup {
  std::string words;
  std::vector<std::uint32_t> ops;  ///< into DiffReport::ops
  std::uint32_t first_op = 0;      ///< the first of the change that stands first
  std::size_t times = 0;
  double change = 0;  ///< of all
  bool is_intended_unknown = false;
};

/// Largest first; they add up to what the changes of the report add up to.
std::vector<ChangeGroup> grouped_changes(const DiffReport& report);
/// `36 times: Typecast 32x64 new (rows from 7 -> 7, 36 ops)`.
std::string group_text(const DiffReport& report, const ChangeGroup& group);
/// What the inputs warn of, and by what memory and time of an op were found to be of one op.
std::vector<std::string> warning_texts(const DiffReport& report);
/// How many pairs are guesses; empty: none.
std::string pairs_text(const DiffReport& report);
bool is_printed_as_zero(const DiffReport& report, double change);

/// What lies between ops, as a line beside the categories; none where the runs are of no time.
std::optional<DiffSum> gaps_of(const DiffReport& report);
/// The categories, and that line behind them.
std::vector<DiffSum> categories_and_gaps(const DiffReport& report);
/// `before Slice 128x4096: 1.20 us -> 4.70 us (row 12 -> 14)`.
std::string gap_text(const DiffReport& report, const DiffOp& op);
/// `-47.5 us`; of bytes `-1.5 MB`.
std::string signed_cost(double change, const std::string& unit);
std::string cost_text(double cost, const std::string& unit);

}  // namespace ttscope::diff
