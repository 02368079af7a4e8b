#include "perf/read/host_logs/host_messages.h"

#include <map>
#include <unordered_map>

#include "base/csv_scanner.h"
#include "base/number_text.h"
#include "base/text_search.h"
#include "io/message_table.h"
#include "perf/model/ops_report.h"
#include "perf/read/host_logs/op_message_json.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kFile = "tracy_ops_data.csv:";
constexpr std::string_view kDropped = "markers were dropped!";
constexpr std::string_view kLocationTag = "MLIR_OP_LOCATION";
constexpr std::string_view kBodyMark = " ->\n";

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(by);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// The first line of an op message: `TT_DNN_DEVICE_OP: "Matmul", 4831293074831270130, 3, false, 3075`; older
/// runtimes leave the cache flag out, ops of the host have the name only.
struct OpLine {
  std::string name;
  std::string hash;
  std::int64_t device = -1;
  std::uint64_t id = 0;
  bool has_id = false;
  bool has_flag = false;
  bool cache_hit = false;
};

OpLine parse_op_line(std::string_view line) {
  OpLine op;
  std::string_view rest = line.substr(std::min(line.find(':') + 1, line.size()));
  const std::size_t open = rest.find('"');
  const std::size_t close = open == std::string_view::npos ? open : rest.find('"', open + 1);
  if (close == std::string_view::npos) return op;
  op.name = rest.substr(open + 1, close - open - 1);
  rest.remove_prefix(close + 1);
  const std::vector<std::string_view> parts = split(rest, ',');
  constexpr std::size_t kShort = 4;  // an empty one before the first comma, hash, device, id
  if (parts.size() < kShort) return op;
  op.hash = parts[1];
  op.device = parse_whole(parts[2]).value_or(-1);
  op.has_flag = parts.size() > kShort;
  op.cache_hit = op.has_flag && (parts[3] == "true" || parts[3] == "True" || parts[3] == "1");
  if (const auto id = parse_unsigned(parts[op.has_flag ? 4 : 3])) {
    op.id = *id;
    op.has_id = true;
  }
  return op;
}

class MessageReader {
 public:
  explicit MessageReader(HostCapture& capture) : capture_(capture) {}

  void read(std::string_view text) {
    io::MessageTable table(text);
    while (table.next()) {
      const io::MessageRow& row = table.row();
      line_ = row.line;
      take_row(row.message, row.time);
      if (row.is_cut) complain(PerfProblem::kQuoteUnclosed);
    }
  }

  /// As the reference does: cells between backticks, inside of which two stand for one.
  void read_cells(std::string_view text) {
    CsvScanner scanner(text, {.delimiter = ';', .quote = '`'});
    if (!scanner.next()) return;
    const CsvHeader header(scanner.cells());
    const std::size_t name = header.find("MessageName");
    const std::size_t time = header.find("total_ns");
    if (name == CsvHeader::kNoColumn) return;
    while (scanner.next()) {
      line_ = scanner.line();
      const std::string_view message = scanner.cell(name);
      take_row(message == kLocationTag ? scanner.cell(time) : message, scanner.cell(time));
    }
    capture_.problems.add(PerfProblem::kQuoteUnclosed, scanner.unclosed_quotes(), "tracy_ops_data.csv");
  }

 private:
  void take_row(std::string_view message, std::string_view time) {
    // `MLIR_OP_LOCATION;loc("model.layers.0.mlp");5420869271`, of older compilers without the tag.
    if (message.starts_with(kLocationTag))
      message.remove_prefix(std::min(kLocationTag.size() + 1, message.size()));
    if (message.starts_with("loc(")) {
      take_location(message);
    } else {
      take(message, parse_ticks(time));
    }
  }

  void complain(PerfProblem problem) {
    capture_.problems.add(problem, std::string(kFile) + std::to_string(line_));
  }

  void take(std::string_view message, std::optional<std::int64_t> time_ns) {
    // Whatever the user's words are, they are no op.
    const bool is_signpost = message.starts_with("TT_SIGNPOST");
    if (!is_signpost && (contains(message, "TT_DNN") || contains(message, "TT_METAL"))) {
      if (contains(message, "OP")) {
        take_op(message, time_ns.value_or(0));
      } else if (contains(message, "TRACE") && message.substr(0, 30) != "TT_METAL_TRACE_ENQUEUE_PROGRAM") {
        take_trace(message, time_ns);
      }
    }
    if (contains(message, kDropped)) take_dropped(message);
    if (contains(message, "TT_SIGNPOST")) {
      capture_.signposts.push_back({std::string(message), time_ns.value_or(0)});
    }
  }

  /// All ops up to the next one are asked for there.
  void take_location(std::string_view text) {
    constexpr std::size_t kMostBytes = 4096;
    text = text.substr(0, kMostBytes);
    const auto [known, is_new] =
        places_.try_emplace(std::string(text), static_cast<std::uint32_t>(capture_.locations.size()));
    if (is_new) capture_.locations.emplace_back(text);
    location_ = known->second;
  }

  void take_op(std::string_view message, std::int64_t time_ns) {
    const std::size_t mark = message.find(kBodyMark);
    const OpLine line = parse_op_line(message.substr(0, mark));
    HostOp op;
    op.message_ns = time_ns;
    op.location = location_;
    const bool known = mark == std::string_view::npos
                           ? refer_to_known(line, op)
                           : read_body(message.substr(mark + kBodyMark.size()), line, op);
    if (!known) return;
    if (op.device >= 0) {
      const auto trace = traces_.find(op.device);
      if (trace != traces_.end()) op.trace = trace->second;
    }
    add(std::move(op));
  }

  /// A short message: the rest was said when the program was first seen on the device.
  bool refer_to_known(const OpLine& line, HostOp& op) {
    if (!line.has_id) {
      complain(PerfProblem::kMessageMalformed);
      return false;
    }
    op.id = line.id;
    op.device = line.device;
    op.has_cache_flag = true;
    op.cache_hit_said = line.cache_hit;
    op.hash_seen_before = true;
    const auto known = programs_.find({line.device, line.hash});
    if (known != programs_.end()) {
      op.info = known->second;
      return true;
    }
    complain(PerfProblem::kOpMessageUnknownHash);
    op.hash_seen_before = false;
    op.info = add_bare_info(line);
    return true;
  }

  bool read_body(std::string_view json, const OpLine& line, HostOp& op) {
    if (!json_.read(json, parsed_)) {
      complain(PerfProblem::kOpMessageCut);
      if (!line.has_id) return false;
      op.id = line.id;
      op.device = line.device;
      op.has_cache_flag = line.has_flag;
      op.cache_hit_said = line.cache_hit;
      op.info = add_bare_info(line);
      return true;
    }
    if (!parsed_.has_id && !line.has_id) {
      complain(PerfProblem::kMessageMalformed);
      return false;
    }
    op.id = parsed_.has_id ? parsed_.id : line.id;
    op.device = parsed_.device;
    op.has_cache_flag = parsed_.has_cache_flag;
    op.cache_hit_said = parsed_.cache_hit;
    op.info = static_cast<std::uint32_t>(capture_.infos.size());
    capture_.infos.push_back(std::move(parsed_.info));
    if (!parsed_.hash.empty()) {
      op.hash_seen_before = !programs_.insert_or_assign({op.device, parsed_.hash}, op.info).second;
    }
    return true;
  }

  /// What the first line alone says of a program.
  std::uint32_t add_bare_info(const OpLine& line) {
    OpInfo& info = capture_.infos.emplace_back();
    info.op_code = line.name;
    info.op_type = kDeviceOpType;
    info.program_hash = line.hash;
    return static_cast<std::uint32_t>(capture_.infos.size() - 1);
  }

  void add(HostOp op) {
    const auto [place, is_new] = by_id_.try_emplace(op.id, capture_.ops.size());
    if (is_new) {
      capture_.ops.push_back(std::move(op));
      return;
    }
    capture_.problems.add(PerfProblem::kOpIdRepeated, "op " + std::to_string(op.id));
    capture_.ops[place->second] = std::move(op);
  }

  /// `...markers were dropped! device 0, worker core 1, 2, Risc BRISC, bufferEndIndex = 12000. Please ...`
  void take_dropped(std::string_view message) {
    std::string_view place = message.substr(message.find(kDropped) + kDropped.size());
    place = place.substr(0, place.find(", bufferEndIndex"));
    constexpr std::size_t kMostPlaceBytes = 80;
    capture_.problems.add(PerfProblem::kMarkersDropped,
                          std::string(trimmed(place.substr(0, std::min(place.find('\n'), kMostPlaceBytes)))));
  }

  /// `TT_METAL_TRACE_BEGIN: 0, 7`
  void take_trace(std::string_view message, std::optional<std::int64_t> time_ns) {
    const std::vector<std::string_view> ids = split(message.substr(message.rfind(':') + 1), ',');
    const auto device = parse_whole(ids[0]);
    const auto trace = ids.size() == 2 ? parse_whole(ids[1]) : std::nullopt;
    if (!device || !trace) {
      complain(PerfProblem::kMessageMalformed);
      return;
    }
    if (contains(message, "BEGIN")) {
      traces_[*device] = *trace;
    } else if (contains(message, "END")) {
      const auto open = traces_.find(*device);
      if (open == traces_.end() || open->second != *trace) complain(PerfProblem::kTraceEndUnmatched);
      if (open != traces_.end()) open->second = -1;
    } else if (contains(message, "REPLAY") && time_ns) {
      capture_.replays[{*device, *trace}].push_back(*time_ns);
    }
  }

  HostCapture& capture_;
  OpMessageReader json_;
  OpMessage parsed_;
  std::map<std::pair<std::int64_t, std::string>, std::uint32_t> programs_;  ///< (device, hash): info
  std::map<std::int64_t, std::int64_t> traces_;                             ///< open trace of a device
  std::unordered_map<std::uint64_t, std::size_t> by_id_;
  std::unordered_map<std::string, std::uint32_t> places_;  ///< in HostCapture::locations
  std::uint32_t location_ = 0;
  std::uint64_t line_ = 0;
};

}  // namespace

void read_host_messages(std::string_view text, HostCapture& capture, const Rules& rules) {
  MessageReader reader(capture);
  if (rules.keeps_backticks_in_messages) {
    reader.read(text);
  } else {
    reader.read_cells(text);
  }
}

}  // namespace ttscope::perf
