#include "graph/tables/tables.h"

#include <utility>

#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

template <typename Rows>
table::Table table_with(const table::TableOf<Rows>& spec,
                        std::shared_ptr<const std::type_identity_t<Rows>> rows) {
  const std::size_t count = rows->size();
  return table::make_table(spec, std::move(rows), count);
}

std::shared_ptr<const ProgramRows> program_rows(const std::shared_ptr<const Profile>& profile) {
  std::vector<ProgramBufferLife> lives;
  auto rows = segment_rows<ProgramRows>(profile, [&](const ProfiledSegment& segment) {
    const std::vector<ProgramBufferLife> more = program_buffer_lives(*segment.trace);
    lives.insert(lives.end(), more.begin(), more.end());
    return more.size();
  });
  rows->lives = std::move(lives);
  return rows;
}

std::shared_ptr<const LiveRows> live_rows(std::shared_ptr<const CalledRows> buffers) {
  auto rows = std::make_shared<LiveRows>();
  rows->profile = buffers->profile;
  rows->begins.push_back(0);
  for (const ProfiledSegment& segment : rows->profile->segments) {
    for (const GraphPeak* peak : {&segment.profile.dram_peak, &segment.profile.l1_peak})
      rows->begins.push_back(rows->begins.back() + peak->live.size());
  }
  rows->buffers = std::move(buffers);
  return rows;
}

table::Table live_at_overall_peak(const std::shared_ptr<const CalledRows>& buffers) {
  auto rows = std::make_shared<OverallRows>();
  rows->profile = buffers->profile;
  rows->buffers = buffers;
  const LiveSet& set = rows->profile->live;
  rows->live = set.live_at_dram_peak;
  rows->live.insert(rows->live.end(), set.live_at_l1_peak.begin(), set.live_at_l1_peak.end());
  const std::size_t count = rows->live.size();
  return table::make_table(live_at_overall_peak_spec(), std::move(rows), count);
}

table::Table peak_parts(const std::shared_ptr<const Profile>& profile) {
  auto rows = std::make_shared<PartRows>();
  rows->profile = profile;
  for (std::uint32_t segment = 0; segment < profile->live.segment_dram.size(); ++segment) {
    for (const PartBytes& part : profile->live.segment_dram[segment].parts)
      rows->parts.push_back({segment, part});
  }
  const std::size_t count = rows->parts.size();
  return table::make_table(peak_parts_spec(), std::move(rows), count);
}

table::Table described_devices(const std::shared_ptr<const Profile>& profile) {
  auto all = std::make_shared<DescribedDevices>();
  all->profile = profile;
  for (std::size_t file = 0; file < profile->captures.size(); ++file) {
    for (const GraphDevice& device : profile->captures[file]->devices)
      all->devices.emplace_back(file, &device);
  }
  const std::size_t count = all->devices.size();
  return table::make_table(described_devices_spec(), std::move(all), count);
}

}  // namespace

table::TableSet tables_of(const std::shared_ptr<const Profile>& profile) {
  const auto ops = segment_rows<OpRows>(
      profile, [](const ProfiledSegment& segment) { return segment.profile.calls.size(); });
  const auto buffers = segment_rows<CalledRows>(
      profile, [](const ProfiledSegment& segment) { return segment.profile.buffers.size(); });
  buffers->ops = ops;
  const std::shared_ptr<const LiveRows> live = live_rows(buffers);
  const std::size_t segments = profile->segments.size();
  table::TableSet set;
  set.kind = "graph_capture";
  set.tables = {
      table::make_table(segments_spec(), profile, segments),
      table_with(ops_spec(), ops),
      table_with(nodes_spec(), segment_rows(profile,
                                            [](const ProfiledSegment& segment) {
                                              return static_cast<std::size_t>(segment.trace->size());
                                            })),
      table_with(buffers_spec(), buffers),
      table_with(circular_buffers_spec(), program_rows(profile)),
      table::make_table(peaks_spec(), live, 2 * segments),
      table_with(live_at_peak_spec(), live),
      live_at_overall_peak(buffers),
      peak_parts(profile),
      table::make_table(findings_spec(), profile, profile->findings.size()),
      table_with(devices_spec(),
                 segment_rows(profile,
                              [](const ProfiledSegment& segment) { return segment.profile.devices.size(); })),
      described_devices(profile),
      table_with(output_tensors_spec(),
                 segment_rows(profile,
                              [](const ProfiledSegment& segment) { return segment.profile.outputs.size(); })),
      table_with(differences_spec(), segment_rows(profile,
                                                  [](const ProfiledSegment& segment) {
                                                    return segment.profile.differences.size();
                                                  })),
  };
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&segments_spec(),         &ops_spec(),        &nodes_spec(),        &buffers_spec(),
          &circular_buffers_spec(), &peaks_spec(),      &live_at_peak_spec(), &live_at_overall_peak_spec(),
          &peak_parts_spec(),       &findings_spec(),   &devices_spec(),      &described_devices_spec(),
          &output_tensors_spec(),   &differences_spec()};
}

std::vector<table::View> views() {
  return {
      {"graph_peaks", "How much memory does each segment need?",
       "select profile, segment, name, dram_peak_bytes, l1_peak_total_bytes_per_core, "
       "l1_peak_cb_bytes_per_core, l1_peak_buffer_bytes_per_core from segments order by profile, segment"},
      {"graph_calls", "Which calls use most DRAM, L1 or circular buffers?",
       "select profile, segment, op, name, count(*) over (partition by profile, segment, name) as "
       "calls_of_name, dram_allocated_bytes, dram_freed_bytes, l1_peak_bytes_per_core, "
       "cb_peak_bytes_per_core, duration_ns from ops where start_node is not null and parent_op is null "
       "order by max(dram_allocated_bytes, 1024 * l1_allocated_bytes_per_core, 1024 * "
       "cb_peak_bytes_per_core) desc"},
      {"graph_live_at_peak", "What is live when a memory is fullest?",
       "select profile, segment, memory, name, bytes_of_peak, path from live_at_peak order by profile, "
       "segment, memory, bytes_of_peak desc"},
      {"graph_overall_peak", "What is live when DRAM is fullest over all segments?",
       "select profile, memory, kind, name, bytes_of_peak, segment, freed_in_segment from "
       "live_at_overall_peak order by profile, memory, bytes_of_peak desc"},
      {"graph_peak_parts", "What are the peaks of the segments made of?",
       "select profile, segment, is_overall, part, buffers, bytes from peak_parts order by profile, segment, "
       "bytes desc"},
      {"graph_never_freed", "Which buffers outlive the capture?",
       "select profile, segment, memory, name, size_bytes, bytes_per_bank, allocated_at_node from buffers "
       "where freed_at_node is null and allocated_at_node is not null order by size_bytes desc"},
      {"graph_circular_buffers", "Which cores carry most in circular buffers?",
       "select profile, segment, device_id, core_ranges, count(*) as buffers, sum(bytes_per_core) as "
       "total_bytes_per_core from circular_buffers where coalesce(is_borrowed, 0) = 0 group by profile, "
       "segment, "
       "device_id, core_ranges, released_at_node order by total_bytes_per_core desc"},
  };
}

}  // namespace ttscope::graph
