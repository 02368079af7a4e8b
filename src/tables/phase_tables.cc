#include <cmath>
#include <limits>

#include "tables/log_tables.h"
#include "tables/text_codes.h"

namespace ttscope::tables {
namespace {

using Numbers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

double or_nan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

constexpr std::array<const char*, phases::kDramFieldCount> kFieldNames{
    "segment_peak_mb",   "allocations_mb",     "deallocations_mb",
    "segment_change_mb", "cumulative_peak_mb", "cumulative_current_mb"};

Table phases_table(const phases::PhaseLog& log) {
  Numbers summary, line;
  TextCodes name;
  std::array<Reals, phases::kDramFieldCount> dram;
  Reals cb, buffer, total;
  for (std::size_t i = 0; i < log.summaries.size(); ++i) {
    for (const phases::PhaseRecord& phase : log.summaries[i].phases) {
      summary.push_back(static_cast<std::int64_t>(i));
      line.push_back(phase.line);
      name.add(phase.name);
      for (std::size_t field = 0; field < phases::kDramFieldCount; ++field)
        dram[field].push_back(or_nan(phase.dram_mb[field]));
      cb.push_back(phase.l1 ? phase.l1->peak_cb_mb : or_nan({}));
      buffer.push_back(phase.l1 ? phase.l1->peak_buffer_mb : or_nan({}));
      total.push_back(phase.l1 ? phase.l1->peak_total_mb : or_nan({}));
    }
  }
  Table table{"phases", {}};
  table.add("summary", std::move(summary));
  table.add("line", std::move(line));
  table.add("name", name.take());
  for (std::size_t field = 0; field < phases::kDramFieldCount; ++field) {
    table.add(std::string("dram_") + kFieldNames[field], std::move(dram[field]));
  }
  table.add("l1_peak_cb_mb_per_core", std::move(cb));
  table.add("l1_peak_buffer_mb_per_core", std::move(buffer));
  table.add("l1_peak_total_mb_per_core", std::move(total));
  return table;
}

Table summaries_table(const phases::PhaseLog& log) {
  Numbers line, rank, parameters;
  TextCodes heading;
  Reals peak, final_usage, device_memory;
  for (const phases::PhaseSummary& summary : log.summaries) {
    line.push_back(summary.line);
    rank.push_back(summary.rank ? static_cast<std::int64_t>(*summary.rank) : -1);
    heading.add(summary.heading);
    peak.push_back(or_nan(summary.overall_peak_mb));
    final_usage.push_back(or_nan(summary.final_usage_mb));
    const auto& facts = summary.facts;
    parameters.push_back(facts.parameters ? static_cast<std::int64_t>(facts.parameters->value) : -1);
    device_memory.push_back(facts.device_memory_mb ? facts.device_memory_mb->value : or_nan({}));
  }
  Table table{"summaries", {}};
  table.add("line", std::move(line));
  table.add("rank", std::move(rank));
  table.add("heading", heading.take());
  table.add("overall_peak_mb", std::move(peak));
  table.add("final_usage_mb", std::move(final_usage));
  table.add("parameters", std::move(parameters));
  table.add("device_memory_mb", std::move(device_memory));
  return table;
}

}  // namespace

ProfileTables phase_tables(const phases::PhaseLog& log) {
  ProfileTables result;
  result.kind = "phase_log";
  result.tables.push_back(phases_table(log));
  result.tables.push_back(summaries_table(log));
  result.warnings = log.warnings;
  return result;
}

}  // namespace ttscope::tables
