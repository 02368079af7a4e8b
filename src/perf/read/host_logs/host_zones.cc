#include "perf/read/host_logs/host_zones.h"

#include <algorithm>
#include <unordered_map>

#include "base/csv_scanner.h"
#include "base/number_text.h"
#include "base/string_pool.h"
#include "base/text_search.h"

namespace ttscope::perf {
namespace {

/// `id:1027` and `Some text: 5, id:1027`.
std::optional<std::uint64_t> id_in(std::string_view text) {
  return parse_unsigned(text.substr(text.rfind(':') + 1));
}

/// One zone of the capture, to find the one around an op.
struct Zone {
  std::uint32_t thread = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t op = -1;  ///< whose own zone this is
};

class ZoneReader {
 public:
  explicit ZoneReader(HostCapture& capture) : capture_(capture) {
    for (std::size_t i = 0; i < capture.ops.size(); ++i) by_id_.emplace(capture.ops[i].id, i);
  }

  void read(std::string_view text) {
    CsvScanner scanner(text);
    if (!scanner.next()) return;
    const CsvHeader header(scanner.cells());
    name_ = header.find("name");
    file_ = header.find("src_file");
    text_ = header.find("zone_text");
    start_ = header.find("ns_since_start");
    duration_ = header.find("exec_time_ns");
    thread_ = header.find("thread");
    parent_ = header.find("special_parent_text");
    while (scanner.next()) take(scanner);
    capture_.problems.add(PerfProblem::kQuoteUnclosed, scanner.unclosed_quotes(), "tracy_ops_times.csv");
    find_zones_around();
    for (std::uint32_t i = 0; i < names_.size(); ++i) capture_.child_names.emplace_back(names_[i]);
  }

 private:
  void take(const CsvScanner& row) {
    const std::string_view name = row.cell(name_);
    const bool is_op = contains(name, "TT_DNN") || contains(name, "TT_METAL");
    const std::string_view parent = row.cell(parent_);
    const auto start = parse_ticks(row.cell(start_));
    const auto duration = parse_ticks(row.cell(duration_));
    if (!start || !duration) {
      if (is_op) {
        capture_.problems.add(PerfProblem::kRowUnreadable,
                              "tracy_ops_times.csv:" + std::to_string(row.line()));
      }
      return;
    }
    Zone zone{threads_.intern(row.cell(thread_)), *start, *start + *duration, -1};
    const auto id = is_op ? id_in(row.cell(text_)) : std::nullopt;
    if (is_op) zone.op = take_op_zone(row, id, zone);
    if (contains(parent, "id:")) take_child(name, id_in(parent), id, *duration);
    zones_.push_back(zone);
  }

  std::int64_t take_op_zone(const CsvScanner& row, std::optional<std::uint64_t> id, const Zone& zone) {
    const auto found = id ? by_id_.find(*id) : by_id_.end();
    if (found == by_id_.end()) {
      capture_.problems.add(PerfProblem::kZoneWithoutOp, "tracy_ops_times.csv:" + std::to_string(row.line()));
      return -1;
    }
    HostOp& op = capture_.ops[found->second];
    op.zone_start_ns = zone.start_ns;
    op.zone_ns = zone.end_ns - zone.start_ns;
    // The zone of newer runtimes is inside the function that writes the message.
    op.zone_is_message = contains(row.cell(file_), "op_profiler");
    return static_cast<std::int64_t>(found->second);
  }

  void take_child(std::string_view name, std::optional<std::uint64_t> parent,
                  std::optional<std::uint64_t> own, std::int64_t duration_ns) {
    const auto found = parent ? by_id_.find(*parent) : by_id_.end();
    if (found == by_id_.end()) return;
    std::vector<ChildTime>& children = capture_.ops[found->second].children;
    const std::uint32_t id = names_.intern(name);
    auto child =
        std::find_if(children.begin(), children.end(), [&](const ChildTime& c) { return c.name == id; });
    if (child == children.end()) child = children.insert(children.end(), ChildTime{id, 0, 0});
    child->total_ns += duration_ns;
    if (own == parent) child->own_zone_ns += duration_ns;
  }

  /// For ops whose zone is only about the message: the nearest zone around it that holds no other op.
  void find_zones_around() {
    const bool wanted = std::any_of(capture_.ops.begin(), capture_.ops.end(),
                                    [](const HostOp& op) { return op.zone_is_message; });
    if (!wanted) return;
    std::sort(zones_.begin(), zones_.end(), [](const Zone& a, const Zone& b) {
      if (a.thread != b.thread) return a.thread < b.thread;
      return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    std::vector<OpenZone> open;
    for (std::size_t i = 0; i <= zones_.size(); ++i) {
      while (!open.empty() && (i == zones_.size() || !is_inside(zones_[i], zones_[open.back().zone]))) {
        close_zone(open);
      }
      if (i == zones_.size()) break;
      if (zones_[i].op < 0) {
        open.push_back({i, 0, -1});
      } else if (!open.empty()) {
        ++open.back().ops;
        open.back().an_op = zones_[i].op;
      }
    }
  }

  struct OpenZone {
    std::size_t zone = 0;
    std::size_t ops = 0;
    std::int64_t an_op = -1;
  };

  void close_zone(std::vector<OpenZone>& open) {
    const OpenZone closed = open.back();
    open.pop_back();
    if (closed.ops == 1) set_around(closed.an_op, zones_[closed.zone]);
    if (open.empty() || closed.ops == 0) return;
    open.back().ops += closed.ops;
    open.back().an_op = closed.an_op;
  }

  static bool is_inside(const Zone& zone, const Zone& around) {
    return zone.thread == around.thread && zone.start_ns < around.end_ns && zone.end_ns <= around.end_ns;
  }

  void set_around(std::int64_t op_index, const Zone& zone) {
    HostOp& op = capture_.ops[static_cast<std::size_t>(op_index)];
    if (op.around_ns != kNoFigure) return;  // the inner one closed first
    op.around_start_ns = zone.start_ns;
    op.around_ns = zone.end_ns - zone.start_ns;
  }

  HostCapture& capture_;
  std::unordered_map<std::uint64_t, std::size_t> by_id_;
  std::vector<Zone> zones_;
  StringPool names_;
  StringPool threads_;
  std::size_t name_ = 0, file_ = 0, text_ = 0, start_ = 0, duration_ = 0, thread_ = 0, parent_ = 0;
};

}  // namespace

void read_host_zones(std::string_view text, HostCapture& capture) { ZoneReader(capture).read(text); }

}  // namespace ttscope::perf
