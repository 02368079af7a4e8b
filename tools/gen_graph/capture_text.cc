#include "gen_graph/capture_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttscope::gen_graph {
namespace {

constexpr std::string_view kMemoryConfig =
    "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::{},shard_spec=std::"
    "nullopt,"
    "nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0)";

struct Shape {
  int rows;
  int columns;
  std::int64_t bytes() const { return std::int64_t{2} * rows * columns; }
  std::string text() const { return fmt::format("Shape([1, 1, {}, {}])", rows, columns); }
};

constexpr std::array<Shape, 6> kShapes = {
    {{2048, 2048}, {2048, 5632}, {256, 2048}, {32, 64}, {2048, 64}, {1024, 1024}}};
constexpr std::array<std::string_view, 5> kOps = {"MatmulDeviceOperation", "BinaryNgDeviceOperation",
                                                  "LayerNormDeviceOperation", "SoftmaxDeviceOperation",
                                                  "TransposeDeviceOperation"};

/// A tensor that lives on the simulated device.
struct Live {
  Shape shape;
  bool in_l1;
  std::uint64_t buffer_node;
  std::uint64_t tensor_id;
  std::int64_t address;
};

/// One capture, operation after operation.
class CaptureText {
 public:
  CaptureText(const Options& options, std::mt19937_64& random, Writer& out)
      : options_(options), random_(random), out_(out) {}

  std::uint64_t write(std::uint64_t bytes) {
    out_.write('[');
    node("capture_start", "null", {}, 0);
    while (written_ < bytes) operation();
    node("capture_end", "null", {}, 0);
    out_.write(options_.report ? "\n  ]" : "]");
    return written_;
  }

 private:
  struct Extra {
    std::string arguments{};
    std::string connections{};
    std::string inputs{};
    std::string duration{};
  };

  std::uint64_t node(std::string_view type, std::string_view params, const Extra& extra, int level) {
    const std::string_view form =
        options_.report
            ? "\n    {{\n      \"arguments\": [{}],\n      \"connections\": [{}],\n      \"counter\": {},\n{}"
              "      \"input_tensors\": [{}],\n      \"node_type\": \"{}\",\n      \"params\": {},\n"
              "      \"stacking_level\": {}\n    }}"
            : "{{\"arguments\":[{}],\"connections\":[{}],\"counter\":{},{}\"input_tensors\":[{}],\"node_"
              "type\":\"{}\","
              "\"params\":{},\"stacking_level\":{}}}";
    std::string duration;
    if (!extra.duration.empty()) {
      duration = options_.report ? fmt::format("      \"duration_ns\": {},\n", extra.duration)
                                 : fmt::format("\"duration_ns\":{},", extra.duration);
    }
    const std::string text = fmt::format(fmt::runtime(form), extra.arguments, extra.connections, counter_,
                                         duration, extra.inputs, type, params, level);
    if (counter_ > 0) out_.write(',');
    out_.write(text);
    written_ += text.size() + 1;
    return counter_++;
  }

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  static std::string_view memory(bool in_l1) { return in_l1 ? "L1" : "DRAM"; }

  static std::int64_t per_bank(const Live& live) {
    const std::int64_t pages = live.shape.bytes() / 2048;
    const std::int64_t banks = live.in_l1 ? 64 : 12;
    return (pages + banks - 1) / banks * 2048;
  }

  /// First fit among what is live, from the bottom.
  std::int64_t lowest_free(const Live& wanted) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    for (const Live& live : live_) {
      if (live.in_l1 == wanted.in_l1) taken.emplace_back(live.address, live.address + per_bank(live));
    }
    std::sort(taken.begin(), taken.end());
    std::int64_t address = wanted.in_l1 ? 700000 : 1920032;
    for (const auto& [begin, end] : taken) {
      if (begin - address >= per_bank(wanted)) break;
      address = std::max(address, end);
    }
    return address;
  }

  std::string buffer_params(const Live& live) const {
    return fmt::format(
        R"({{"address":{},"buffer_type":{},"device_id":1,"layout":"INTERLEAVED","max_size_per_bank":{},"num_cores":0,)"
        R"("page_size":2048,"size":{},"type":"{}"}})",
        live.address, live.in_l1 ? 1 : 0, per_bank(live), live.shape.bytes(), memory(live.in_l1));
  }

  void tensor(const Live& live, const std::string& consumer, int level) {
    const std::string params = fmt::format(
        R"({{"address":{0},"buffer_type":{1},"device_id":1,"device_tensors":"[{{\"address\":{0},\"device_id\":0,)"
        R"(\"mesh_device_id\":1}}]","dtype":"DataType::BFLOAT16","layout":"Layout::TILE","memory_config":"{2}",)"
        R"("shape":"{3}","size":{4},"tensor_id":{5}}})",
        live.address, live.in_l1 ? 1 : 0, fmt::format(fmt::runtime(kMemoryConfig), memory(live.in_l1)),
        live.shape.text(), live.shape.bytes(), live.tensor_id);
    node("tensor", params, {{}, consumer, {}, {}}, level);
  }

  std::string arguments_of(const Live& live) const {
    return fmt::format(R"("{}","DataType::BFLOAT16","Layout::TILE","0x5581a2b3c4d0","{}")", live.shape.text(),
                       fmt::format(fmt::runtime(kMemoryConfig), memory(live.in_l1)));
  }

  Live create(int level) {
    Live live{kShapes[below(kShapes.size())], below(4) == 0, 0, ++tensor_ids_, 0};
    if (!options_.no_dispatch) live.address = lowest_free(live);
    const Extra call{
        arguments_of(live), fmt::format("{},{},{}", counter_ + 1, counter_ + 2, counter_ + 3), {}, {}};
    node("function_start", R"({"inputs":"5","name":"tt::tt_metal::create_device_tensor"})", call, level);
    live.buffer_node =
        node("buffer",
             fmt::format(R"({{"buffer_type":{},"device_id":1,"layout":"INTERLEAVED","size":{},"type":"{}"}})",
                         live.in_l1 ? 1 : 0, live.shape.bytes(), memory(live.in_l1)),
             {{}, std::to_string(counter_ + 3), {}, {}}, level);
    node("buffer_allocate", buffer_params(live), {{}, std::to_string(live.buffer_node), {}, {}}, level);
    node("function_end", R"({"name":"tt::tt_metal::create_device_tensor"})",
         {{}, std::to_string(counter_ + 1), {}, std::to_string(900 + below(90000))}, level);
    tensor(live, {}, level - 1);
    return live;
  }

  void release(const Live& live, int level) {
    node("function_start", R"({"inputs":"1","name":"Tensor::deallocate"})",
         {"\"Tensor(storage=DeviceStorage())\"", fmt::format("{},{}", counter_ + 1, counter_ + 2), {}, {}},
         level);
    node("buffer_deallocate", buffer_params(live), {{}, std::to_string(live.buffer_node), {}, {}}, level);
    node("function_end", R"({"name":"Tensor::deallocate"})", {{}, std::to_string(counter_ + 1), {}, "1200"},
         level);
  }

  void operation() {
    const std::string_view name = kOps[below(kOps.size())];
    const std::uint64_t start = counter_;
    const std::size_t inputs = std::min<std::size_t>(live_.size(), 2);
    std::string input_counters;
    for (std::size_t i = 0; i < inputs; ++i) {
      input_counters += fmt::format("{}{}", i > 0 ? "," : "", start + 1 + i);
    }
    const std::string arguments = fmt::format(
        "\"{}Params(<variant>, 1, {}, DataType::BFLOAT16, "
        "ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0,"
        "fp32_dest_acc_en=0,packer_l1_acc=1), std::nullopt)\",\"{{Tensor(storage=DeviceStorage())}}\"",
        name, fmt::format(fmt::runtime(kMemoryConfig), "DRAM"));
    node("function_start", fmt::format(R"({{"inputs":"2","name":"{}"}})", name),
         {arguments, fmt::format("{},{}", start + inputs + 1, start + inputs + 6), input_counters, {}}, 1);
    for (std::size_t i = 0; i < inputs; ++i) tensor(live_[live_.size() - 1 - i], std::to_string(start), 1);
    const Live result = create(2);
    node("circular_buffer_deallocate_all", R"({"device_id":1})", {{}, std::to_string(start), {}, {}}, 1);
    for (int i = 0; i < 3; ++i) {
      node(
          "circular_buffer_allocate",
          fmt::format(
              R"({{"address":{},"core_range_set":"{{[0-0 - 7-7]}}","device_id":0,"globally_allocated":"0","size":{}}})",
              options_.no_dispatch ? 0 : 103712 + i * 131072, 4096 << below(4)),
          {}, 1);
    }
    node("function_end", fmt::format(R"({{"name":"{}"}})", name),
         {{}, std::to_string(counter_ + 1), {}, std::to_string(20000 + below(4000000))}, 1);
    tensor(result, {}, 0);
    live_.push_back(result);
    while (live_.size() > 40 || (live_.size() > 4 && below(3) == 0)) {
      const auto freed = live_.begin() + static_cast<std::ptrdiff_t>(below(live_.size()));
      release(*freed, 1);
      live_.erase(freed);
    }
  }

  const Options& options_;
  std::mt19937_64& random_;
  Writer& out_;
  std::deque<Live> live_;
  std::uint64_t counter_ = 0;
  std::uint64_t tensor_ids_ = 0;
  std::uint64_t written_ = 0;
};

/// What the trainers of tt-train call them.
std::string segment_name(std::uint64_t index) {
  constexpr std::array<std::string_view, 4> kNames = {"MODEL_CREATION", "OPTIMIZER_CREATION", "FORWARD_PASS",
                                                      "BACKWARD_PASS"};
  return index < kNames.size() ? std::string(kNames[index]) : fmt::format("STEP_{}", index);
}

}  // namespace

void write_capture(const Options& options, Writer& out) {
  std::mt19937_64 random(options.seed);
  if (options.segments > 0) {
    out.write('[');
    for (std::uint64_t i = 0; i < options.segments; ++i) {
      out.write(fmt::format("{}{{\"name\":\"{}\",\"trace\":", i > 0 ? ",\n" : "", segment_name(i)));
      CaptureText(options, random, out).write(options.bytes / options.segments);
      out.write('}');
    }
    out.write("]\n");
    return;
  }
  if (options.report) out.write("{\n  \"devices\": [],\n  \"graph\": ");
  CaptureText(options, random, out).write(options.bytes);
  if (options.report) {
    out.write(
        ",\n  \"metadata\": {\n    \"capture_timestamp_ns\": 1,\n    \"rank\": 0,\n    "
        "\"total_duration_ns\": 5,\n"
        "    \"world_size\": 1\n  },\n  \"version\": 1\n}");
  }
  out.write('\n');
}

}  // namespace ttscope::gen_graph
