#include "fit/write/fit_markdown.h"

#include <fmt/format.h>

#include "base/text_escape.h"
#include "fit/write/fit_words.h"
#include "report/document_head.h"
#include "report/number_text.h"

namespace ttscope::fit {
namespace {

using report::size_text;

void write_row(const std::vector<std::string>& cells, Writer& out) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", markdown_cell(cell));
  out.write(line + "\n");
}

void write_agreement(const Agreement& agreement, Writer& out) {
  out.write(fmt::format("\n## Replay\n\n- {}\n", markdown_cell(agreement_sentence(agreement))));
  const std::string corrections = correction_sentence(agreement);
  if (!corrections.empty()) out.write(fmt::format("- {}\n", corrections));
  if (agreement.misses > 0)
    out.write(fmt::format("- {} not as printed; the first:\n", report::counted(agreement.misses, "figure")));
  for (const ReplayMiss& miss : agreement.first_misses)
    out.write(fmt::format("  - {}\n", markdown_cell(miss_text(miss))));
}

void write_phases(const std::vector<PhaseUse>& phases, Writer& out) {
  if (phases.empty()) return;
  out.write("\nPhases, DRAM of each bank:\n\n");
  write_row({"phase", "before", "peak", "after", ""}, out);
  out.write("|---|---|---|---|---|\n");
  for (const PhaseUse& phase : phases)
    write_row({phase.name, size_text(phase.before_bytes_per_bank), size_text(phase.peak_bytes_per_bank),
               size_text(phase.after_bytes_per_bank), phase_state_text(phase.state)},
              out);
}

void write_device(const DeviceVerdict& verdict, std::string_view fits, Writer& out) {
  out.write(fmt::format("\n## {}: {}\n\n{}\n\n", markdown_cell(verdict.device.name),
                        verdict.fits ? fits : "does not fit", markdown_cell(verdict_sentence(verdict))));
  write_row({"memory", "banks", "bank", "peak", "headroom", "largest free block never below",
             "fragmentation up to", "figures are", "peak at"},
            out);
  out.write("|---|---|---|---|---|---|---|---|---|\n");
  for (const MemoryUse& use : verdict.memories) {
    if (!use.is_told) {
      write_row({std::string(name_of(use.memory)), std::to_string(use.region.banks),
                 size_text(use.region.bytes_per_bank), std::string(kNotTold), "", "", "", "", ""},
                out);
      continue;
    }
    const bool missing = use.headroom_bytes_per_bank < 0;
    write_row(
        {std::string(name_of(use.memory)), std::to_string(use.region.banks),
         size_text(use.region.bytes_per_bank), size_text(use.peak_bytes_per_bank),
         (missing ? "-" : "") +
             size_text(missing ? -use.headroom_bytes_per_bank : use.headroom_bytes_per_bank),
         size_text(use.smallest_largest_free_bytes_per_bank), report::percent_text(use.worst_fragmentation),
         std::string(name_of(use.basis)), place_text(use.peak_place)},
        out);
  }
  write_phases(verdict.phases, out);
  if (!verdict.failure || verdict.failure->held.empty()) return;
  out.write("\nLive when it failed, in each bank:\n\n");
  write_row({"tensor", "kind", "shape", "element", "bytes per bank"}, out);
  out.write("|---|---|---|---|---|\n");
  for (const LiveTensor& tensor : verdict.failure->live)
    write_row({tensor.name, tensor.kind, tensor.shape, tensor.dtype, std::to_string(tensor.bytes_per_bank)},
              out);
  out.write("\nBy kind:");
  for (const KindBytes& kind : verdict.failure->held)
    out.write(fmt::format(" {} {} ({}).", markdown_cell(kind.kind), size_text(kind.bytes_per_bank),
                          report::counted(kind.tensors, "buffer")));
  out.write("\n");
}

void write_search(const Report& report, Writer& out) {
  const Search& search = *report.search;
  out.write(fmt::format("\n## Smallest change that fits\n\n{}\n\n", markdown_cell(search_sentence(report))));
  if (search.attempts.empty()) return;
  write_row({"changes", "fits", "DRAM peak of a bank", "headroom bytes", "figures are"}, out);
  out.write("|---|---|---|---|---|\n");
  for (const Attempt& attempt : search.attempts)
    write_row(
        {changes_text(attempt.changes), attempt.fits ? "yes" : "no", size_text(attempt.peak_bytes_per_bank),
         std::to_string(attempt.headroom_bytes_per_bank), std::string(name_of(attempt.basis))},
        out);
}

}  // namespace

void write_fit_markdown(const Report& report, Writer& out) {
  out.write(
      "# Does it fit?\n\nMB is 1,048,576 bytes; figures are of one bank of one chip, all banks are alike. ");
  out.write(report::kDataNotice);
  out.write('\n');
  for (const std::string& path : report.inputs)
    out.write(fmt::format("\n{}: {}\n", markdown_cell(report.input_kind), markdown_code(path)));
  if (const std::string joined = joined_sentence(report); !joined.empty())
    out.write(fmt::format("\n{}\n", markdown_cell(joined)));
  if (report.replay) write_agreement(*report.replay, out);
  if (!report.changes.empty()) out.write("\n## Changes\n\n");
  for (const AppliedChange& change : report.changes)
    out.write(fmt::format("- {}: {}\n", markdown_cell(change_text(change)), name_of(change.basis)));
  if (report.devices.size() > 1) {
    out.write("\n## Devices\n\n");
    write_row(device_columns(), out);
    out.write("|---|---|---|---|---|---|---|---|\n");
    for (const DeviceVerdict& verdict : report.devices) write_row(device_row(report, verdict), out);
  }
  for (const DeviceVerdict& verdict : report.devices)
    write_device(verdict, fits_word(report) == "FITS" ? "fits" : "fits so far", out);
  if (report.search) write_search(report, out);
  if (report.maximum)
    out.write(fmt::format("\n## Largest that fits\n\n{}\n", markdown_cell(maximum_sentence(report))));
  out.write("\n## Left out of these figures\n\n");
  for (const Omission omission : report.omissions)
    out.write(fmt::format("- {}\n", omission_sentence(omission)));
}

}  // namespace ttscope::fit
