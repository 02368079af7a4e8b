#include "graph/read/capture_reader.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "base/json_reader.h"
#include "base/result.h"
#include "base/text.h"
#include "graph/model/graph_trace.h"
#include "graph/read/node_reader.h"

namespace ttscope::graph {
namespace {

void take_number(std::string_view value, std::int64_t& to) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size() && number >= 0) to = number;
}

GraphDevice read_device(std::string_view json) {
  GraphDevice device;
  for_each_param(json, [&](std::string_view key, std::string_view value) {
    if (key == "device_id") take_number(value, device.device_id);
    if (key == "num_y_cores") take_number(value, device.num_y_cores);
    if (key == "num_x_cores") take_number(value, device.num_x_cores);
    if (key == "worker_l1_size") take_number(value, device.worker_l1_size_bytes);
    if (key == "l1_num_banks") take_number(value, device.l1_num_banks);
    if (key == "l1_bank_size") take_number(value, device.l1_bank_size_bytes);
    if (key == "address_at_first_l1_bank") take_number(value, device.first_l1_bank_address);
    if (key == "address_at_first_l1_cb_buffer") take_number(value, device.first_l1_cb_address);
    if (key == "num_dram_channels") take_number(value, device.num_dram_channels);
    if (key == "dram_size_per_channel") take_number(value, device.dram_size_per_channel_bytes);
    if (key == "cb_limit") take_number(value, device.cb_limit_bytes);
    if (key == "arch" && value.size() >= 2) {
      device.arch = json_unescaped(value.substr(1, value.size() - 2)).value_or(std::string());
    }
    return true;
  });
  return device;
}

/// Banks of DRAM by device. The devices of a mesh are alike, and its buffers may carry the number of the
/// mesh: then what all say counts.
class DramBanks {
 public:
  explicit DramBanks(const std::vector<GraphDevice>& devices) {
    for (const GraphDevice& device : devices) {
      of_device_.emplace(device.device_id, device.num_dram_channels);
      if (&device == &devices.front()) common_ = device.num_dram_channels;
      if (device.num_dram_channels != common_) common_ = kNotRecorded;
    }
  }
  std::int64_t of(std::int64_t device_id) const {
    const auto found = of_device_.find(device_id);
    return found != of_device_.end() ? found->second : common_;
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t> of_device_;
  std::int64_t common_ = kNotRecorded;
};

/// The entries of a report's `devices`, as JSON; what cannot be read is left out.
std::vector<GraphDevice> read_devices(std::string_view json) {
  std::vector<GraphDevice> devices;
  JsonCursor cursor(json);
  if (!cursor.take('[')) return devices;
  while (cursor.peek() == '{') {
    const std::optional<std::string_view> value = cursor.take_value();
    if (!value) break;
    devices.push_back(read_device(*value));
    if (!cursor.take(',')) break;
  }
  return devices;
}

/// Gives the buffers of a capture the banks of its devices, which may be described behind them.
void take_dram_banks(GraphCapture& capture) {
  if (capture.devices.empty()) return;
  const DramBanks banks(capture.devices);
  for (GraphSegment& segment : capture.segments) {
    GraphTrace& trace = segment.trace;
    for (BufferFacts& facts : trace.buffer_facts) {
      if (!facts.in_dram || trace.text(facts.layout) != "INTERLEAVED") continue;
      facts.dram_banks = banks.of(facts.device_id);
    }
  }
}

/// Rank and duration from a report's `metadata`.
void read_metadata(std::string_view json, GraphCapture& capture) {
  for_each_param(json, [&](std::string_view key, std::string_view value) {
    if (key == "rank") take_number(value, capture.rank);
    if (key == "total_duration_ns") take_number(value, capture.total_duration_ns);
    return true;
  });
}

/// The outer part of a file of captures.
class CaptureReader {
 public:
  CaptureReader(std::string_view text, std::string name, std::shared_ptr<const void> source)
      : text_(text), name_(std::move(name)), source_(std::move(source)), cursor_(text) {}

  Result<GraphCapture> read() {
    Result<void> done = {};
    if (cursor_.take('{')) {
      capture_.format = GraphCapture::Format::kReport;
      done = read_report();
    } else if (cursor_.take('[')) {
      done = read_list();
    } else {
      done = broken("expected a graph capture: a list of nodes, a report, or a list of segments");
    }
    if (done && !cursor_.is_at_end()) done = broken("expected the end of the file");
    if (!done) return failure(done.error());
    take_dram_banks(capture_);
    return std::move(capture_);
  }

 private:
  tl::unexpected<Error> broken(std::string_view what) {
    cursor_.peek();
    const std::size_t position = cursor_.position();
    const TextPlace place = place_in(text_, position);
    return failure(bad_input(fmt::format("{}:{}: {}{} (byte {} of {})", terminal_safe(name_), place.line,
                                         position == text_.size() ? "the file ends here; " : "", what,
                                         position, text_.size())));
  }

  /// The array of nodes at the cursor.
  Result<void> read_trace(std::string segment_name) {
    if (!cursor_.take('[')) return broken("expected a list of nodes");
    return read_nodes(std::move(segment_name));
  }

  /// The same behind its bracket.
  Result<void> read_nodes(std::string segment_name) {
    capture_.segments.push_back({std::move(segment_name), {}});
    GraphTrace& trace = capture_.segments.back().trace;
    trace.source = source_;
    NodeReader reader(text_, name_, trace);
    ASSIGN_OR_RETURN(const std::size_t end, reader.read_array(cursor_.position()));
    cursor_.move_to(end);
    return {};
  }

  /// Calls take(key) at each value of the object that the cursor is inside of.
  template <typename Take>
  Result<void> for_each_field(Take take) {
    if (cursor_.take('}')) return {};
    do {
      const std::optional<std::string_view> key = cursor_.take_string();
      if (!key) return broken("expected a key");
      if (!cursor_.take(':')) return broken("expected a colon");
      if (Result<void> taken = take(*key); !taken) return taken;
    } while (cursor_.take(','));
    if (!cursor_.take('}')) return broken("expected a comma or }");
    return {};
  }

  Result<std::string_view> any_value() {
    const std::optional<std::string_view> value = cursor_.take_value();
    if (!value) return broken(fmt::format("damaged JSON, expected {}", cursor_.expected()));
    return *value;
  }

  Result<void> read_report() {
    bool has_graph = false;
    Result<void> read = for_each_field([&](std::string_view key) -> Result<void> {
      if ((key == "graph" || key == "trace") && !has_graph && cursor_.peek() == '[') {
        has_graph = true;
        return read_trace({});
      }
      ASSIGN_OR_RETURN(const std::string_view value, any_value());
      if (key == "devices") capture_.devices = read_devices(value);
      if (key == "metadata") read_metadata(value, capture_);
      return {};
    });
    if (!read || has_graph) return read;
    return failure(bad_input(fmt::format(
        "{}: an object without \"graph\"; expected a graph capture or report", terminal_safe(name_))));
  }

  /// Segments have a list of nodes under `trace`; nodes have no such key.
  bool is_segment_next() {
    JsonCursor ahead = cursor_;
    if (!ahead.take('{')) return false;
    while (const std::optional<std::string_view> key = ahead.take_string()) {
      if (!ahead.take(':')) return false;
      if (*key == "trace") return ahead.peek() == '[';
      if (*key == "node_type" || *key == "counter" || *key == "connections") return false;
      if (!ahead.take_value() || !ahead.take(',')) return false;
    }
    return false;
  }

  Result<void> read_list() {
    if (!is_segment_next()) return read_nodes({});
    capture_.format = GraphCapture::Format::kSegments;
    do {
      if (!cursor_.take('{')) return broken("expected a segment: an object with name and trace");
      if (Result<void> read = read_segment(); !read) return read;
    } while (cursor_.take(','));
    if (!cursor_.take(']')) return broken("expected a comma or ]");
    return {};
  }

  Result<void> read_segment() {
    std::string name;
    bool has_trace = false;
    Result<void> read = for_each_field([&](std::string_view key) -> Result<void> {
      if (key == "trace" && !has_trace) {
        has_trace = true;
        return read_trace({});
      }
      ASSIGN_OR_RETURN(const std::string_view value, any_value());
      if (key == "devices" && capture_.devices.empty()) capture_.devices = read_devices(value);
      if (key == "name" && value.size() >= 2 && value.front() == '"') {
        name = json_unescaped(value.substr(1, value.size() - 2)).value_or(std::string(value));
      }
      return {};
    });
    if (!read) return read;
    if (!has_trace) return broken("a segment without \"trace\"");
    capture_.segments.back().name = std::move(name);
    return {};
  }

  std::string_view text_;
  std::string name_;
  std::shared_ptr<const void> source_;
  JsonCursor cursor_;
  GraphCapture capture_;
};

}  // namespace

Result<GraphCapture> read_graph_trace(const io::WholeText& text, const std::string& path) {
  Result<GraphCapture> capture = CaptureReader(text.bytes(), path, text.file).read();
  // Damaged JSON may only be the end of what could be unpacked.
  if (!capture && !text.warning.empty()) {
    return failure(bad_input(capture.error().message + "\n" + text.warning));
  }
  return capture;
}

Result<GraphCapture> parse_graph_capture(std::string_view json, const std::string& name) {
  const auto kept = std::make_shared<const std::string>(json);
  return CaptureReader(*kept, name, kept).read();
}

bool is_graph_capture(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  if (!looks_like_json(text)) return false;
  if (has_json_key(text, "node_type")) return true;
  if (text.front() == '{') {
    const bool has_list = has_json_list(text, "graph") || has_json_list(text, "trace");
    return has_list && !has_json_key(text, "schema");
  }
  // Segments may be empty, and so may a list of nodes.
  return has_json_list(text, "trace") || (beginning.is_whole && trimmed(text.substr(1)) == "]");
}

bool is_report_database(const io::Beginning& beginning) {
  const std::string_view text = beginning.bytes;
  return text.starts_with("SQLite format 3") && contains(text, "operations") &&
         contains(text, "captured_graph");
}

namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

class DatabaseReader {
 public:
  explicit DatabaseReader(const std::string& path) : path_(path) {}

  Result<GraphCapture> read() {
    if (!open(path_.c_str())) return problem();
    // Values that are not yet taken over into the database are in a file beside it.
    limit_values(size_of_file(path_) + size_of_file(path_ + "-wal"));
    return read_tables();
  }

  Result<GraphCapture> read(std::string_view bytes) {
    auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    if (!open(":memory:") || sqlite3_deserialize(database_.get(), "main", data, size, size,
                                                 SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
      return problem();
    }
    limit_values(bytes.size());
    return read_tables();
  }

 private:
  static std::uintmax_t size_of_file(const std::string& path) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(path, missing);
    return missing ? 0 : size;
  }

  /// No stored value is longer than its file, and few rows share one.
  void limit_values(std::uintmax_t file_bytes) {
    constexpr std::uintmax_t kMargin = 64 * 1024;
    constexpr std::uintmax_t kLongest = std::numeric_limits<int>::max();
    constexpr std::uintmax_t kRepeats = 8;
    const std::uintmax_t longest = std::min(file_bytes, kLongest - kMargin) + kMargin;
    sqlite3_limit(database_.get(), SQLITE_LIMIT_LENGTH, static_cast<int>(longest));
    bytes_left_ = kRepeats * file_bytes + kMargin;
  }

  bool open(const char* path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) return false;
    // A hostile file must not make us run what it stores as schema.
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    return true;
  }

  Result<GraphCapture> read_tables() {
    capture_.format = GraphCapture::Format::kDatabase;
    RETURN_IF_ERROR(check_tables());
    RETURN_IF_ERROR(read_graphs());
    read_devices();
    return std::move(capture_);
  }

  tl::unexpected<Error> problem() const {
    return failure(bad_input(fmt::format("{}: {}; expected the db.sqlite of ttnn-visualizer",
                                         terminal_safe(path_), sqlite3_errmsg(database_.get()))));
  }

  /// A query; null when the database does not have its tables or columns.
  Statement query(const char* sql) const {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql, -1, &made, nullptr) != SQLITE_OK) return nullptr;
    return Statement(made);
  }

  static std::string_view text_at(sqlite3_stmt* row, int column) {
    const unsigned char* const text = sqlite3_column_text(row, column);
    if (text == nullptr) return {};
    return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
  }

  /// The values of a table must be stored: an expression of a few bytes can make one of gigabytes.
  Result<void> check_tables() const {
    for (const std::string_view table : {"captured_graph", "operations", "devices"}) {
      constexpr int kType = 2;
      constexpr int kHidden = 6;
      const bool is_virtual = has_row(fmt::format("PRAGMA table_list({})", table),
                                      [](sqlite3_stmt* row) { return text_at(row, kType) == "virtual"; });
      const bool is_generated =
          !is_virtual && has_row(fmt::format("PRAGMA table_xinfo({})", table),
                                 [](sqlite3_stmt* row) { return sqlite3_column_int(row, kHidden) != 0; });
      if (!is_virtual && !is_generated) continue;
      return failure(bad_input(fmt::format(
          "{}: the table {} {}, whose values are computed and not stored; expected the db.sqlite of "
          "ttnn-visualizer, which has no such table",
          terminal_safe(path_), table, is_virtual ? "is a virtual one" : "has a generated column")));
    }
    return {};
  }

  /// By a statement, and not by the table-valued function: a file can have a table that is called like it.
  template <typename IsSought>
  bool has_row(const std::string& pragma, IsSought is_sought) const {
    const Statement rows = query(pragma.c_str());
    while (rows != nullptr && sqlite3_step(rows.get()) == SQLITE_ROW) {
      if (is_sought(rows.get())) return true;
    }
    return false;
  }

  /// A join or a default repeats one stored value in many rows, which then hold far more than the file. This
  /// looks before they are sorted, which would keep them all.
  Result<void> check_repeats(const std::string& select) {
    constexpr std::size_t kRowBytes = 4;  // no row is stored in less
    const Statement rows = query(select.c_str());
    while (rows != nullptr && sqlite3_step(rows.get()) == SQLITE_ROW) {
      const std::size_t bytes = kRowBytes + text_at(rows.get(), 1).size() + text_at(rows.get(), 2).size();
      if (bytes > bytes_left_) {
        return failure(bad_input(
            fmt::format("{}: its rows repeat stored values and hold far more than the file; expected the "
                        "db.sqlite of ttnn-visualizer, where each operation has one row",
                        terminal_safe(path_))));
      }
      bytes_left_ -= bytes;
    }
    return {};
  }

  Result<void> read_graphs() {
    std::string select =
        "SELECT g.operation_id, o.name, g.captured_graph, g.rank FROM captured_graph g LEFT JOIN operations "
        "o ON o.operation_id = g.operation_id AND o.rank = g.rank";
    std::string order = " ORDER BY g.rank, g.operation_id";
    if (query(select.c_str()) == nullptr) {  // schemas before ranks
      select =
          "SELECT g.operation_id, o.name, g.captured_graph, 0 FROM captured_graph g LEFT JOIN operations o "
          "ON o.operation_id = g.operation_id";
      order = " ORDER BY g.operation_id";
    }
    RETURN_IF_ERROR(check_repeats(select));
    const Statement rows = query((select + order).c_str());
    if (rows == nullptr) return problem();
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
      const std::int64_t id = sqlite3_column_int64(rows.get(), 0);
      const std::int64_t rank = sqlite3_column_int64(rows.get(), 3);
      std::string name = fmt::format("{} {}", id, text_at(rows.get(), 1));
      if (rank != 0) name = fmt::format("rank {}: {}", rank, name);
      ASSIGN_OR_RETURN(GraphCapture graph, parse_graph_capture(text_at(rows.get(), 2),
                                                               fmt::format("{}, operation {}", path_, id)));
      for (GraphSegment& segment : graph.segments) {
        segment.name = name;
        capture_.segments.push_back(std::move(segment));
      }
    }
    if (code != SQLITE_DONE) return problem();
    return {};
  }

  void read_devices() {
    const Statement rows = query(
        "SELECT device_id, worker_l1_size, l1_num_banks, l1_bank_size, address_at_first_l1_bank, "
        "address_at_first_l1_cb_buffer, cb_limit FROM devices");
    if (rows == nullptr) return;
    while (sqlite3_step(rows.get()) == SQLITE_ROW) {
      GraphDevice device;
      device.device_id = sqlite3_column_int64(rows.get(), 0);
      device.worker_l1_size_bytes = sqlite3_column_int64(rows.get(), 1);
      device.l1_num_banks = sqlite3_column_int64(rows.get(), 2);
      device.l1_bank_size_bytes = sqlite3_column_int64(rows.get(), 3);
      device.first_l1_bank_address = sqlite3_column_int64(rows.get(), 4);
      device.first_l1_cb_address = sqlite3_column_int64(rows.get(), 5);
      device.cb_limit_bytes = sqlite3_column_int64(rows.get(), 6);
      capture_.devices.push_back(std::move(device));
    }
  }

  std::string path_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
  std::uintmax_t bytes_left_ = 0;  ///< that the rows may still hold
  GraphCapture capture_;
};

}  // namespace

Result<GraphCapture> read_graph_database(const std::string& path) { return DatabaseReader(path).read(); }

Result<GraphCapture> parse_graph_database(std::string_view bytes, const std::string& name) {
  return DatabaseReader(name).read(bytes);
}

}  // namespace ttscope::graph
