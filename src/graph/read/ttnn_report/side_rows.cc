#include "graph/read/ttnn_report/side_rows.h"

#include <algorithm>
#include <array>
#include <map>

namespace ttscope::graph {
namespace {

constexpr std::array<std::string_view, 18> kDeviceColumns = {
    "device_id",
    "num_y_cores",
    "num_x_cores",
    "num_y_compute_cores",
    "num_x_compute_cores",
    "worker_l1_size",
    "l1_num_banks",
    "l1_bank_size",
    "address_at_first_l1_bank",
    "address_at_first_l1_cb_buffer",
    "num_banks_per_storage_core",
    "num_compute_cores",
    "num_storage_cores",
    "total_l1_memory",
    "total_l1_for_tensors",
    "total_l1_for_interleaved_buffers",
    "total_l1_for_sharded_buffers",
    "cb_limit",
};

VisualizerCell any_cell(const JsonTree& object, std::string_view key) {
  const JsonTree* const value = object.find(key);
  if (value == nullptr || value->is(JsonTree::Kind::kNull)) return {};
  if (value->is(JsonTree::Kind::kText)) return value->content();
  if (const std::optional<std::int64_t> number = value->whole_number()) return *number;
  if (const std::optional<double> number = value->number()) return *number;
  return value->shown();
}

void add_comparisons(const TtnnReport& file, std::string_view key, std::vector<VisualizerRow>& rows) {
  for (const JsonTree& record : list_of(*file.comparisons, key)) {
    VisualizerRow row;
    for (const std::string_view column :
         {"tensor_id", "golden_tensor_id", "matches", "desired_pcc", "actual_pcc"}) {
      row.push_back(any_cell(record, column));
    }
    row.emplace_back(file.rank);
    rows.push_back(std::move(row));
  }
}

/// Where a chunk lies: device, address of the buffer, bank, core, kind of memory.
using ChunkKey = std::array<std::int64_t, 6>;

struct Chunk {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t page_size = 0;
  std::int64_t pages = 0;
};

/// Puts the pages of one operation together, in order of first appearance.
class ChunkRows {
 public:
  void take(const JsonTree& page) {
    const ChunkKey key = {number_of(page, "device_id"), number_of(page, "address"),
                          number_of(page, "bank_id"),   number_of(page, "core_x"),
                          number_of(page, "core_y"),    number_of(page, "buffer_type")};
    const std::int64_t begin = number_of(page, "page_address");
    const std::int64_t size = number_of(page, "page_size");
    const auto [place, is_new] = places_.emplace(key, chunks_.size());
    if (is_new) chunks_.push_back({key, {begin, begin + size, size, 0}});
    Chunk& chunk = chunks_[place->second].second;
    chunk.begin = std::min(chunk.begin, begin);
    chunk.end = std::max(chunk.end, begin + size);
    chunk.page_size = std::max(chunk.page_size, size);
    ++chunk.pages;
  }

  void add_to(std::vector<VisualizerRow>& rows, std::int64_t operation, std::int64_t rank) const {
    for (const auto& [key, chunk] : chunks_) {
      rows.push_back({operation, key[0], key[1], key[2], key[3], key[4], chunk.begin, chunk.end - chunk.begin,
                      chunk.page_size, chunk.pages, key[5], rank});
    }
  }

 private:
  std::map<ChunkKey, std::size_t> places_;
  std::vector<std::pair<ChunkKey, Chunk>> chunks_;
};

/// Counter of the end of each function, by the counter of its start.
std::map<std::int64_t, std::int64_t> ends_of_functions(const TtnnReport& file) {
  std::map<std::int64_t, std::int64_t> ends;
  std::vector<std::int64_t> open;
  for (const JsonTree& node : file.graph()) {
    const std::string_view type = node_type_of(node);
    if (type == "function_start") open.push_back(number_of(node, "counter"));
    if (type != "function_end" || open.empty()) continue;
    ends[open.back()] = number_of(node, "counter");
    open.pop_back();
  }
  return ends;
}

/// The pages of an address as they were at a counter: the last snapshot before, or the first there is.
const std::vector<JsonTree>* pages_at(const JsonTree& by_address, std::int64_t address,
                                      std::int64_t counter) {
  const JsonTree* const snapshots = by_address.find(std::to_string(address));
  if (snapshots == nullptr || snapshots->items().empty()) return nullptr;
  const JsonTree& first = snapshots->items().front();
  if (first.find("alloc_counter") == nullptr) return &snapshots->items();
  const JsonTree* best = nullptr;
  const JsonTree* earliest = &first;
  for (const JsonTree& snapshot : snapshots->items()) {
    const std::int64_t at = number_of(snapshot, "alloc_counter");
    if (at < number_of(*earliest, "alloc_counter")) earliest = &snapshot;
    if (at <= counter && (best == nullptr || at >= number_of(*best, "alloc_counter"))) best = &snapshot;
  }
  return &list_of(best == nullptr ? *earliest : *best, "pages");
}

void add_recorded_chunks(const TtnnReport& file, const ImportedOperations& operations,
                         VisualizerTables& tables) {
  const JsonTree& by_address = *file.report.find("buffer_pages_by_address");
  const JsonTree& by_operation = *file.report.find("per_operation_buffers");
  const std::map<std::int64_t, std::int64_t> ends = ends_of_functions(file);
  for (std::size_t i = 0; i < by_operation.keys().size(); ++i) {
    const std::optional<std::int64_t> start = JsonTree::text(by_operation.keys()[i]).whole_number();
    const auto operation = operations.id_of_start.find(start.value_or(-1));
    if (operation == operations.id_of_start.end()) continue;
    const auto end = ends.find(*start);
    ChunkRows chunks;
    for (const JsonTree& buffer : by_operation.items()[i].items()) {
      const std::vector<JsonTree>* pages =
          pages_at(by_address, number_of(buffer, "address"), end == ends.end() ? *start : end->second);
      if (pages == nullptr) continue;
      for (const JsonTree& page : *pages) chunks.take(page);
    }
    chunks.add_to(tables[VisualizerTable::kBufferChunks], operation->second, file.rank);
  }
}

}  // namespace

void add_report_rows(const TtnnReport& file, VisualizerTables& tables) {
  for (const JsonTree& device : list_of(file.report, "devices")) {
    VisualizerRow row;
    for (const std::string_view column : kDeviceColumns) row.emplace_back(number_of(device, column));
    row.emplace_back(file.rank);
    tables[VisualizerTable::kDevices].push_back(std::move(row));
  }
  const JsonTree* const metadata = file.report.find("metadata");
  if (metadata == nullptr) return;
  for (std::size_t i = 0; i < metadata->keys().size(); ++i) {
    tables[VisualizerTable::kReportMetadata].push_back({metadata->keys()[i], metadata->items()[i].shown()});
  }
}

void add_comparison_rows(const TtnnReport& file, VisualizerTables& tables) {
  if (!file.comparisons) return;
  add_comparisons(file, "local_tensor_comparison_records", tables[VisualizerTable::kLocalComparisons]);
  add_comparisons(file, "global_tensor_comparison_records", tables[VisualizerTable::kGlobalComparisons]);
  for (const JsonTree& tensor : list_of(*file.comparisons, "tensors")) {
    VisualizerRow row;
    for (const std::string_view column :
         {"tensor_id", "shape", "dtype", "layout", "memory_config", "device_id", "address", "buffer_type"}) {
      row.push_back(any_cell(tensor, column));
    }
    row.emplace_back(file.rank);
    tables[VisualizerTable::kTensors].push_back(std::move(row));
  }
}

void add_chunk_rows(const TtnnReport& file, const ImportedOperations& operations, VisualizerTables& tables) {
  const JsonTree* const by_address = file.report.find("buffer_pages_by_address");
  const JsonTree* const by_operation = file.report.find("per_operation_buffers");
  if (by_address != nullptr && !by_address->items().empty() && by_operation != nullptr &&
      !by_operation->items().empty()) {
    return add_recorded_chunks(file, operations, tables);
  }
  ChunkRows chunks;  // the state at the end of the capture: it belongs to the last operation
  for (const JsonTree& page : list_of(file.report, "buffer_pages")) chunks.take(page);
  chunks.add_to(tables[VisualizerTable::kBufferChunks], operations.last_id, file.rank);
}

}  // namespace ttscope::graph
