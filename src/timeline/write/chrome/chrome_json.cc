#include "timeline/write/chrome/chrome_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/json_text.h"

namespace ttscope::timeline {
namespace {

/// Microseconds with three decimals.
void append_us(fmt::memory_buffer& to, std::int64_t ns) {
  const std::int64_t whole = ns / 1000;
  const std::int64_t part = ns % 1000;
  fmt::format_to(std::back_inserter(to), "{}{}.{:03}", ns < 0 && whole == 0 ? "-" : "", whole,
                 part < 0 ? -part : part);
  // Tracy's importer cuts what it gets by multiplying, where 2.01 becomes 2009: neighbours would overlap
  // then.
  const auto cut = static_cast<std::int64_t>(static_cast<double>(ns) / 1000 * 1000);
  if (ns > 0 && cut < ns) to.push_back('1');
}

class ChromeWriter {
 public:
  ChromeWriter(const Timeline& timeline, Writer& out)
      : timeline_(timeline),
        zones_(timeline.zones),
        out_(out),
        quoter_({.ascii = true}),
        texts_({.ascii = true}) {}

  void write() {
    out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    write_names();
    write_name_of_messages();
    write_zones();
    write_messages();
    write_plots();
    write_links();
    out_.write("\n]}\n");
  }

 private:
  /// Each root of the groups is a process.
  std::uint32_t process_of(std::uint32_t group) const {
    while (timeline_.groups[group].parent != kNone) group = timeline_.groups[group].parent;
    return group + 1;
  }
  std::uint32_t process_of(const Track& track) const { return process_of(track.group); }

  std::string_view quoted(TextId text) {
    return texts_.get(text, [&](report::JsonQuoter& quoter) { return quoter.quoted(timeline_.text(text)); });
  }

  void begin() {
    line_.clear();
    if (!first_) fmt::format_to(std::back_inserter(line_), ",\n");
    first_ = false;
  }
  void end() { out_.write({line_.data(), line_.size()}); }
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(line_), format, std::forward<Args>(args)...);
  }

  void write_names() {
    for (std::uint32_t group = 0; group < timeline_.groups.size(); ++group) {
      if (timeline_.groups[group].parent != kNone) continue;
      begin();
      add(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})", group + 1,
          quoted(timeline_.groups[group].name));
      end();
    }
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      // What the groups below a process are called goes into the name.
      const Track& track = timeline_.tracks[i];
      std::string name = full_name(timeline_, track);
      const std::string process(timeline_.text(timeline_.groups[process_of(track) - 1].name));
      if (name.starts_with(process + " / ")) name.erase(0, process.size() + 3);
      begin();
      add(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process_of(track),
          i + 1, quoter_.quoted(name));
      end();
      begin();
      add(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
          process_of(track), i + 1, i);
      end();
    }
  }

  /// Messages that no track has, and plots, are thread 0 of the first process or their own.
  void write_name_of_messages() {
    const bool has_own = std::any_of(timeline_.messages.begin(), timeline_.messages.end(),
                                     [](const Message& message) { return message.track == kNone; });
    if (!has_own) return;
    begin();
    add(R"({{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{{"name":"Messages"}}}})");
    end();
  }

  /// All tracks by turns, in order of time: readers that sort keep the order of equal times.
  void write_zones() {
    struct Next {
      std::int64_t start;
      std::size_t zone;
      std::uint32_t track;
      bool operator>(const Next& other) const {
        return start != other.start ? start > other.start : zone > other.zone;
      }
    };
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      const Track& track = timeline_.tracks[i];
      if (track.zone_count > 0) next.push({zones_.start_ns[track.first_zone], track.first_zone, i});
    }
    while (!next.empty()) {
      Next at = next.top();
      next.pop();
      const Track& track = timeline_.tracks[at.track];
      // A track goes on as long as it is its turn.
      const std::int64_t until = next.empty() ? INT64_MAX : next.top().start;
      do {
        write_zone(at.zone, at.track);
        ++at.zone;
      } while (at.zone < track.end_zone() && zones_.start_ns[at.zone] <= until);
      if (at.zone < track.end_zone()) next.push({zones_.start_ns[at.zone], at.zone, at.track});
    }
  }

  void write_zone(std::size_t zone, std::uint32_t track) {
    const ZoneDetail& detail = timeline_.details[zones_.detail[zone]];
    const Location& place = timeline_.locations[zones_.location[zone]];
    const TextId name = detail.name != 0 ? detail.name : place.name != 0 ? place.name : place.function;
    begin();
    add(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":)", quoted(name), process_of(timeline_.tracks[track]),
        track + 1);
    append_us(line_, zones_.start_ns[zone]);
    add(",\"dur\":");
    append_us(line_, zones_.length_ns(zone));
    if (place.file != 0) add(",\"loc\":{}", place_text(zones_.location[zone]));
    if (detail.text != 0 || detail.op != kNoOp) {
      add(",\"args\":{{");
      if (detail.text != 0) add("\"text\":{}", quoted(detail.text));
      if (detail.op != kNoOp) add("{}\"op\":{}", detail.text != 0 ? "," : "", detail.op);
      add("}}");
    }
    add("}}");
    end();
  }

  /// `"file:line"`.
  std::string_view place_text(std::uint32_t location) {
    return places_.get(location, [&](report::JsonQuoter& quoter) {
      const Location& place = timeline_.locations[location];
      place_ = fmt::format("{}:{}", timeline_.text(place.file), place.line);
      return quoter.quoted(place_);
    });
  }

  void write_messages() {
    for (const Message& message : timeline_.messages) {
      const bool is_of_track = message.track != kNone;
      begin();
      add(R"({{"ph":"i","s":"t","name":{},"pid":{},"tid":{},"ts":)", quoted(message.text),
          is_of_track ? process_of(timeline_.tracks[message.track]) : 1, is_of_track ? message.track + 1 : 0);
      append_us(line_, message.time_ns);
      add("}}");
      end();
    }
  }

  /// The name of a plot, with its group where several are called so: Tracy would make one of them.
  std::string key_of_plot(const Plot& plot, bool is_shared) const {
    std::string key(timeline_.text(plot.name));
    if (is_shared && plot.group != kNone) key = full_name(timeline_, plot.group) + " / " + key;
    return key;
  }

  /// Tracy names a plot by its key and takes one that ends in `_bytes` for memory.
  void write_plots() {
    std::unordered_map<TextId, std::size_t> named;
    for (const Plot& plot : timeline_.plots) ++named[plot.name];
    for (const Plot& plot : timeline_.plots) {
      std::string key = key_of_plot(plot, named[plot.name] > 1);
      if (plot.unit == PlotUnit::kBytes && !key.ends_with("_bytes")) key += "_bytes";
      const std::string quoted_key(quoter_.quoted(key));
      const std::uint32_t process = plot.group == kNone ? 1 : process_of(plot.group);
      for (const PlotPoint& point : plot.points) {
        begin();
        add(R"({{"ph":"C","name":{},"pid":{},"tid":0,"ts":)", quoted(plot.name), process);
        append_us(line_, point.time_ns);
        add(",\"args\":{{{}:{}}}}}", quoted_key, quoter_.number(point.value));
        end();
      }
    }
  }

  void write_links() {
    for (std::size_t i = 0; i < timeline_.links.size(); ++i) {
      write_flow("s", "", timeline_.links[i].from_zone, i);
      write_flow("f", ",\"bp\":\"e\"", timeline_.links[i].to_zone, i);
    }
  }
  void write_flow(std::string_view phase, std::string_view more, std::size_t zone, std::size_t id) {
    const std::uint32_t track = timeline_.track_of_zone(zone);
    begin();
    add(R"({{"ph":"{}","cat":"link","name":"link","id":{},"pid":{},"tid":{}{},"ts":)", phase, id + 1,
        process_of(timeline_.tracks[track]), track + 1, more);
    append_us(line_, zones_.start_ns[zone]);
    add("}}");
    end();
  }

  const Timeline& timeline_;
  const Zones& zones_;
  Writer& out_;
  report::JsonQuoter quoter_;
  report::JsonTable texts_;
  report::JsonTable places_{{.ascii = true}};
  std::string place_;
  fmt::memory_buffer line_;
  bool first_ = true;
};

}  // namespace

void write_chrome(const Timeline& timeline, Writer& out) { ChromeWriter(timeline, out).write(); }

}  // namespace ttscope::timeline
