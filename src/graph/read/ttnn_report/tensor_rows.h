#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {

/// The id of a tensor node.
std::optional<std::int64_t> tensor_id_of(const JsonTree& node);

/// Collects the tensors of one report and which operations read and made them; finish() writes the rows.
class TensorRows {
 public:
  TensorRows(const TtnnReport& file, VisualizerTables& tables) : file_(file), tables_(tables) {}

  /// A tensor node; the first of an id counts.
  void see(const JsonTree& node);
  void add_input(std::int64_t operation, std::int64_t tensor) { inputs_.emplace_back(operation, tensor); }
  void add_output(std::int64_t operation, std::int64_t tensor) { outputs_.emplace_back(operation, tensor); }
  /// Python knows the tensor of this node under another id.
  void name_again(std::int64_t tensor, const JsonTree& node) { named_again_[tensor] = &node; }
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
  VisualizerTables& tables_;
  std::vector<std::pair<std::int64_t, const JsonTree*>> seen_;  ///< params, in order
  std::map<std::int64_t, const JsonTree*> params_of_id_;
  std::map<std::int64_t, std::int64_t> by_address_;
  std::map<std::int64_t, const JsonTree*> named_again_;
  std::map<std::int64_t, bool> kept_;
  Uses inputs_;
  Uses outputs_;
};

}  // namespace ttscope::graph
