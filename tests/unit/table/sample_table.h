#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/declare.h"

namespace ttscope::table {

/// A small profile with a column of every kind.
struct Sample {
  struct Op {
    std::int64_t line = 0;
    std::string_view name = {};
    std::optional<double> time_us = std::nullopt;
    bool is_cached = false;
    std::optional<std::string> loc = std::nullopt;
    std::optional<std::uint64_t> size_bytes = std::nullopt;
  };
  std::vector<Op> ops;
};

inline const TableOf<Sample>& sample_spec() {
  using S = Sample;
  static const TableOf<S> kSpec = table_of<S>(
      "ops", "An executed op",
      {
          ascending(column<S>("line", "", "Line of the log",
                              [](const S& s, std::size_t row) { return s.ops[row].line; })),
          column<S>("op", "", "Name of the op", [](const S& s, std::size_t row) { return s.ops[row].name; }),
          column<S>("time_us", "us", "How long it took",
                    [](const S& s, std::size_t row) { return s.ops[row].time_us; }),
          column<S>("is_cached", "", "Whether the program was there already",
                    [](const S& s, std::size_t row) { return s.ops[row].is_cached; }),
          column<S>("loc", "", "Place in the model | `file:line`",
                    [](const S& s, std::size_t row) { return s.ops[row].loc; }),
          column<S>("size_bytes", "bytes", "Size of the result",
                    [](const S& s, std::size_t row) { return s.ops[row].size_bytes; }),
      });
  return kSpec;
}

inline Table sample_table(std::vector<Sample::Op> ops) {
  const auto source = std::make_shared<Sample>(Sample{std::move(ops)});
  return make_table(sample_spec(), source, source->ops.size());
}

}  // namespace ttscope::table
