#include "perf/write/terminal/perf_report.h"

#include <fmt/format.h>

#include <functional>
#include <string>

#include "base/text_escape.h"
#include "perf/write/terminal/folded_text.h"
#include "perf/write/terminal/noc_table.h"
#include "perf/write/terminal/op_tables.h"
#include "perf/write/terminal/perf_headline.h"
#include "perf/write/terminal/perf_sections.h"
#include "perf/write/words/perf_trust.h"
#include "perf/write/zones/zone_report.h"

namespace ttscope::perf {
namespace {

class PerfReportText {
 public:
  PerfReportText(const Profile& profile, const PerfReportOptions& options, Writer& out)
      : profile_(profile),
        report_(profile.report),
        reading_(profile.reading),
        options_(options),
        form_(options.table),
        rules_(*options.table.rules),
        out_(out) {
    if (rules_.warns_of_unclassified_ops && !profile.stack.empty())
      unclassified_ = unclassified_warnings(reading_.ops, form_.color);
  }

  void write(const WrittenReading& written);

 private:
  void write_sections();
  void write_reference_sections();
  void write_rows();
  void write_findings(Writer& out) const;
  void write_folded(const std::function<void(Writer&)>& write);
  void write_file_list(const WrittenReading& written);
  void write_file_sentences(const WrittenReading& written);

  const Profile& profile_;
  const OpsReport& report_;
  const OpReading& reading_;
  const PerfReportOptions& options_;
  const PerfTableOptions& form_;
  const Rules& rules_;
  Writer& out_;
  std::string unclassified_;  ///< what tt-perf-report says of op names that it does not know
};

void PerfReportText::write(const WrittenReading& written) {
  if (options_.shows_sections && rules_.has_own_sections) write_sections();
  if (options_.shows_sections && !rules_.has_own_sections) write_reference_sections();
  for (const CaptureZones* zones : profile_.zones()) write_zone_table(*zones, form_, out_);
  if (rules_.notes_without_table && !options_.shows_sections) write_notes(reading_.ops.notes, form_, out_);
  if (rules_.lists_written_files) return write_file_list(written);
  write_file_sentences(written);
}

void PerfReportText::write_sections() {
  write_notes(reading_.ops.notes, form_, out_);
  const bool has_rows = !reading_.ops.rows.empty();
  if (has_rows) write_folded([&](Writer& text) { write_time_section(report_, reading_, form_, text); });
  if (!profile_.zones_only) write_rows();
  write_noc_table(noc_traces_of(profile_), time_tag(report_), form_, out_);
  if (!has_rows) return;
  write_folded([&](Writer& text) { write_findings(text); });
  if (options_.summary) write_fitted_stack(profile_.stack, options_.stack, form_, out_);
  write_folded([&](Writer& text) { write_trust_section(report_, reading_.ops, form_, text); });
}

/// What the table means.
void PerfReportText::write_findings(Writer& out) const {
  write_path_section(report_, reading_, form_, out);
  write_bound_section(report_, reading_, form_, out);
  write_conversion_section(report_, reading_, form_, out);
  write_gap_section(reading_, form_, out);
  write_skew_section(report_, reading_, form_, out);
  if (form_.advice) write_advice_section(report_, reading_, form_, out);
}

/// What is written, in lines that the terminal has room for.
void PerfReportText::write_folded(const std::function<void(Writer&)>& write) {
  StringWriter text;
  write(text);
  static_cast<void>(text.finish());
  out_.write(folded_text(text.text(), form_.width));
}

void PerfReportText::write_rows() {
  if (options_.all_rows || reading_.ops.rows.empty()) {
    PerfTableText(report_, reading_.ops, form_, &reading_.bounds).write_table(out_);
  } else {
    write_group_table(report_, reading_, form_, out_);
  }
}

/// What tt-perf-report prints, in its order.
void PerfReportText::write_reference_sections() {
  const PerfTableText text(report_, reading_.ops, form_);
  write_notes(reading_.ops.notes, form_, out_);
  if (!profile_.zones_only) text.write_table(out_);
  if (reading_.ops.rows.empty()) return;
  if (form_.advice) text.write_matmul_sections(out_);
  if (!options_.summary) return;
  out_.write(unclassified_);
  write_stack_text(profile_.stack, options_.stack, form_.color, out_);
}

void PerfReportText::write_file_list(const WrittenReading& written) {
  if (written.paths.empty()) return;
  out_.write(options_.shows_sections || !profile_.zones().empty() ? "\nWritten\n" : "Written\n");
  for (const std::string& path : written.paths) out_.write(fmt::format("  {}\n", terminal_safe(path)));
}

/// The sentences of tt-perf-report, which knows no other files.
void PerfReportText::write_file_sentences(const WrittenReading& written) {
  if (!written.csv_path.empty()) {
    out_.write(fmt::format("Writing CSV output to {}\n", terminal_safe(written.csv_path)));
    if (options_.summary) out_.write(unclassified_);
  }
  if (written.stack_base.empty()) return;
  out_.write(fmt::format("Writing CSV stacked report to {0}.csv\nPlotting PNG stacked report to {0}.png\n",
                         terminal_safe(written.stack_base)));
}

}  // namespace

void write_perf_report(const Profile& profile, const PerfReportOptions& options,
                       const WrittenReading& written, Writer& out) {
  PerfReportText(profile, options, out).write(written);
}

}  // namespace ttscope::perf
