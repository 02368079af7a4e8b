#pragma once

#include <array>
#include <string>

#include "base/writer.h"
#include "mem/analyse/bank_states.h"
#include "mem/analyse/memory_profile.h"
#include "report/json_text.h"
#include "report/text_cache.h"

namespace ttscope::mem {

/// Writes the memory figures of the records of NAME_memory.json. Not thread safe.
class StateText {
 public:
  StateText();

  /// The object `memory`: banks, size and the three figures of each memory.
  void write_state(Writer& out, const BankState& state);
  /// The object `memory_after`: the three figures that an op can change.
  void write_figures(Writer& out, const BankState& state);
  /// The object `unpadded_memory`.
  void write_totals(Writer& out, const std::array<LiveTotals, kTensorMemoryCount>& totals);

 private:
  struct TotalsKey {
    std::int64_t logical_bytes = 0;
    std::int64_t padded_bytes = 0;
    std::uint32_t tensors = 0;
    bool operator==(const TotalsKey&) const = default;
  };

  std::string_view figures(const BankFigures& figures);
  std::string_view totals(const LiveTotals& totals);
  void use_geometry(const Geometry& geometry);
  void append_totals(std::string& to, const TotalsKey& key);

  Geometry geometry_;                             ///< of starts_
  std::array<std::string, kMemoryCount> starts_;  ///< `"DRAM": {` with banks and size
  report::TextCache<BankFigures> figure_texts_;
  report::TextCache<TotalsKey> total_texts_;
  report::JsonQuoter quoter_;
};

}  // namespace ttscope::mem
