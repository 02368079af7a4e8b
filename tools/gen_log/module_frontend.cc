// The stages before TTNN: no layouts, no const-eval, no memory. They name the ops in StableHLO's or TTIR's
// words.
#include <array>
#include <utility>

#include "module_text.h"

namespace ttscope::gen_log {

namespace {

enum class Dialect : std::uint8_t { kVhlo, kStableHlo, kTtir };

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kStableHloNames = {{
    {"matmul", "dot_general"},
    {"embedding", "gather"},
    {"typecast", "convert"},
    {"slice_static", "slice"},
    {"neg", "negate"},
    {"concat", "concatenate"},
    {"le", "compare"},
    {"fill_cache", "scatter"},
    {"update_cache", "scatter"},
    {"silu", "logistic"},
    {"mean", "reduce"},
    {"load_cached", "transpose"},
    {"reshape", "reshape"},
    {"multiply", "multiply"},
    {"add", "add"},
    {"rsqrt", "rsqrt"},
    {"sort", "sort"},
    {"concatenate_heads", "transpose"},
    {"softmax", "exponential"},
    {"repeat_interleave", "broadcast_in_dim"},
}};

std::string_view stablehlo_name(std::string_view name) {
  for (const auto& [ttnn, stablehlo] : kStableHloNames) {
    if (ttnn == name) return stablehlo;
  }
  return "custom_call";
}

/// Ops that only move data between memories do not exist before TTNN; their result is their operand.
bool moves_data(std::string_view name) {
  constexpr std::string_view kMoves = " to_memory_config to_layout to_device from_device ";
  return kMoves.find(" " + std::string(name) + " ") != std::string_view::npos;
}

std::string vhlo_type(const std::string& type) {
  const std::size_t open = type.find('<') + 1;
  std::size_t element = type.rfind('x');
  element = element == std::string::npos || element < open ? open : element + 1;
  return "!vhlo.tensor_v1<" + type.substr(open, element - open) + "!vhlo." +
         type.substr(element, type.size() - element - 1) + "_v1>";
}

class FrontendWriter {
 public:
  FrontendWriter(const Program& program, Dialect dialect)
      : program_(program), dialect_(dialect), names_(program.values.size()) {
    aliases_.reserve_arguments(program);
    for (std::size_t i = 0; i < program.arguments.size(); ++i) names_[i] = "%arg" + std::to_string(i);
  }

  std::string lines(std::string_view indent) {
    std::string out;
    for (const Op& op : program_.ops) out += line(op, indent);
    std::vector<std::string> types;
    std::string values;
    for (const ValueId value : program_.returns) {
      types.push_back(type(value));
      values += (values.empty() ? "" : ", ") + names_[value];
    }
    if (dialect_ == Dialect::kVhlo) {
      return out + std::string(indent) + "\"vhlo.return_v1\"(" + values + ") : (" + list(types) +
             ") -> () loc(#loc)\n";
    }
    return out + std::string(indent) + "return " + values + " : " + list(types) + " loc(#loc)\n";
  }

  std::string parameters(ArgumentAttributes detail) const {
    std::string out;
    for (std::size_t i = 0; i < program_.arguments.size(); ++i) {
      const std::string attributes = argument_attributes(program_.arguments[i], detail);
      out += (i == 0 ? "" : ", ") + names_[i] + ": " + type(program_.arguments[i].value) +
             (attributes.empty() ? "" : " " + attributes) + " loc(\"" + argument_location(i) + "\")";
    }
    return out;
  }

  std::string result_types() const {
    std::vector<std::string> types;
    for (const ValueId value : program_.returns) types.push_back(type(value));
    return "(" + list(types) + ")";
  }

  const ModuleAliases& aliases() const { return aliases_; }

 private:
  static std::string list(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
    return out;
  }

  std::string type(ValueId value) const {
    const std::string& text = program_.values[value].type->frontend_text;
    return dialect_ == Dialect::kVhlo ? vhlo_type(text) : text;
  }

  std::string callee(const Op& op) const {
    const std::string_view name = std::string_view(op.name).substr(op.name.find('.') + 1);
    if (dialect_ == Dialect::kTtir)
      return "\"ttir." + std::string(name == "load_cached" ? "permute" : name) + "\"";
    const std::string word(stablehlo_name(name));
    return dialect_ == Dialect::kVhlo ? "\"vhlo." + word + "_v1\"" : "stablehlo." + word;
  }

  std::string line(const Op& op, std::string_view indent) {
    const std::string_view name = std::string_view(op.name).substr(op.name.find('.') + 1);
    if (name == "deallocate" || name == "get_device") return "";
    if (moves_data(name)) {
      names_[op.results.front()] = names_[op.operands.front()];
      return "";
    }
    std::vector<std::string> operands;
    std::vector<std::string> operand_types;
    for (const ValueId value : op.operands) {
      operands.push_back(names_[value]);
      operand_types.push_back(type(value));
    }
    std::vector<std::string> result_types;
    for (const ValueId value : op.results) result_types.push_back(type(value));
    if (op.results.empty()) result_types.push_back(operand_types.front());
    const bool quoted = dialect_ != Dialect::kStableHlo;
    const std::string number = "%" + std::to_string(next_number_++);
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      names_[op.results[i]] = number + (op.results.size() > 1 ? "#" + std::to_string(i) : "");
    }
    return std::string(indent) + number +
           (op.results.size() > 1 ? ":" + std::to_string(op.results.size()) : "") + " = " + callee(op) +
           (quoted ? "(" + list(operands) + ")" : " " + list(operands)) + " : (" + list(operand_types) +
           ") -> " + (result_types.size() == 1 ? result_types.front() : "(" + list(result_types) + ")") +
           " loc(" + aliases_.location(op.location) + ")\n";
  }

  const Program& program_;
  Dialect dialect_;
  ModuleAliases aliases_;
  std::vector<std::string> names_;
  int next_number_ = 0;
};

}  // namespace

std::string argument_location(std::size_t index) {
  return "p" + std::to_string(index) + "." + std::to_string(1 + 7 * index);
}

std::string argument_attributes(const Argument& argument, ArgumentAttributes detail) {
  if (detail == ArgumentAttributes::kNone) return "";
  constexpr std::array<std::string_view, 3> kKinds = {"parameter", "constant", "input"};
  std::string out = "{ttcore.argument_type = #ttcore.argument_type<" +
                    std::string(kKinds[static_cast<std::size_t>(argument.kind)]) + ">, ";
  if (argument.kv_cache) out += "ttcore.kv_cache, ";
  if (detail == ArgumentAttributes::kFull) {
    out += "ttcore.local_shape = #ttcore<local_shape local_shape = " + argument.type->frontend_text +
           ">, ttcore.shard_status = #ttcore.shard_status<" +
           (argument.presharded ? "presharded" : "unsharded") + ">, ";
  }
  return out + "ttir.name = \"" + argument.model_name + "\"}";
}

std::string module_attributes(bool meshes) {
  return std::string(
             "mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, "
             "mhlo.use_auto_spmd_partitioning = false") +
         (meshes ? ", ttcore.meshes = #ttcore.meshes<[<\"mesh\" = 1x1>]>" : "");
}

std::string frontend_module(const Workload& workload, std::string_view stage) {
  const bool vhlo = stage == "vhlo";
  const bool ttir = stage == "ttir";
  FrontendWriter writer(workload.main, vhlo ? Dialect::kVhlo : ttir ? Dialect::kTtir : Dialect::kStableHlo);
  const bool named = !vhlo && stage != "shlo";
  const auto detail = ttir    ? ArgumentAttributes::kFull
                      : named ? ArgumentAttributes::kFrontend
                              : ArgumentAttributes::kNone;
  const std::string name(kModuleName);
  const std::string indent = ttir ? "        " : "    ";
  const std::string outer = indent.substr(2);
  const std::string lines = writer.lines(indent);
  std::string out = writer.aliases().argument_definitions();
  out += "module " + name + " attributes {" + module_attributes(ttir) + "} {\n";
  if (ttir) {
    out += "  ttcore.device_module {\n    builtin.module " + name + " attributes {" +
           module_attributes(true) + "} {\n";
  }
  out += outer + (vhlo ? "vhlo.func_v1" : "func.func") + " @main(" + writer.parameters(detail) + ") -> " +
         writer.result_types() + " {\n" + lines + outer + "}";
  if (vhlo) {
    out +=
        " {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, "
        "sym_visibility = #vhlo.string_v1<\"\">}";
  }
  out += " loc(#loc)\n";
  if (ttir) out += "    } loc(#loc)\n  } loc(#loc)\n";
  return out + "} loc(#loc)\n#loc = loc(unknown)\n" + writer.aliases().location_definitions();
}

}  // namespace ttscope::gen_log
