#include "graph/write/visualizer_db.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "base/result.h"
#include "base/writer.h"

namespace ttscope::graph {
namespace {

struct Schema {
  std::string_view name;
  std::string_view create;
  std::size_t columns;
  std::string_view insert = "INSERT";
};

// Names, types and order are those of the importer of ttnn, which the viewer relies on.
constexpr std::array<Schema, kVisualizerTableCount> kSchemas = {{
    {"devices",
     "CREATE TABLE devices (device_id int, num_y_cores int, num_x_cores int, num_y_compute_cores int, "
     "num_x_compute_cores int, worker_l1_size int, l1_num_banks int, l1_bank_size int, "
     "address_at_first_l1_bank int, "
     "address_at_first_l1_cb_buffer int, num_banks_per_storage_core int, num_compute_cores int, "
     "num_storage_cores int, "
     "total_l1_memory int, total_l1_for_tensors int, total_l1_for_interleaved_buffers int, "
     "total_l1_for_sharded_buffers int, cb_limit int, rank int)",
     19},
    {"operations",
     "CREATE TABLE operations (operation_id int, name text, duration float, rank int, UNIQUE(operation_id, "
     "rank))",
     4, "INSERT OR REPLACE"},
    {"operation_arguments",
     "CREATE TABLE operation_arguments (operation_id int, name text, value text, rank int)", 4},
    {"tensors",
     "CREATE TABLE tensors (tensor_id int, shape text, dtype text, layout text, memory_config text, "
     "device_id int, "
     "address int, buffer_type int, rank int, UNIQUE(tensor_id, rank))",
     9, "INSERT OR IGNORE"},
    {"device_tensors", "CREATE TABLE device_tensors (tensor_id int, device_id int, address int, rank int)",
     4},
    {"buffers",
     "CREATE TABLE buffers (operation_id int, device_id int, address int, max_size_per_bank int, buffer_type "
     "int, "
     "buffer_layout int, rank int)",
     7},
    {"captured_graph", "CREATE TABLE captured_graph (operation_id int, captured_graph text, rank int)", 3},
    {"nodes",
     "CREATE TABLE nodes (operation_id int, unique_id int, node_operation_id int, name text, rank int)", 5},
    {"edges",
     "CREATE TABLE edges (operation_id int, source_unique_id int, sink_unique_id int, source_output_index "
     "int, "
     "sink_input_index int, key int, rank int)",
     7},
    {"report_metadata", "CREATE TABLE report_metadata (key text UNIQUE, value text)", 2, "INSERT OR REPLACE"},
    {"errors",
     "CREATE TABLE errors (operation_id int, operation_name text, error_type text, error_message text, "
     "stack_trace text, "
     "timestamp text, rank int)",
     7},
    {"source_files", "CREATE TABLE source_files (id INTEGER PRIMARY KEY, path text UNIQUE, contents text)",
     3},
    {"stack_traces",
     "CREATE TABLE stack_traces (operation_id int, stack_trace text, source_file_id int, rank int)", 4},
    {"input_tensors",
     "CREATE TABLE input_tensors (operation_id int, input_index int, tensor_id int, rank int)", 4},
    {"output_tensors",
     "CREATE TABLE output_tensors (operation_id int, output_index int, tensor_id int, rank int)", 4},
    {"tensor_lifetime",
     "CREATE TABLE tensor_lifetime (tensor_id int, producer_operation_id int, last_use_operation_id int, "
     "deallocate_operation_id int, producer_source_file text, producer_source_line int, last_use_source_file "
     "text, "
     "last_use_source_line int, rank int)",
     9},
    {"tensor_consumers",
     "CREATE TABLE tensor_consumers (tensor_id int, operation_id int, input_index int, rank int)", 4},
    {"tensor_producers",
     "CREATE TABLE tensor_producers (tensor_id int, operation_id int, output_index int, rank int)", 4},
    {"local_tensor_comparison_records",
     "CREATE TABLE local_tensor_comparison_records (tensor_id int, golden_tensor_id int, matches int, "
     "desired_pcc float, "
     "actual_pcc float, rank int)",
     6},
    {"global_tensor_comparison_records",
     "CREATE TABLE global_tensor_comparison_records (tensor_id int, golden_tensor_id int, matches int, "
     "desired_pcc float, "
     "actual_pcc float, rank int)",
     6},
    {"buffer_chunks",
     "CREATE TABLE buffer_chunks (operation_id int, device_id int, address int, bank_id int, core_x int, "
     "core_y int, "
     "chunk_address int, chunk_size int, page_size int, num_pages int, buffer_type int, rank int)",
     12},
}};

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

int bind_cell(sqlite3_stmt* statement, int place, const VisualizerCell& cell) {
  switch (cell.kind) {
    case VisualizerCell::Kind::kInteger:
      return sqlite3_bind_int64(statement, place, cell.integer);
    case VisualizerCell::Kind::kReal:
      return sqlite3_bind_double(statement, place, cell.real);
    case VisualizerCell::Kind::kText:
      return sqlite3_bind_text64(statement, place, cell.text.data(), cell.text.size(), SQLITE_STATIC,
                                 SQLITE_UTF8);
    case VisualizerCell::Kind::kNull:
      break;
  }
  return sqlite3_bind_null(statement, place);
}

/// A new file beside another one.
Result<std::string> temporary_path_for(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool is_special = fs::exists(path, error) && !fs::is_regular_file(path, error);
  fs::path folder = is_special ? fs::temp_directory_path(error) : fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::string name = (folder / ".ttscope-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) {
    return failure(write_failed(fmt::format("{}: cannot write: no new file can be made in the folder {}: {}",
                                            path, folder.string(), std::generic_category().message(errno))));
  }
  ::close(descriptor);
  return name;
}

Result<void> write_side_file(const std::string& database_path, std::string_view name,
                             const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(database_path).parent_path() / name;
  std::error_code error;
  if (text.empty() || std::filesystem::exists(path, error)) return {};
  return write_file(path.string(), [&](Writer& out) { out.write(text); });
}

}  // namespace

/// The database lies in a temporary file and is copied at the end: then the writer of all outputs decides
/// about links, modes and devices.
struct VisualizerDatabase::State {
  State(std::string target, std::string made)
      : path(std::move(target)), temporary(std::move(made)), unfinished(temporary) {}
  ~State() {
    for (Statement& statement : statements) statement.reset();
    database.reset();
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
  }

  Result<void> open() {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open(temporary.c_str(), &opened);
    database.reset(opened);
    if (code != SQLITE_OK) return problem();
    // Nobody reads it before it is whole, and after a failure it is thrown away.
    bool done = execute("PRAGMA journal_mode=OFF") && execute("PRAGMA synchronous=OFF") && execute("BEGIN");
    for (const Schema& schema : kSchemas) done = done && execute(std::string(schema.create));
    if (!done) return problem();
    return {};
  }

  bool execute(const std::string& sql) {
    return sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  }

  sqlite3_stmt* statement_of(VisualizerTable table) {
    Statement& statement = statements[static_cast<std::size_t>(table)];
    if (statement) return statement.get();
    const Schema& schema = kSchemas[static_cast<std::size_t>(table)];
    std::string places = "?";
    for (std::size_t i = 1; i < schema.columns; ++i) places += ", ?";
    const std::string sql = fmt::format("{} INTO {} VALUES ({})", schema.insert, schema.name, places);
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &made, nullptr) != SQLITE_OK) return nullptr;
    statement.reset(made);
    return made;
  }

  bool insert(VisualizerTable table, const VisualizerRow& row) {
    sqlite3_stmt* const statement = statement_of(table);
    if (statement == nullptr) return false;
    const std::size_t columns = kSchemas[static_cast<std::size_t>(table)].columns;
    for (std::size_t i = 0; i < columns; ++i) {
      if (bind_cell(statement, static_cast<int>(i) + 1, row[i]) != SQLITE_OK) return false;
    }
    return sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
  }

  Result<void> copy_to_its_place() {
    std::ifstream in(temporary, std::ios::binary);
    return write_file(path, [&](Writer& out) -> Result<void> {
      constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
      while (in) {
        char* const block = out.reserve(kBlockBytes);
        in.read(block, static_cast<std::streamsize>(kBlockBytes));
        out.commit(block + in.gcount());
      }
      if (in.bad()) return failure(write_failed(fmt::format("{}: cannot write: the database is lost", path)));
      return {};
    });
  }

  tl::unexpected<Error> problem() const {
    return failure(write_failed(fmt::format("cannot make the database: {}", sqlite3_errmsg(database.get()))));
  }

  std::string path;
  std::string temporary;
  UnfinishedFile unfinished;
  Database database;
  std::array<Statement, kVisualizerTableCount> statements;
  std::optional<Error> first_problem;
};

VisualizerDatabase::VisualizerDatabase(std::unique_ptr<State> state) : state_(std::move(state)) {}

VisualizerDatabase::~VisualizerDatabase() = default;

Result<std::unique_ptr<VisualizerDatabase>> VisualizerDatabase::create(const std::string& path) {
  ASSIGN_OR_RETURN(std::string temporary, temporary_path_for(path));
  auto state = std::make_unique<State>(path, std::move(temporary));
  RETURN_IF_ERROR(state->open());
  return std::unique_ptr<VisualizerDatabase>(new VisualizerDatabase(std::move(state)));
}

void VisualizerDatabase::add(VisualizerTable table, VisualizerRow row) {
  if (state_->first_problem || state_->insert(table, row)) return;
  state_->first_problem = state_->problem().value();
}

Result<void> VisualizerDatabase::finish() {
  if (state_->first_problem) return failure(*state_->first_problem);
  if (!state_->execute("CREATE INDEX idx_stack_traces_source_file_id ON stack_traces(source_file_id)") ||
      !state_->execute("COMMIT")) {
    return state_->problem();
  }
  for (Statement& statement : state_->statements) statement.reset();
  state_->database.reset();
  return state_->copy_to_its_place();
}

std::string_view create_statement(VisualizerTable table) {
  return kSchemas[static_cast<std::size_t>(table)].create;
}

Result<void> write_side_files(const VisualizerImport& import, const std::string& database_path) {
  Result<void> written = write_side_file(database_path, "cluster_descriptor.yaml", import.cluster_descriptor);
  if (!written) return written;
  return write_side_file(database_path, "physical_chip_mesh_coordinate_mapping_1_of_1.yaml",
                         import.mesh_coordinate_mapping);
}

}  // namespace ttscope::graph
