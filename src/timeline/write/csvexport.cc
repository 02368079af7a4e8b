#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/csv.h"
#include "timeline/write/exports.h"

namespace ttscope::timeline {
namespace {

/// What csvexport lists for a form.
bool is_of_form(const Track& track, CsvForm form) {
  return form == CsvForm::kGpu ? track.is_of_device() && !track.made : track.kind == TrackKind::kThread;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string cell(std::string_view text) {
  std::string result;
  append_csv_cell(result, text);
  return result;
}

class CsvWriter {
 public:
  CsvWriter(const Profile& profile, const CsvOptions& options, Writer& out)
      : profile_(profile), timeline_(profile.timeline), options_(options), out_(out) {}

  void write() {
    switch (options_.form) {
      case CsvForm::kStats:
      case CsvForm::kSelf:
        return write_stats(options_.form == CsvForm::kSelf);
      case CsvForm::kMessages:
        return write_messages(",");
      case CsvForm::kOpsData:
        return write_messages(";");
      case CsvForm::kUnwrap:
      case CsvForm::kUnwrapPlots:
        out_.write("name,src_file,src_line,ns_since_start,exec_time_ns,thread,value\n");
        write_zones([this](std::size_t zone, std::uint32_t track) { write_unwrapped(zone, track); });
        if (options_.form == CsvForm::kUnwrapPlots) write_plots();
        return;
      case CsvForm::kGpu:
        out_.write("name,src_file,Time from start of program,GPU execution time\n");
        write_zones([this](std::size_t zone, std::uint32_t) { write_device_zone(zone); });
        return;
      case CsvForm::kOpsTimes:
        out_.write(
            "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,"
            "special_parent_text\n");
        write_zones([this](std::size_t zone, std::uint32_t track) { write_op_time(zone, track); });
    }
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), format, std::forward<Args>(args)...);
    out_.write({line_.data(), line_.size()});
  }

  std::string place_cells(std::uint32_t location) const {
    const Location& place = timeline_.locations[location];
    return fmt::format("{},{},{}", cell(shown_name(location)), cell(timeline_.text(place.file)), place.line);
  }

  void write_stats(bool self) {
    out_.write("name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns\n");
    const auto whole = static_cast<double>(timeline_.last_ns);
    for (const ZoneStat& stat : profile_.stats) {
      if (stat.kind != TrackKind::kThread || stat.total_ns == 0) continue;
      const std::int64_t total = self ? stat.self_ns : stat.total_ns;
      const std::int64_t mean = total / static_cast<std::int64_t>(stat.count);
      line("{},{},{:.6f},{},{},{},{},{:.6f}\n", place_cells(stat.location), total,
           whole > 0 ? 100. * static_cast<double>(total) / whole : 0., stat.count, mean,
           self ? stat.self_min_ns : stat.min_ns, self ? stat.self_max_ns : stat.max_ns, stat.deviation_ns());
    }
  }

  /// csvexport prints a sentence where there is none; a table has no rows then.
  /// As csvexport shows what has no name.
  std::string_view shown_name(std::uint32_t location) const {
    const std::string_view name = timeline_.name_of_location(location);
    return name.empty() ? "???" : name;
  }

  void write_messages(std::string_view separator) {
    line("MessageName{}total_ns\n", separator);
    for (const Message& message : timeline_.messages) {
      // csvexport knows the host alone.
      if (message.track != kNone && timeline_.tracks[message.track].is_of_device()) continue;
      out_.write(timeline_.text(message.text));
      line("{}{}\n", separator, message.time_ns);
    }
  }

  /// Zones place by place: their numbers, sorted by counting.
  template <typename Write>
  void write_zones(Write write) {
    const Zones& zones = timeline_.zones;
    std::vector<std::uint32_t> rank(timeline_.locations.size(), kNone);
    std::vector<std::size_t> next(1, 0);
    for_each_zone([&](std::size_t zone, std::uint32_t) {
      std::uint32_t& place = rank[zones.location[zone]];
      if (place == kNone) {
        place = static_cast<std::uint32_t>(next.size() - 1);
        next.push_back(0);
      }
      ++next[place + 1];
    });
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    struct Listed {
      std::size_t zone;
      std::uint32_t track;
    };
    std::vector<Listed> listed(next.back());
    for_each_zone([&](std::size_t zone, std::uint32_t track) {
      listed[next[rank[zones.location[zone]]]++] = {zone, track};
    });
    for (const Listed& each : listed) write(each.zone, each.track);
  }

  /// Zones without a length are left out, as csvexport does.
  template <typename Take>
  void for_each_zone(Take take) const {
    for (std::uint32_t number = 0; number < timeline_.tracks.size(); ++number) {
      const Track& track = timeline_.tracks[number];
      if (!is_of_form(track, options_.form)) continue;
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        if (timeline_.zones.length_ns(zone) > 0) take(zone, number);
      }
    }
  }

  const ZoneDetail& detail_of(std::size_t zone) const {
    return timeline_.details[timeline_.zones.detail[zone]];
  }

  void write_unwrapped(std::size_t zone, std::uint32_t track) {
    line("{},{},{},{},{}\n", place_cells(timeline_.zones.location[zone]), timeline_.zones.start_ns[zone],
         timeline_.zones.length_ns(zone), timeline_.tracks[track].number,
         cell(timeline_.text(detail_of(zone).text)));
  }

  void write_plots() {
    for (const Plot& plot : timeline_.plots) {
      if (plot.made) continue;
      for (const PlotPoint& point : plot.points) {
        line("{},,,{},,,{:.6f}\n", cell(timeline_.text(plot.name)), point.time_ns, point.value);
      }
    }
  }

  void write_device_zone(std::size_t zone) {
    const std::uint32_t location = timeline_.zones.location[zone];
    line("{},{},{},{}\n", cell(shown_name(location)),
         cell(timeline_.text(timeline_.locations[location].file)), timeline_.zones.start_ns[zone],
         timeline_.zones.length_ns(zone));
  }

  void write_op_time(std::size_t zone, std::uint32_t track) {
    const ZoneDetail& detail = detail_of(zone);
    const std::uint32_t location = timeline_.zones.location[zone];
    const std::string_view name = timeline_.name_of_location(location);
    const bool is_child = std::find(options_.child_names.begin(), options_.child_names.end(), name) !=
                          options_.child_names.end();
    const std::string text = detail.text == 0 ? std::string() : quoted(timeline_.text(detail.text));
    line("{},{},{},{},{},{},{}\n", place_cells(location), cell(timeline_.text(detail.name)), text,
         timeline_.zones.start_ns[zone], timeline_.zones.length_ns(zone), timeline_.tracks[track].number,
         is_child ? cell(parent_text(timeline_.tracks[track], zone)) : std::string());
  }

  /// The text of the nearest zone around it whose name says that it is tt-metal's own.
  std::string_view parent_text(const Track& track, std::size_t zone) const {
    std::uint16_t depth = timeline_.zones.depth[zone];
    for (std::size_t at = zone; at-- > track.first_zone && depth > 0;) {
      if (timeline_.zones.depth[at] >= depth) continue;
      depth = timeline_.zones.depth[at];
      if (timeline_.name_of_location(timeline_.zones.location[at]).find("TT_") != std::string_view::npos) {
        return timeline_.text(detail_of(at).text);
      }
    }
    return {};
  }

  const Profile& profile_;
  const Timeline& timeline_;
  const CsvOptions& options_;
  Writer& out_;
  fmt::memory_buffer line_;
};

}  // namespace

std::optional<CsvForm> csv_form(std::string_view key) {
  constexpr std::array<std::string_view, 8> kKeys = {"stats",    "self", "unwrap",    "unwrap-plots",
                                                     "messages", "gpu",  "ops-times", "ops-data"};
  const auto found = std::find(kKeys.begin(), kKeys.end(), key);
  if (found == kKeys.end()) return std::nullopt;
  return static_cast<CsvForm>(found - kKeys.begin());
}

void write_csv(const Profile& profile, const CsvOptions& options, Writer& out) {
  CsvWriter(profile, options, out).write();
}

}  // namespace ttscope::timeline
