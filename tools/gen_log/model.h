#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph.h"
#include "op_text.h"

namespace ttscope::gen_log {

/// Sizes of the transformer whose run the log shows.
struct ModelShape {
  std::int64_t layers = 2;
  std::int64_t hidden = 512;
  std::int64_t batch = 1;  ///< of the short layer
  std::int64_t sequence = 32;
  std::int64_t vocabulary = 8192;
  std::int64_t cache_length = 128;
  bool compact = false;    ///< the short layer of the committed samples
  bool keep_live = false;  ///< no deallocation outside L1

  std::int64_t head_size() const { return hidden >= 1024 ? 128 : 64; }
  std::int64_t heads() const { return hidden / head_size(); }
  std::int64_t kv_heads() const { return heads() % 4 == 0 ? heads() / 4 : heads(); }
  std::int64_t intermediate() const { return hidden * 3; }
};

/// Everything one process compiles: the program `main`, and the const-eval functions it loads.
struct Workload {
  TypeTable types;
  std::vector<Program> const_evals;
  Program main;
};

std::unique_ptr<Workload> build_workload(const ModelShape& shape, const Device& device);

/// Short words for the types a model needs.
class ModelTypes {
 public:
  ModelTypes(TypeTable& table, const Device& device) : table_(table), device_(device) {}

  const TensorType* tile(Shape shape, Element element = Element::kBf16);
  const TensorType* rows(Shape shape, Element element = Element::kBf16);
  const TensorType* host_tile(Shape shape, Element element = Element::kBf16);
  const TensorType* host_rows(Shape shape, Element element = Element::kBf16);
  /// Sharded in L1; DRAM interleaved when a few such tensors would not fit.
  const TensorType* l1_height(Shape shape);
  const TensorType* l1_block(Shape shape);
  const TensorType* l1_interleaved(Shape shape, Element element = Element::kBf16);
  const TensorType* device_handle() const { return table_.device_handle(); }

 private:
  const TensorType* l1_or_dram(const TypeSpec& spec);

  TypeTable& table_;
  const Device& device_;
};

/// Locations with running numbers, as XLA gives them: `model/layers.0/self_attn/q_proj/dot.12`.
class LocationNames {
 public:
  void enter(std::string path) { path_ = std::move(path); }
  std::string name(const std::string& op) { return path_ + "/" + op + "." + std::to_string(++number_); }
  Location at(const std::string& op) { return named_location(name(op)); }
  /// A location the compiler derived from another one: `"x_tm0"("x")`.
  Location derived(const std::string& op, const std::string& suffix);

 private:
  std::string path_ = "model";
  int number_ = 10;
};

/// The const-eval functions; `index` is the number in the function's name.
Program position_const_eval(std::size_t index, ModelTypes& types, const ModelShape& shape);
Program rope_const_eval(std::size_t index, ModelTypes& types, const ModelShape& shape);
Program transposed_weight_const_eval(std::size_t index, ModelTypes& types, const TensorType* weight);
Program key_value_const_eval(std::size_t index, ModelTypes& types, const TensorType* weight);
/// A copy in block floats of every weight: some of the bytes, but the weights stay as well.
Program block_float_const_eval(std::size_t index, ModelTypes& types,
                               const std::vector<const TensorType*>& weights);

/// The weights of a layer, on the device before the first run.
struct LayerArguments {
  ValueId input_norm = 0, query = 0, key = 0, value = 0, output = 0;
  ValueId post_norm = 0, gate = 0, up = 0, down = 0;
  ValueId key_cache = 0, value_cache = 0;
};

/// What a layer takes from const-eval.
struct LayerConstants {
  ValueId query_weight = 0, key_value_weight = 0, gate_weight = 0, up_weight = 0;
};

/// Tensors every layer of one run uses.
struct SharedValues {
  ValueId cosine = 0, sine = 0, mask = 0, position = 0;
};

struct LayerInputs {
  std::int64_t index = 0;
  LayerArguments arguments;
  LayerConstants constants;
  SharedValues shared;
  ValueId hidden = 0;  ///< [sequence, hidden]
};

struct ModelContext {
  GraphBuilder& graph;
  ModelTypes& types;
  LocationNames& locations;
  const ModelShape& shape;
};

/// Appends one decoder layer; gives its output, [sequence, hidden].
ValueId append_layer(ModelContext& context, const LayerInputs& inputs);

void build_compact_main(Workload& workload, ModelTypes& types, const ModelShape& shape);

}  // namespace ttscope::gen_log
