#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "graph.h"

namespace ttscope::gen_log {

/// The flatbuffer name that the memory block's header uses: `ttnn.add` is an `EltwiseBinaryOp`.
std::string op_type_of(std::string_view op_name);

/// Fills the texts of an op that do not depend on the repetition.
void complete_text(Op& op, const Program& program);
/// `"ttnn.add"(`, `ttcore.load_cached(@f, [` or `<call_word> @f(`
void append_callee(std::string& out, const Op& op, std::string_view call_word);

/// Property texts, each with its leading space, as the newest compiler prints them.
std::string dtype_properties(Element element);
std::string matmul_properties(bool transpose_b);
std::string rms_norm_properties();
std::string reshape_properties(const Shape& shape);
std::string slice_properties(const Shape& begins, const Shape& ends);
std::string dim_properties(std::string_view key, int value);
std::string permute_properties(std::initializer_list<int> order);
std::string reduce_properties(int dimension);
std::string layout_properties(bool tile);
std::string memory_config_properties(const TensorType& target);
std::string get_device_properties();
std::string split_heads_properties(std::int64_t heads, std::int64_t kv_heads);
std::string constant_properties(const TensorType& type);
std::string attention_properties();

}  // namespace ttscope::gen_log
