#pragma once

#include <array>
#include <string>

#include "analysis/memory/memory_profile.h"
#include "base/writer.h"
#include "output/json_text/json_text.h"
#include "output/json_text/text_cache.h"
#include "output/ttmem_files/bank_states.h"

namespace ttscope::output {

/// Writes the memory figures of the records of NAME_memory.json. Not thread safe.
class StateText {
 public:
  StateText();

  /// The object `memory`: banks, size and the three figures of each memory.
  void write_state(Writer& out, const BankState& state);
  /// The object `memory_after`: the three figures that an op can change.
  void write_figures(Writer& out, const BankState& state);
  /// The object `unpadded_memory`.
  void write_totals(Writer& out, const std::array<analysis::LiveTotals, kTensorMemoryCount>& totals);

 private:
  struct TotalsKey {
    std::int64_t logical_bytes = 0;
    std::int64_t padded_bytes = 0;
    std::uint32_t tensors = 0;
    bool operator==(const TotalsKey&) const = default;
  };

  std::string_view figures(const BankFigures& figures);
  std::string_view totals(const analysis::LiveTotals& totals);
  void use_geometry(const Geometry& geometry);
  void append_totals(std::string& to, const TotalsKey& key);

  Geometry geometry_;                             ///< of starts_
  std::array<std::string, kMemoryCount> starts_;  ///< `"DRAM": {` with banks and size
  TextCache<BankFigures> figure_texts_;
  TextCache<TotalsKey> total_texts_;
  JsonQuoter quoter_;
};

}  // namespace ttscope::output
