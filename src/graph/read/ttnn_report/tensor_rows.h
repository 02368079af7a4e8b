#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report/source_rows.h"
#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {

/// The id of a tensor node.
std::optional<std::int64_t> tensor_id_of(const JsonTree& node);

/// Collects the tensors of one report and which operations read and made them; finish() writes the rows.
class TensorRows {
 public:
  TensorRows(const TtnnReport& file, SourceTies& ties, VisualizerSink& sink)
      : file_(file), ties_(ties), sink_(sink) {}

  /// A tensor node; the first of an id counts.
  void see(std::size_t index, const JsonTree& node);
  void add_input(std::int64_t operation, std::int64_t tensor) { inputs_.emplace_back(operation, tensor); }
  void add_output(std::int64_t operation, std::int64_t tensor) { outputs_.emplace_back(operation, tensor); }
  /// Python knows the tensor of this node under another id.
  void name_again(std::int64_t tensor, std::size_t index) {
    named_again_[tensor] = static_cast<std::uint32_t>(index);
  }
  /// The first tensor seen at this address.
  std::optional<std::int64_t> at_address(std::int64_t address) const;

  void finish();

 private:
  using Uses = std::vector<std::pair<std::int64_t, std::int64_t>>;  ///< operation, tensor

  void add_missing(std::int64_t tensor);
  void add_tensor_row(std::int64_t tensor, const JsonTree& params, bool dotted);
  void add_uses(const Uses& uses, VisualizerTable by_operation, VisualizerTable by_tensor);
  void add_places(std::int64_t tensor, const JsonTree& params);

  const TtnnReport& file_;
  SourceTies& ties_;
  VisualizerSink& sink_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> seen_;  ///< id and node, in order
  std::unordered_set<std::int64_t> seen_ids_;
  std::unordered_map<std::int64_t, std::int64_t> by_address_;
  std::map<std::int64_t, std::uint32_t> named_again_;  ///< node
  std::unordered_set<std::int64_t> kept_;
  Uses inputs_;
  Uses outputs_;
};

}  // namespace ttscope::graph
