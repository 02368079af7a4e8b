#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report.h"

namespace ttscope::graph {

/// Gives the text of a source file; nothing if it cannot be had.
using ReadSource = std::function<std::optional<std::string>(const std::string& path)>;

/// A report names any file it likes, and the database goes to others: only Python sources are read.
std::optional<std::string> read_source_file(const std::string& path);

/// Ties stack traces to the source files they name (those that can be read), and says where each tensor is
/// made and last used. One for all reports of a database.
class SourceTies {
 public:
  SourceTies(const ReadSource& read_source, VisualizerSink& sink) : read_source_(read_source), sink_(sink) {}

  void add_stack_trace(std::int64_t rank, std::int64_t operation, std::string trace);
  void note_operation(std::int64_t rank, std::int64_t operation, std::string_view name);
  void note_use(std::int64_t rank, std::int64_t tensor, std::int64_t operation, bool produces);
  /// The lives of tensors, when all reports are through; nothing without stack traces.
  void finish();

 private:
  struct Place {
    std::string file;
    std::int64_t line = 0;
  };
  struct Lifetime {
    std::optional<std::int64_t> producer;
    std::optional<std::int64_t> last_use;
    std::optional<std::int64_t> deallocated;
  };
  using Key = std::pair<std::int64_t, std::int64_t>;  ///< rank and operation, or rank and tensor

  static std::optional<Place> place_of(std::string_view trace);
  std::optional<std::int64_t> source_file(const std::string& file);
  void add_place(std::int64_t rank, const std::optional<std::int64_t>& operation, VisualizerRow& row) const;

  const ReadSource& read_source_;
  VisualizerSink& sink_;
  bool has_traces_ = false;
  std::map<Key, Place> places_;
  std::map<std::string, std::int64_t> file_ids_;
  std::set<Key> deallocations_;
  std::map<Key, Lifetime> lifetimes_;
};

/// A buffer that was allocated and not freed so far.
struct LiveBuffer {
  std::int64_t device_id = 0, address = 0, per_bank = 0, buffer_type = 0, layout = 0;
};

/// What was found in a report beside its rows.
struct ImportedOperations {
  struct Operation {
    std::int64_t id = 0;
    std::int64_t end_counter = 0;  ///< of its function_end
  };
  std::unordered_map<std::int64_t, Operation> of_start;  ///< by counter of the function_start
  std::int64_t last_id = 0;
  std::uint64_t allocations = 0;
  std::uint64_t placed = 0;      ///< allocations with an address
  std::string damage;            ///< the first node that cannot be parsed; empty: none
  std::vector<LiveBuffer> live;  ///< at the end
};

/// Adds operations, tensors, buffers and graphs of one report. `live` is what was live before it.
ImportedOperations import_operations(const TtnnReport& file, std::vector<LiveBuffer> live, SourceTies& ties,
                                     VisualizerSink& sink);

}  // namespace ttscope::graph
