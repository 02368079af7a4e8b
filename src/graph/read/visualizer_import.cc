#include "graph/read/visualizer_import.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/result.h"
#include "graph/model/visualizer_tables.h"
#include "graph/read/operation_import.h"
#include "graph/read/ttnn_report.h"

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

void add_comparisons(const TtnnReport& file, std::string_view key, VisualizerTable table,
                     VisualizerSink& sink) {
  for (const JsonTree& record : list_of(*file.comparisons, key)) {
    VisualizerRow row;
    for (const std::string_view column :
         {"tensor_id", "golden_tensor_id", "matches", "desired_pcc", "actual_pcc"}) {
      row.push_back(any_cell(record, column));
    }
    row.emplace_back(file.rank);
    sink.add(table, std::move(row));
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

/// A page of a buffer.
struct Page {
  ChunkKey key;
  std::int64_t begin = 0;
  std::int64_t size = 0;
};

Page page_of(const TtnnReport& file, std::string_view text) {
  const JsonTree page = file.piece(text);
  return {{number_of(page, "device_id"), number_of(page, "address"), number_of(page, "bank_id"),
           number_of(page, "core_x"), number_of(page, "core_y"), number_of(page, "buffer_type")},
          number_of(page, "page_address"),
          number_of(page, "page_size")};
}

/// Puts the pages of one operation together, in order of first appearance.
class ChunkRows {
 public:
  void take(const Page& page) {
    const auto [place, is_new] = places_.emplace(page.key, chunks_.size());
    if (is_new) chunks_.push_back({page.key, {page.begin, page.begin + page.size, page.size, 0}});
    Chunk& chunk = chunks_[place->second].second;
    chunk.begin = std::min(chunk.begin, page.begin);
    chunk.end = std::max(chunk.end, page.begin + page.size);
    chunk.page_size = std::max(chunk.page_size, page.size);
    ++chunk.pages;
  }

  void add_to(VisualizerSink& sink, std::int64_t operation, std::int64_t rank) const {
    for (const auto& [key, chunk] : chunks_) {
      sink.add(VisualizerTable::kBufferChunks,
               {operation, key[0], key[1], key[2], key[3], key[4], chunk.begin, chunk.end - chunk.begin,
                chunk.page_size, chunk.pages, key[5], rank});
    }
  }

 private:
  std::map<ChunkKey, std::size_t> places_;
  std::vector<std::pair<ChunkKey, Chunk>> chunks_;
};

/// The pages of addresses as they were at a moment. An address is parsed when it is first asked for, into
/// less than its text.
class PagesByAddress {
 public:
  explicit PagesByAddress(const TtnnReport& file) : file_(file) {}

  /// The last snapshot before a counter, or the first there is; nothing for an address without any.
  const std::vector<Page>* at(std::int64_t address, std::int64_t counter) {
    const std::vector<Snapshot>& snapshots = snapshots_of(address);
    const Snapshot* best = nullptr;
    const Snapshot* earliest = snapshots.empty() ? nullptr : &snapshots.front();
    for (const Snapshot& snapshot : snapshots) {
      if (snapshot.counter < earliest->counter) earliest = &snapshot;
      if (snapshot.counter <= counter && (best == nullptr || snapshot.counter >= best->counter))
        best = &snapshot;
    }
    const Snapshot* const found = best == nullptr ? earliest : best;
    return found == nullptr ? nullptr : &found->pages;
  }

 private:
  struct Snapshot {
    std::int64_t counter = 0;
    std::vector<Page> pages;
  };

  const std::vector<Snapshot>& snapshots_of(std::int64_t address) {
    const auto found = known_.try_emplace(address);
    const auto place = found.first;  // a binding of a pair cannot be captured by every compiler
    const bool is_new = found.second;
    const auto text = file_.pages_by_address.find(std::to_string(address));
    if (!is_new || text == file_.pages_by_address.end()) return place->second;
    bool has_snapshots = false;
    for_each_element(text->second, [&](std::string_view entry) {
      Snapshot snapshot;
      std::string_view pages;
      bool is_snapshot = false;
      for_each_member(entry, [&](std::string_view key, std::string_view value) {
        if (key == "pages") pages = value;
        if (key != "alloc_counter") return;
        is_snapshot = true;
        snapshot.counter = parse_json_tree(value, file_.path).value_or(JsonTree()).whole_number().value_or(0);
      });
      has_snapshots = has_snapshots || (is_snapshot && place->second.empty());
      if (has_snapshots) {
        for_each_element(pages,
                         [&](std::string_view page) { snapshot.pages.push_back(page_of(file_, page)); });
        place->second.push_back(std::move(snapshot));
      } else {  // pages alone: the state of all moments
        if (place->second.empty()) place->second.emplace_back();
        place->second.front().pages.push_back(page_of(file_, entry));
      }
    });
    return place->second;
  }

  const TtnnReport& file_;
  std::map<std::int64_t, std::vector<Snapshot>> known_;
};

void add_recorded_chunks(const TtnnReport& file, const ImportedOperations& operations, VisualizerSink& sink) {
  PagesByAddress by_address(file);
  for (const auto& [key, buffers] : file.operation_buffers) {
    const std::optional<std::int64_t> start = JsonTree::text(key).whole_number();
    const auto operation = operations.of_start.find(start.value_or(-1));
    if (operation == operations.of_start.end()) continue;
    ChunkRows chunks;
    for_each_element(buffers, [&](std::string_view text) {
      const std::vector<Page>* pages =
          by_address.at(number_of(file.piece(text), "address"), operation->second.end_counter);
      if (pages == nullptr) return;
      for (const Page& page : *pages) chunks.take(page);
    });
    chunks.add_to(sink, operation->second.id, file.rank);
  }
}

/// Devices and metadata of a report.
void add_report_rows(const TtnnReport& file, VisualizerSink& sink) {
  for (const JsonTree& device : list_of(file.head, "devices")) {
    VisualizerRow row;
    for (const std::string_view column : kDeviceColumns) row.emplace_back(number_of(device, column));
    row.emplace_back(file.rank);
    sink.add(VisualizerTable::kDevices, std::move(row));
  }
  const JsonTree* const metadata = file.head.find("metadata");
  if (metadata == nullptr) return;
  for (std::size_t i = 0; i < metadata->keys().size(); ++i) {
    sink.add(VisualizerTable::kReportMetadata, {metadata->keys()[i], metadata->items()[i].shown()});
  }
}

/// Records of comparison mode, and the reference tensors they name.
void add_comparison_rows(const TtnnReport& file, VisualizerSink& sink) {
  if (!file.comparisons) return;
  add_comparisons(file, "local_tensor_comparison_records", VisualizerTable::kLocalComparisons, sink);
  add_comparisons(file, "global_tensor_comparison_records", VisualizerTable::kGlobalComparisons, sink);
  for (const JsonTree& tensor : list_of(*file.comparisons, "tensors")) {
    VisualizerRow row;
    for (const std::string_view column :
         {"tensor_id", "shape", "dtype", "layout", "memory_config", "device_id", "address", "buffer_type"}) {
      row.push_back(any_cell(tensor, column));
    }
    row.emplace_back(file.rank);
    sink.add(VisualizerTable::kTensors, std::move(row));
  }
}

/// Pages of buffers, put together by bank and core.
void add_chunk_rows(const TtnnReport& file, const ImportedOperations& operations, VisualizerSink& sink) {
  if (!file.pages_by_address.empty() && !file.operation_buffers.empty())
    return add_recorded_chunks(file, operations, sink);
  ChunkRows chunks;  // the state at the end of the capture: it belongs to the last operation
  for_each_element(file.pages, [&](std::string_view page) { chunks.take(page_of(file, page)); });
  chunks.add_to(sink, operations.last_id, file.rank);
}

constexpr std::string_view kSchemaVersion = "3.3";
constexpr std::int64_t kOperationsPerFile = 10000;

/// Counts the rows that tell of a run.
class CountingSink final : public VisualizerSink {
 public:
  explicit CountingSink(VisualizerSink& sink) : sink_(sink) {}
  void add(VisualizerTable table, VisualizerRow row) override {
    if (table != VisualizerTable::kDevices && table != VisualizerTable::kReportMetadata) ++run_rows_;
    sink_.add(table, std::move(row));
  }
  std::uint64_t run_rows() const { return run_rows_; }

 private:
  VisualizerSink& sink_;
  std::uint64_t run_rows_ = 0;
};

class Import {
 public:
  Import(const ReadSource& read_source, VisualizerSink& sink) : sink_(sink), ties_(read_source, sink_) {
    sink_.add(VisualizerTable::kReportMetadata, {std::string("schema_version"), std::string(kSchemaVersion)});
  }

  Result<void> add(Result<std::vector<TtnnReport>> files) {
    if (!files) return failure(files.error());
    for (TtnnReport& file : *files) {
      if (!file.supported) {
        found_.skipped.push_back(file.path);
        continue;
      }
      if (Result<void> added = add_report(file); !added) return added;
      file = TtnnReport();  // its text is of no more use
    }
    return {};
  }

  VisualizerImport finish() {
    ties_.finish();
    found_.run_rows = sink_.run_rows();
    return std::move(found_);
  }

 private:
  Result<void> add_report(TtnnReport& file) {
    std::int64_t& next = next_operation_[file.rank];
    file.first_operation = next;
    if (!file.continues) {
      live_.clear();
      add_report_rows(file, sink_);
      found_.described_devices += list_of(file.head, "devices").size();
    }
    ImportedOperations operations = import_operations(file, std::move(live_), ties_, sink_);
    if (!operations.damage.empty()) return failure(bad_input(operations.damage));
    add_comparison_rows(file, sink_);
    add_chunk_rows(file, operations, sink_);
    const auto keep_first = [&](std::string_view key, std::string& text) {
      const std::optional<std::string> found = maybe_text(file.head, key);
      if (text.empty() && found) text = *found;
    };
    keep_first("cluster_descriptor", found_.cluster_descriptor);
    keep_first("mesh_coordinate_mapping", found_.mesh_coordinate_mapping);
    found_.allocations += operations.allocations;
    found_.placed += operations.placed;
    live_ = std::move(operations.live);
    // Ids of a report that has more than the step between them must not meet those of the next one.
    next += kOperationsPerFile;
    while (next <= operations.last_id) next += kOperationsPerFile;
    return {};
  }

  CountingSink sink_;
  SourceTies ties_;
  VisualizerImport found_;
  std::map<std::int64_t, std::int64_t> next_operation_;  ///< by rank
  std::vector<LiveBuffer> live_;                         ///< at the end of the report before
};

}  // namespace

Result<VisualizerImport> import_ttnn_reports(std::vector<std::string> paths, VisualizerSink& sink) {
  std::sort(paths.begin(), paths.end());
  const ReadSource read_source = read_source_file;
  Import import(read_source, sink);
  for (const std::string& path : paths) {
    RETURN_IF_ERROR(import.add(load_ttnn_reports(path)));
  }
  return import.finish();
}

Result<VisualizerImport> import_ttnn_texts(const std::vector<TtnnReportTexts>& texts,
                                           const ReadSource& read_source, VisualizerSink& sink) {
  Import import(read_source, sink);
  for (const TtnnReportTexts& text : texts) {
    RETURN_IF_ERROR(import.add(parse_ttnn_reports(text)));
  }
  return import.finish();
}

}  // namespace ttscope::graph
