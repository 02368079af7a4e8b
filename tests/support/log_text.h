#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::testing {

/// Texts of tensor types as op lines have them. Sizes are in elements; tiles are 32x32.
std::string dram_tensor(std::int64_t rows, std::int64_t columns, std::string_view element = "bf16");
std::string dram_rows(std::int64_t rows, std::int64_t columns, std::string_view element = "bf16");
std::string host_tensor(std::int64_t rows, std::int64_t columns, std::string_view element = "bf16");
/// Height sharded: every one of `cores` has `rows / cores` rows.
std::string l1_sharded_tensor(std::int64_t rows, std::int64_t columns, std::int64_t cores);
/// Interleaved over the `cores` of the layout's grid.
std::string l1_tensor(std::int64_t rows, std::int64_t columns, std::int64_t cores);

/// `%1 = "ttnn.add"(%0, %arg0) : (inputs) -> output`. Lists of operands and types are written as given.
std::string op_text(std::string_view result, std::string_view name, std::string_view operands,
                    std::string_view input_types, std::string_view output_types);
std::string deallocate_text(std::string_view operand, std::string_view type);
std::string load_cached_text(std::string_view result, std::string_view callee, std::string_view operands,
                             std::string_view input_types, std::string_view output_types);

/// How the lines of a log look.
struct LogStyle {
  bool colors = false;
  std::string before = {};  ///< text in front of every line, e.g. `[1,0]<stdout>: `
  std::string line_end = "\n";
  std::uint32_t dram_banks = 12;
  std::uint32_t l1_banks = 64;
  double dram_mib = 1021.169;  ///< capacity of one bank
  double l1_mib = 1.268;
};

/// Writes a runtime log line by line, in the words of the runtime. Memory states are bytes per bank.
class LogText {
 public:
  explicit LogText(LogStyle style = {}) : style_(std::move(style)) {}

  LogText& start(std::string_view program);
  LogText& finish(std::string_view program);
  /// An op line; an empty `loc` writes none.
  LogText& op(std::string_view text, std::string_view loc = "unknown");
  /// Header and four views.
  LogText& block(std::string_view op_type, std::int64_t dram_bytes, std::int64_t l1_bytes = 0);
  LogText& submit_block(bool before, std::int64_t dram_bytes, std::int64_t l1_bytes = 0);
  LogText& header(std::string_view op_type);
  LogText& view(std::string_view memory, std::int64_t allocated_bytes);
  LogText& retained();
  LogText& cache_hit(std::string_view function);
  LogText& cache_miss(std::string_view function);
  LogText& cache_hash(std::string_view function, std::string_view hash);
  LogText& module(std::string_view stage, std::string_view body);
  /// A line as it is, but for what stands in front of every line.
  LogText& line(std::string_view text);
  /// A message behind the runtime's prefix.
  LogText& message(std::string_view type, std::string_view level, std::string_view text);

  const std::string& text() const { return text_; }
  /// Number of the last line written, from 1.
  std::uint32_t lines() const { return lines_; }

 private:
  LogText& views(std::int64_t dram_bytes, std::int64_t l1_bytes);

  LogStyle style_;
  std::string text_;
  std::uint32_t lines_ = 0;
};

}  // namespace ttscope::testing
