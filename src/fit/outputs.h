#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "fit/report.h"
#include "ui/text.h"

/// Sentences of a fit report, for terminal, markdown and pages alike. Texts of the input in them are not
/// escaped.

namespace ttscope::fit {

/// `ttscope.fit/1`, see docs/formats/fit_json.md.
void write_fit_json(const Report& report, Writer& out, std::string_view tool_version);

/// The same as a value of another document.
void write_fit_object(JsonWriter& json, const Report& report, std::string_view tool_version);

/// The whole report as markdown, for people and language models.
void write_fit_markdown(const Report& report, Writer& out);

/// The report for a terminal: how far the replay can be trusted first, then the verdict of each device.
std::string fit_summary_text(const Report& report, const ui::TextOptions& options);

/// In place of the figures of a memory of which the input says nothing.
inline constexpr std::string_view kNotReported = "not told";

/// `FITS`; `FITS SO FAR` where the run or its log ended before the end: what came after is not known.
std::string_view fits_text(const Report& report);
/// `DRAM of n150: 142.06 MB of 1021.17 MB in each bank at the peak, 879.11 MB left`.
std::string verdict_sentence(const DeviceVerdict& verdict);
/// Why, where and with what: `ttnn.matmul (dot.434, line 6329) asks for 89.48 MB of each bank, 67.14 MB are
/// free`.
std::string failure_sentence(const Failure& failure);
/// What several files or ranks are taken for, and whose figures are shown; empty for one.
std::string joined_sentence(const Report& report);
/// `measured, to the byte by the replay`: states are printed in MB with three digits.
std::string_view basis_text(Basis basis);
/// Whether a peak has the request in it that found no room: what was really held, as `mem` and `oom` show it,
/// is less.
bool counts_request(const MemoryUse& use, const DeviceVerdict& verdict);
std::string place_text(const Place& place);
/// `1,207 of 1,207 states`: what of the replay is as printed.
std::string agreement_sentence(const Agreement& agreement);
/// What the op lines do not explain; empty where they explain all.
std::string correction_sentence(const Agreement& agreement);
/// `line 1234: DRAM, largest free block: printed 883.12 MB, replayed 883.00 MB`.
std::string miss_text(const ReplayMiss& miss);
std::string omission_sentence(Omission omission);
/// `failed`, `needed`: what a phase came to, empty where it was done.
std::string phase_state_text(PhaseUse::State state);
/// `--weights bfp8 (24 tensors)`.
std::string change_text(const AppliedChange& change);
std::string changes_text(const std::vector<AppliedChange>& changes);
/// Of Report::search and Report::maximum, which must be there.
std::string search_sentence(const Report& report);
std::string maximum_sentence(const Report& report);
/// `own device` is called by what it is: `n150, the input's own`.
std::string device_label(const Device& device);

/// A row of the table of devices; the header names its columns.
std::vector<std::string> device_columns();
std::vector<std::string> device_row(const Report& report, const DeviceVerdict& verdict);

}  // namespace ttscope::fit
