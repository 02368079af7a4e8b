#include "perf/write/raw_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/text.h"
#include "perf/write/terminal.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

std::optional<std::string_view> or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

class RawJson {
 public:
  RawJson(const RawRun& run, JsonWriter& json) : run_(run), json_(json) {}

  void write_cores() {
    json_.key("cores");
    json_.begin_array();
    for (const RawCore& core : run_.cores) {
      json_.begin_object();
      json_.field("core_x", core.x);
      json_.field("core_y", core.y);
      json_.field("flat_id", core.flat_id);
      json_.field("done", core.is_done);
      json_.key("riscs");
      json_.begin_array();
      for (const RawProcessor& processor : core.processors) write_processor(processor);
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
  }

  /// Of DRAM, or of the buffers in L1.
  void write_markers(std::string_view key, RawRegion RawProcessor::*place) {
    json_.key(key);
    json_.begin_array();
    for (const RawCore& core : run_.cores) {
      for (const RawProcessor& processor : core.processors) {
        for (const RawMarker& marker : (processor.*place).markers)
          write_marker(core, processor, processor.*place, marker);
      }
    }
    json_.end_array();
  }

  void write_findings() {
    json_.key("findings");
    json_.begin_array();
    for (const RawFinding& finding : run_.findings) {
      const RawCore& core = run_.cores[finding.core];
      json_.begin_object();
      json_.field("kind", info_of(finding.problem).key);
      json_.field("core_x", core.x);
      json_.field("core_y", core.y);
      json_.field("risc", core.processors[finding.processor].name);
      json_.field("count", finding.count);
      json_.field("text", finding_text(run_, finding));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_running() {
    json_.key("running");
    json_.begin_array();
    for (const RunningLaunch& running : run_.running) {
      const RawCore& core = run_.cores[running.core];
      json_.begin_object();
      json_.field("core_x", core.x);
      json_.field("core_y", core.y);
      json_.field("risc", core.processors[running.processor].name);
      json_.field("host_id", running.host_id);
      json_.key("zones");
      json_.begin_array();
      for (const std::uint16_t id : running.zones) {
        json_.begin_object();
        json_.field("id", id);
        json_.field("name", or_null(run_.name_of(id)));
        json_.end_object();
      }
      json_.end_array();
      json_.field("last_time", running.last_time);
      json_.end_object();
    }
    json_.end_array();
  }

 private:
  void write_processor(const RawProcessor& processor) {
    json_.begin_object();
    json_.field("risc", processor.name);
    json_.field("dram_words", processor.dram.end_words);
    json_.field("l1_words", processor.l1.end_words);
    json_.field("launches", launch_count(processor.dram));
    json_.field("markers", processor.dram.markers.size());
    json_.field("dropped", processor.dropped);
    json_.end_object();
  }

  void write_marker(const RawCore& core, const RawProcessor& processor, const RawRegion& region,
                    const RawMarker& marker) {
    const RawLaunch* launch = marker.run == kNone ? nullptr : &region.runs[marker.run];
    json_.begin_object();
    json_.field("core_x", core.x);
    json_.field("core_y", core.y);
    json_.field("risc", processor.name);
    json_.field("host_id", host_id_of(region, marker));
    json_.field("kind", key_of(marker.kind));
    json_.field("id", marker.id);
    json_.field("name", or_null(run_.name_of(marker)));
    json_.field("time", marker.has_time() ? std::optional(marker.time) : std::nullopt);
    if (marker.kind == MarkerKind::kZoneTotal) json_.field("sum", marker.data[0]);
    if (marker.kind == MarkerKind::kData || marker.kind == MarkerKind::kData16)
      json_.field("data", marker.data[0]);
    if (marker.kind == MarkerKind::kData16) json_.field("data_2", marker.data[1]);
    if (launch != nullptr && launch->trace != 0) json_.field("replay", launch->trace);
    json_.field("word", marker.word);
    json_.field("suspect", marker.suspicion != Suspicion::kNone);
    if (marker.suspicion != Suspicion::kNone) json_.field("suspicion", key_of(marker.suspicion));
    if (launch != nullptr && !launch->intact) json_.field("host_id_left_over", launch->host_id);
    json_.end_object();
  }

  const RawRun& run_;
  JsonWriter& json_;
};

}  // namespace

void write_raw_json(const RawRun& run, std::string_view tool_version, Writer& out) {
  JsonWriter json(out, {.indented = false, .ascii = true});
  json.begin_object();
  ui::write_document_head(json, "ttscope.raw/1", tool_version);
  json.field("run", or_null(run.name));
  json.field("title", or_null(run.title));
  json.field("arch", or_null(run.arch));
  json.field("snapshot", or_null(run.snapshot));
  RawJson writer(run, json);
  writer.write_cores();
  writer.write_markers("markers", &RawProcessor::dram);
  writer.write_markers("l1_markers", &RawProcessor::l1);
  writer.write_running();
  writer.write_findings();
  json.end_object();
  out.write('\n');
}

namespace {

using ui::counted;
using ui::Painter;

/// The processors of one name, of all cores.
struct RiscTotals {
  std::uint64_t cores = 0;  ///< that recorded something
  std::uint64_t words = 0;
  std::uint64_t launches = 0;
  std::uint64_t zones = 0;
  std::uint64_t data = 0;
  std::uint64_t events = 0;
  std::uint64_t sums = 0;
  std::uint64_t suspects = 0;
};

RiscTotals& operator+=(RiscTotals& totals, const RawRegion& region) {
  if (region.markers.empty()) return totals;
  ++totals.cores;
  totals.words += region.end_words;
  totals.launches += launch_count(region);
  for (const RawMarker& marker : region.markers) {
    if (marker.kind == MarkerKind::kZoneStart) ++totals.zones;
    if (marker.kind == MarkerKind::kData || marker.kind == MarkerKind::kData16) ++totals.data;
    if (marker.kind == MarkerKind::kEvent) ++totals.events;
    if (marker.kind == MarkerKind::kZoneTotal) ++totals.sums;
    if (marker.suspicion != Suspicion::kNone) ++totals.suspects;
  }
  return totals;
}

/// In the order of the buffers.
std::vector<std::pair<std::string, RiscTotals>> totals_by_risc(const RawRun& run) {
  std::vector<std::pair<std::string, RiscTotals>> all;
  for (const RawCore& core : run.cores) {
    for (const RawProcessor& processor : core.processors) {
      auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == processor.name; });
      if (found == all.end()) found = all.insert(all.end(), {processor.name, {}});
      found->second += processor.dram;
    }
  }
  return all;
}

constexpr std::uint64_t kPlacesShown = 3;

/// One problem, summed over cores, with the first places.
struct ProblemSum {
  RawProblem problem;
  std::uint64_t count = 0;
  std::uint64_t places = 0;
  std::string first;
};

std::vector<ProblemSum> sums_of(const RawRun& run) {
  std::map<RawProblem, ProblemSum> sums;
  for (const RawFinding& finding : run.findings) {
    ProblemSum& sum = sums.try_emplace(finding.problem, ProblemSum{finding.problem, 0, 0, {}}).first->second;
    const RawCore& core = run.cores[finding.core];
    if (sum.places++ < kPlacesShown) {
      sum.first += fmt::format("{}core {},{} {}", sum.first.empty() ? "" : "; ", core.x, core.y,
                               core.processors[finding.processor].name);
    } else if (sum.places == kPlacesShown + 1) {
      sum.first += "; ...";
    }
    sum.count += finding.count;
  }
  std::vector<ProblemSum> list;
  list.reserve(sums.size());
  for (auto& [problem, sum] : sums) list.push_back(std::move(sum));
  return list;
}

/// `brisc in BRISC-FW > BRISC-KERNEL > mine`
std::string place_of(const RawRun& run, const RunningLaunch& running) {
  std::string text = run.cores[running.core].processors[running.processor].name;
  std::string_view joint = " in ";
  for (const std::uint16_t id : running.zones) {
    const std::string_view name = run.name_of(id);
    text += std::exchange(joint, " > ");
    text += name.empty() ? fmt::format("zone {}", id) : std::string(name);
  }
  return text;
}

/// Launches that had not ended: those in the same zones are one line.
struct RunningSum {
  std::string place;
  std::uint64_t cores = 0;
  std::string first;
};

std::vector<RunningSum> running_sums(const RawRun& run) {
  std::vector<RunningSum> sums;
  for (const RunningLaunch& running : run.running) {
    std::string place = place_of(run, running);
    auto found = std::find_if(sums.begin(), sums.end(), [&](const auto& one) { return one.place == place; });
    if (found == sums.end()) found = sums.insert(sums.end(), {std::move(place), 0, {}});
    const RawCore& core = run.cores[running.core];
    if (found->cores++ < kPlacesShown) {
      found->first +=
          fmt::format("{}core {},{} (program {}, last marker at {})", found->first.empty() ? "" : "; ",
                      core.x, core.y, running.host_id, running.last_time);
    } else if (found->cores == kPlacesShown + 1) {
      found->first += "; ...";
    }
  }
  return sums;
}

std::string headline(const RawRun& run) {
  std::uint64_t markers = 0;
  std::uint64_t suspects = 0;
  for (const auto& [name, totals] : totals_by_risc(run)) suspects += totals.suspects;
  for (const RawCore& core : run.cores) {
    for (const RawProcessor& processor : core.processors) markers += processor.dram.markers.size();
  }
  const auto unknown = static_cast<std::uint64_t>(std::count_if(
      run.cores.begin(), run.cores.end(), [](const RawCore& core) { return core.control_cut > 0; }));
  std::string text = fmt::format("{} in DRAM of {}", counted(markers, "marker"),
                                 counted(run.cores.size() - unknown, "core"));
  // Their control words would tell how much it was.
  if (unknown > 0) text += fmt::format("; what {} recorded is not in the file", counted(unknown, "core"));
  if (suspects > 0) text += fmt::format("; {} must not be believed", ui::count_text(suspects));
  if (!run.running.empty())
    text += fmt::format("; {} had not ended", counted(run.running.size(), "launch", "launches"));
  return text + (!run.findings.empty()  ? "; see what is lost below"
                 : run.warnings.empty() ? "; no sign of a loss"
                                        : "");
}

constexpr std::array<std::string_view, 9> kTitles = {"RISC", "Cores",  "Words", "Launches", "Zones",
                                                     "Data", "Events", "Sums",  "Suspect"};

std::vector<std::string> cells_of(const std::string& name, const RiscTotals& totals) {
  std::vector<std::string> cells = {name};
  for (const std::uint64_t count : {totals.cores, totals.words, totals.launches, totals.zones, totals.data,
                                    totals.events, totals.sums, totals.suspects}) {
    cells.push_back(ui::count_text(count));
  }
  return cells;
}

}  // namespace

std::string finding_text(const RawRun& run, const RawFinding& finding) {
  const RawCore& core = run.cores[finding.core];
  const RawProcessor& processor = core.processors[finding.processor];
  if (finding.problem == RawProblem::kDramFull) {
    return fmt::format(
        "Profiler DRAM buffers were full, markers were dropped! device {}, worker core {}, {}, Risc {},  "
        "bufferEndIndex = {}. "
        "Please either decrease the number of ops being profiled or run read device profiler more often",
        run.device, core.x, core.y, log_name_of(processor.name), processor.dram.end_words);
  }
  return fmt::format("{} {}: core {}, {} {}", finding.count, info_of(finding.problem).sentence, core.x,
                     core.y, processor.name);
}

std::string raw_text(const RawRun& run, bool color, std::size_t width) {
  constexpr std::size_t kMaxText = 140;  // longer lines are hard to read
  Painter painter(color, std::min(width, kMaxText));
  constexpr std::string_view kHeading = "Saved profiler buffers";
  const std::size_t left = painter.width() - std::min(painter.width(), kHeading.size() + 2);
  painter.line(painter.paint(kHeading, Painter::Ink::kBold) + "  " +
               ui::fit(terminal_safe(run.title.empty() ? run.name : run.title), left));
  painter.paragraph(2, headline(run));
  painter.heading("Recorded", "as stored in DRAM; launches are headers, some of a part that was sent early");
  std::vector<std::vector<std::string>> lines = {{kTitles.begin(), kTitles.end()}};
  for (const auto& [name, totals] : totals_by_risc(run))
    lines.push_back(cells_of(terminal_safe(name), totals));
  for (std::vector<std::string>& line : lines) line.emplace_back();  // the last column is text
  StringWriter table;
  write_aligned(lines, table);
  static_cast<void>(table.finish());
  painter.line(table.text().substr(0, table.text().size() - 1));
  if (!run.running.empty())
    painter.heading("Not ended",
                    "launches that ran when the buffers were saved, and the zones that they were in");
  for (const RunningSum& sum : running_sums(run)) {
    painter.item(counted(sum.cores, "core"), terminal_safe(fmt::format("{}: {}", sum.place, sum.first)),
                 Painter::Ink::kYellow);
  }
  if (!run.findings.empty())
    painter.heading("Lost or wrong", "by what the control words and the markers show");
  for (const ProblemSum& sum : sums_of(run)) {
    painter.item(ui::count_text(sum.count),
                 terminal_safe(fmt::format("{}: {}", info_of(sum.problem).sentence, sum.first)),
                 Painter::Ink::kYellow);
  }
  for (const std::string& warning : run.warnings)
    painter.paragraph(2, terminal_safe(warning), Painter::Ink::kYellow);
  return painter.take();
}

std::string raw_markdown(const RawRun& run) {
  std::string text = fmt::format("# Saved profiler buffers: {}\n\n{}\n\n{}.\n\n|",
                                 markdown_code(run.title.empty() ? run.name : run.title), ui::kDataNotice,
                                 markdown_cell(headline(run)));
  for (const std::string_view title : kTitles) text += fmt::format(" {} |", title);
  text += "\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const auto& [name, totals] : totals_by_risc(run)) {
    text += '|';
    for (const std::string& cell : cells_of(name, totals)) text += fmt::format(" {} |", markdown_cell(cell));
    text += '\n';
  }
  if (!run.running.empty()) text += "\n## Not ended\n\n";
  for (const RunningSum& sum : running_sums(run)) {
    text += fmt::format("- {}: {}; {}\n", counted(sum.cores, "core"), markdown_cell(sum.place),
                        markdown_cell(sum.first));
  }
  if (!run.findings.empty()) text += "\n## Lost or wrong\n\n";
  for (const ProblemSum& sum : sums_of(run)) {
    text += fmt::format("- {} ({}): {}; {}\n", info_of(sum.problem).key, sum.count,
                        info_of(sum.problem).sentence, markdown_cell(sum.first));
  }
  for (const std::string& warning : run.warnings) text += fmt::format("\n{}\n", markdown_cell(warning));
  return text;
}

std::string raw_files_text(const RawRun& run, const std::vector<std::string>& written,
                           std::string_view folder) {
  if (written.empty()) return {};
  std::string text = "\nWritten\n";
  for (const std::string& path : written) text += fmt::format("  {}\n", terminal_safe(path));
  if (run.clock_mhz == 0)
    text += "The document names no clock: the log says 1000 MHz, and times in μs are as right as that.\n";
  return text + fmt::format("Read them with: ttscope perf {}\n", terminal_safe(folder));
}

}  // namespace ttscope::perf
