#include "graph/read/graph_trace/graph_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>

#include "base/text_escape.h"
#include "graph/read/graph_trace/graph_trace_reader.h"

namespace ttscope::graph {
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
    return read_tables();
  }

  Result<GraphCapture> read(std::string_view bytes) {
    auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    if (!open(":memory:") || sqlite3_deserialize(database_.get(), "main", data, size, size,
                                                 SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
      return problem();
    }
    return read_tables();
  }

 private:
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
    if (Result<void> read = read_graphs(); !read) return failure(read.error());
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

  Result<void> read_graphs() {
    Statement rows = query(
        "SELECT g.operation_id, o.name, g.captured_graph, g.rank FROM captured_graph g LEFT JOIN operations "
        "o ON "
        "o.operation_id = g.operation_id AND o.rank = g.rank ORDER BY g.rank, g.operation_id");
    if (rows == nullptr) {  // schemas before ranks
      rows = query(
          "SELECT g.operation_id, o.name, g.captured_graph, 0 FROM captured_graph g LEFT JOIN operations o "
          "ON "
          "o.operation_id = g.operation_id ORDER BY g.operation_id");
    }
    if (rows == nullptr) return problem();
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
      const std::int64_t id = sqlite3_column_int64(rows.get(), 0);
      const std::int64_t rank = sqlite3_column_int64(rows.get(), 3);
      std::string name = fmt::format("{} {}", id, text_at(rows.get(), 1));
      if (rank != 0) name = fmt::format("rank {}: {}", rank, name);
      Result<GraphCapture> graph =
          parse_graph_capture(text_at(rows.get(), 2), fmt::format("{}, operation {}", path_, id));
      if (!graph) return failure(graph.error());
      for (GraphSegment& segment : graph->segments) {
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
  GraphCapture capture_;
};

}  // namespace

Result<GraphCapture> read_graph_database(const std::string& path) { return DatabaseReader(path).read(); }

Result<GraphCapture> parse_graph_database(std::string_view bytes, const std::string& name) {
  return DatabaseReader(name).read(bytes);
}

}  // namespace ttscope::graph
