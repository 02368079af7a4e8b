#include "support/log_text.h"

#include <fmt/format.h>

namespace ttscope::testing {
namespace {

constexpr double kMib = 1048576.0;

std::int64_t tiles(std::int64_t elements) { return (elements + 31) / 32; }

std::string tensor(std::int64_t rows, std::int64_t columns, std::string_view element, std::string_view grid,
                   std::string_view memref) {
  return fmt::format("tensor<{}x{}x{}, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <{}>, memref<{}>>", rows,
                     columns, element, grid, memref);
}

}  // namespace

std::string dram_tensor(std::int64_t rows, std::int64_t columns, std::string_view element) {
  const bool is_block_format = element.substr(0, 3) == "bfp";
  const std::string written =
      is_block_format ? fmt::format("!ttcore.tile<32x32, {}>", element) : std::string(element);
  return tensor(rows, columns, written, "1x1",
                fmt::format("{}x{}x!ttcore.tile<32x32, {}>, #ttnn.buffer_type<dram>>, <interleaved>",
                            tiles(rows), tiles(columns), element));
}

std::string dram_rows(std::int64_t rows, std::int64_t columns, std::string_view element) {
  return tensor(rows, columns, element, "1x1",
                fmt::format("{}x{}x{}, #ttnn.buffer_type<dram>>, <interleaved>", rows, columns, element));
}

std::string host_tensor(std::int64_t rows, std::int64_t columns, std::string_view element) {
  return tensor(rows, columns, element, "1x1",
                fmt::format("{}x{}x{}, #ttnn.buffer_type<system_memory>>", rows, columns, element));
}

std::string l1_sharded_tensor(std::int64_t rows, std::int64_t columns, std::int64_t cores) {
  return tensor(rows, columns, "bf16", fmt::format("{}x1", cores),
                fmt::format("{}x{}x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>",
                            tiles(rows / cores), tiles(columns)));
}

std::string l1_tensor(std::int64_t rows, std::int64_t columns, std::int64_t cores) {
  return tensor(rows, columns, "bf16", fmt::format("{}x1", cores),
                fmt::format("{}x{}x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>",
                            tiles(rows / cores), tiles(columns)));
}

std::string op_text(std::string_view result, std::string_view name, std::string_view operands,
                    std::string_view input_types, std::string_view output_types) {
  const std::string assigned = result.empty() ? std::string() : fmt::format("{} = ", result);
  return fmt::format("{}\"{}\"({}) : ({}) -> {}", assigned, name, operands, input_types, output_types);
}

std::string deallocate_text(std::string_view operand, std::string_view type) {
  return fmt::format("\"ttnn.deallocate\"({}) <{{force = false}}> : ({}) -> ()", operand, type);
}

std::string load_cached_text(std::string_view result, std::string_view callee, std::string_view operands,
                             std::string_view input_types, std::string_view output_types) {
  return fmt::format("{} = ttcore.load_cached(@{}, [{}]) : ({}) -> {}", result, callee, operands, input_types,
                     output_types);
}

LogText& LogText::line(std::string_view text) {
  text_ += style_.before;
  text_ += text;
  text_ += style_.line_end;
  ++lines_;
  return *this;
}

LogText& LogText::message(std::string_view type, std::string_view level, std::string_view text) {
  if (!style_.colors) return line(fmt::format("{:>23} | {:>8} | {}", type, level, text));
  const std::string_view color = level == "INFO" ? "\x1b[38;5;69m" : "\x1b[38;5;240m";
  return line(fmt::format("\x1b[32m{:>23}\x1b[0m | \x1b[1m{}{:>8}\x1b[0m | {}", type, color, level, text));
}

LogText& LogText::start(std::string_view program) {
  return message("RuntimeTTNN", "DEBUG", fmt::format("Starting execution of program: {}", program));
}

LogText& LogText::finish(std::string_view program) {
  return message("RuntimeTTNN", "DEBUG", fmt::format("Finished execution of program: {}", program));
}

LogText& LogText::op(std::string_view text, std::string_view loc) {
  const std::string location = loc.empty() ? std::string() : fmt::format(" loc({})", loc);
  return message("RuntimeTTNN", "DEBUG", fmt::format("Executing operation: {}{}", text, location));
}

LogText& LogText::header(std::string_view op_type) {
  return message("Always", "INFO", fmt::format("Device memory state before operation {}", op_type));
}

LogText& LogText::view(std::string_view memory, std::int64_t allocated_bytes) {
  const bool is_l1 = memory.substr(0, 2) == "L1";
  double total = is_l1 ? style_.l1_mib : style_.dram_mib;
  if (memory == "L1_SMALL") total = 0.062;
  if (memory == "TRACE") total = 0;
  const double allocated = static_cast<double>(allocated_bytes) / kMib;
  return message(
      "Always", "INFO",
      fmt::format("Device {} memory state: MemoryView{{numBanks: {}, totalBytesPerBank: {:.3f} MB, "
                  "totalBytesAllocatedPerBank: {:.3f} MB, totalBytesFreePerBank: {:.3f} MB, "
                  "largestContiguousBytesFreePerBank: {:.3f} MB}}",
                  memory, is_l1 ? style_.l1_banks : style_.dram_banks, total, allocated, total - allocated,
                  total - allocated));
}

LogText& LogText::views(std::int64_t dram_bytes, std::int64_t l1_bytes) {
  return view("DRAM", dram_bytes).view("L1", l1_bytes).view("L1_SMALL", 0).view("TRACE", 0);
}

LogText& LogText::block(std::string_view op_type, std::int64_t dram_bytes, std::int64_t l1_bytes) {
  return header(op_type).views(dram_bytes, l1_bytes);
}

LogText& LogText::submit_block(bool before, std::int64_t dram_bytes, std::int64_t l1_bytes) {
  message("Always", "INFO", fmt::format("Device memory state {} submit", before ? "before" : "after"));
  return views(dram_bytes, l1_bytes);
}

LogText& LogText::retained() {
  return message("Always", "DEBUG",
                 "Tensor is retained thus not deallocating. To deallocate, set retain to false first");
}

LogText& LogText::cache_hit(std::string_view function) {
  return message("Always", "DEBUG", fmt::format("Cache hit for function: {}", function));
}

LogText& LogText::cache_miss(std::string_view function) {
  return message("Always", "DEBUG", fmt::format("Cache miss or invalid cache for function: {}", function));
}

LogText& LogText::cache_hash(std::string_view function, std::string_view hash) {
  return message("Always", "DEBUG",
                 fmt::format("Running LoadCachedOp for function {} with hash: {}", function, hash));
}

LogText& LogText::module(std::string_view stage, std::string_view body) {
  line(
      fmt::format("2026-04-23 17:58:35.093 (  13.930s) [        D17FA6C0]      module_builder.cc:1278     1| "
                  "MLIR Module {}:",
                  stage));
  while (!body.empty()) {
    const std::size_t end = body.find('\n');
    line(body.substr(0, end));
    body = end == std::string_view::npos ? std::string_view{} : body.substr(end + 1);
  }
  return line("------------------ END OF MLIR MODULE ------------------");
}

}  // namespace ttscope::testing
