#include "perf/read/host_logs.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/csv.h"
#include "base/number_text.h"
#include "base/string_pool.h"
#include "base/text.h"
#include "io/message_table.h"
#include "perf/model/capture_files.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {
namespace {

/// What the JSON of an op message says.
struct OpMessage {
  OpInfo info;
  std::uint64_t id = 0;
  bool has_id = false;
  std::int64_t device = -1;
  std::string hash;  ///< empty: none
  bool cache_hit = false;
  bool has_cache_flag = false;
};

/// Reads the JSON of op messages. Keys that are missing leave their cells empty. Keeps the parser's memory
/// between calls; not thread safe.
class OpMessageReader {
 public:
  OpMessageReader();
  ~OpMessageReader();
  OpMessageReader(const OpMessageReader&) = delete;
  OpMessageReader& operator=(const OpMessageReader&) = delete;

  /// False if the text is no JSON object, for example because it was cut.
  bool read(std::string_view json, OpMessage& message);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int kDeepest = 64;

/// A value as Python prints it inside a list or a map.
void append_repr(std::string& to, element value, int depth);

void append_map(std::string& to, object map, int depth) {
  to += '{';
  bool first = true;
  for (const auto [key, value] : map) {
    if (!first) to += ", ";
    first = false;
    append_python_repr(to, key);
    to += ": ";
    append_repr(to, value, depth + 1);
  }
  to += '}';
}

void append_list(std::string& to, array list, int depth) {
  to += '[';
  bool first = true;
  for (const element value : list) {
    if (!first) to += ", ";
    first = false;
    append_repr(to, value, depth + 1);
  }
  to += ']';
}

void append_repr(std::string& to, element value, int depth) {
  if (depth > kDeepest) return;
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
      append_list(to, array(value), depth);
      break;
    case simdjson::dom::element_type::OBJECT:
      append_map(to, object(value), depth);
      break;
    case simdjson::dom::element_type::STRING:
      append_python_repr(to, std::string_view(value));
      break;
    case simdjson::dom::element_type::INT64:
      to += std::to_string(std::int64_t(value));
      break;
    case simdjson::dom::element_type::UINT64:
      to += std::to_string(std::uint64_t(value));
      break;
    case simdjson::dom::element_type::DOUBLE:
      append_python_float(to, double(value));
      break;
    case simdjson::dom::element_type::BOOL:
      to += bool(value) ? "True" : "False";
      break;
    default:
      to += "None";
  }
}

/// The same as a cell of its own: a text stands without quotes.
std::string cell_text(element value) {
  if (value.is_string()) return std::string(std::string_view(value));
  std::string text;
  append_repr(text, value, 0);
  return text;
}

std::string cell_of(object map, const char* key) {
  element value;
  return map[key].get(value) == simdjson::SUCCESS ? cell_text(value) : std::string();
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

/// `DEV_0_DRAM_INTERLEAVED`, or the text that a tensor on the host has.
std::string memory_cell(object tensor) {
  element storage;
  if (tensor["storage_type"].get(storage) != simdjson::SUCCESS) return {};
  object device;
  if (storage.get(device) != simdjson::SUCCESS) return cell_text(storage);
  object config;
  if (device["memory_config"].get(config) != simdjson::SUCCESS) return {};
  return "DEV_" + cell_of(device, "device_id") + "_" + upper(cell_of(config, "buffer_type")) + "_" +
         upper(cell_of(config, "memory_layout"));
}

void read_tensors(object map, const char* key, std::vector<TensorCells>& tensors) {
  array list;
  if (map[key].get(list) != simdjson::SUCCESS) return;
  for (const element item : list) {
    TensorCells& cells = tensors.emplace_back();
    object tensor;
    if (item.get(tensor) != simdjson::SUCCESS) continue;
    object shape;
    if (tensor["shape"].get(shape) == simdjson::SUCCESS) {
      cells.w = cell_of(shape, "W");
      cells.z = cell_of(shape, "Z");
      cells.y = cell_of(shape, "Y");
      cells.x = cell_of(shape, "X");
    }
    cells.layout = cell_of(tensor, "layout");
    cells.dtype = cell_of(tensor, "dtype");
    cells.memory = memory_cell(tensor);
  }
}

/// The `source` and `name` of each kernel as two Python lists.
void read_kernels(object kernels, const char* key, std::string& sources, std::string& names) {
  sources = "[";
  names = "[";
  array list;
  if (kernels[key].get(list) == simdjson::SUCCESS) {
    for (const element item : list) {
      object kernel;
      if (item.get(kernel) != simdjson::SUCCESS) continue;
      if (sources.size() > 1) sources += ", ";
      if (names.size() > 1) names += ", ";
      append_python_repr(sources, cell_of(kernel, "source"));
      append_python_repr(names, cell_of(kernel, "name"));
    }
  }
  sources += "]";
  names += "]";
}

void read_kernel_info(object map, OpInfo& info) {
  object kernels;
  if (map["kernel_info"].get(kernels) != simdjson::SUCCESS) return;
  read_kernels(kernels, "compute_kernels", info.compute_sources, info.compute_hashes);
  read_kernels(kernels, "datamovement_kernels", info.data_movement_sources, info.data_movement_hashes);
  array list;
  if (kernels["compute_kernels"].get(list) == simdjson::SUCCESS) {
    for (const element item : list) {
      object kernel;
      if (item.get(kernel) == simdjson::SUCCESS) info.math_fidelity = cell_of(kernel, "math_fidelity");
    }
  }
  object sizes;
  if (kernels["kernel_sizes"].get(sizes) != simdjson::SUCCESS) return;
  for (const auto [key, value] : sizes) {
    std::string column = upper(std::string(key)) + " [B]";
    std::replace(column.begin(), column.end(), '_', ' ');
    info.kernel_sizes.emplace_back(std::move(column), cell_text(value));
  }
}

void read_performance_model(object map, OpInfo& info) {
  object model;
  if (map["performance_model"].get(model) != simdjson::SUCCESS) return;
  info.pm_ideal = cell_of(model, "ideal_ns");
  info.pm_compute = cell_of(model, "compute_ns");
  info.pm_bandwidth = cell_of(model, "bandwidth_ns");
  info.pm_req_input = cell_of(model, "input_bws");
  info.pm_req_output = cell_of(model, "output_bws");
  info.pm_compute_ns = parse_number(info.pm_compute).value_or(-1);
}

void read_identity(object map, OpMessage& message) {
  if (const auto id = parse_unsigned(cell_of(map, "global_call_count"))) {
    message.id = *id;
    message.has_id = true;
  }
  message.device = parse_whole(cell_of(map, "device_id")).value_or(-1);
  message.hash = cell_of(map, "op_hash");
  message.info.program_hash = message.hash;
  element flag;
  if (map["program_cache_hit"].get(flag) == simdjson::SUCCESS) {
    message.has_cache_flag = true;
    message.cache_hit = flag.is_bool() && bool(flag);
  }
}

struct OpMessageReader::Parser {
  simdjson::dom::parser json;
};

OpMessageReader::OpMessageReader() : parser_(std::make_unique<Parser>()) {}

OpMessageReader::~OpMessageReader() = default;

bool OpMessageReader::read(std::string_view json, OpMessage& message) {
  element root;
  object map;
  if (parser_->json.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return false;
  if (root.get(map) != simdjson::SUCCESS) return false;
  message = {};
  OpInfo& info = message.info;
  info.op_code = cell_of(map, "op_code");
  info.op_type = cell_of(map, "op_type");
  info.attributes = cell_of(map, "attributes");
  info.math_fidelity = cell_of(map, "math_fidelity");
  info.parallelization = cell_of(map, "parallelization_strategy");
  read_identity(map, message);
  read_tensors(map, "input_tensors", info.inputs);
  read_tensors(map, "optional_input_tensors", info.inputs);
  read_tensors(map, "output_tensors", info.outputs);
  read_kernel_info(map, info);
  read_performance_model(map, info);
  return true;
}

constexpr std::string_view kFile = "tracy_ops_data.csv:";
constexpr std::string_view kDropped = "markers were dropped!";
constexpr std::string_view kLocationTag = "MLIR_OP_LOCATION";
constexpr std::string_view kBodySeparator = " ->\n";

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
    constexpr std::size_t kMaxBytes = 4096;
    text = text.substr(0, kMaxBytes);
    const auto [known, is_new] =
        places_.try_emplace(std::string(text), static_cast<std::uint32_t>(capture_.locations.size()));
    if (is_new) capture_.locations.emplace_back(text);
    location_ = known->second;
  }

  void take_op(std::string_view message, std::int64_t time_ns) {
    const std::size_t mark = message.find(kBodySeparator);
    const OpLine line = parse_op_line(message.substr(0, mark));
    HostOp op;
    op.message_ns = time_ns;
    op.location = location_;
    const bool known = mark == std::string_view::npos
                           ? refer_to_known(line, op)
                           : read_body(message.substr(mark + kBodySeparator.size()), line, op);
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
    op.reported_cache_hit = line.cache_hit;
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
      op.reported_cache_hit = line.cache_hit;
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
    op.reported_cache_hit = parsed_.cache_hit;
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
    constexpr std::size_t kMaxPlaceBytes = 80;
    capture_.problems.add(PerfProblem::kMarkersDropped,
                          std::string(trimmed(place.substr(0, std::min(place.find('\n'), kMaxPlaceBytes)))));
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

void read_host_messages(std::string_view text, HostCapture& capture) { MessageReader(capture).read(text); }

void read_host_messages_as_cells(std::string_view text, HostCapture& capture) {
  MessageReader(capture).read_cells(text);
}

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
