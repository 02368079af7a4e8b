// The TTNN module, and the order in which all stages are printed.
#include "module_text.h"

#include <array>
#include <set>

namespace ttscope::gen_log {

namespace {

constexpr std::string_view kEnd = "------------------ END OF MLIR MODULE ------------------";
constexpr std::string_view kOpIndent = "        ";

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

/// One type bare, several in parentheses.
std::string result_list(const std::vector<std::string>& types) {
  return types.size() == 1 ? types.front() : "(" + joined(types) + ")";
}

/// In a module the buffer type has an alias: `memory_config<#dram, ...` for `memory_config<<dram>, ...`.
std::string with_buffer_aliases(std::string text) {
  constexpr std::string_view kConfig = "#ttnn.memory_config<<";
  for (std::size_t at = text.find(kConfig); at != std::string::npos; at = text.find(kConfig, at)) {
    const std::size_t open = at + kConfig.size() - 1;
    text[open] = '#';
    text.erase(text.find('>', open), 1);
    at = open;
  }
  return text;
}

std::string system_description(const Device& device) {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const std::int64_t l1_base = device.l1_size_bytes - device.l1_bytes_per_bank - kL1SmallBytesPerBank;
  return "#system_desc = #ttcore.system_desc<[{role = host, target_triple = \"x86_64-pc-linux\"}], [{arch = "
         "<" +
         std::string(device.arch) + ">, grid = " + number(device.grid_rows) + "x" +
         number(device.grid_columns) +
         ", coord_translation_offsets = 18x18, l1_size = " + number(device.l1_size_bytes) +
         ", num_dram_channels = " + number(device.dram_banks) +
         ", dram_channel_size = " + number(device.dram_channel_bytes) +
         ", noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = " +
         number(device.alignment) + ", l1_unreserved_base = " + number(l1_base) +
         ", erisc_l1_unreserved_base = 98304, dram_unreserved_base = " +
         number(device.dram_channel_bytes - device.dram_bytes_per_bank) +
         ", dram_unreserved_end = " + number(device.dram_channel_bytes - 622272) +
         ", supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, "
         "<bfp_f2>, "
         "<bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  "
         "16x32,  "
         "32x32], dst_physical_size_tiles = 16, num_cbs = 64, num_compute_threads = 1, "
         "num_datamovement_threads = 2}], "
         "[0], [1 : i32], [ 0x0x0x0]>\n";
}

std::string device_line(const Device& device) {
  return "      ttcore.device @default_device = <workerGrid = #ttcore.grid<" +
         std::to_string(device.grid_rows) + "x" + std::to_string(device.grid_columns) +
         ", virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, "
         "d2)>, l1Map = "
         "(d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), meshShape = 1x1, chipIds = [0]> loc(#loc)\n";
}

/// Writes the functions of one TTNN module.
class FunctionWriter {
 public:
  explicit FunctionWriter(ModuleAliases& aliases) : aliases_(aliases) {}

  std::string const_eval(const Program& program) {
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < program.arguments.size(); ++i) {
      parameters.push_back("%arg" + std::to_string(i) + ": " + aliases_.type(*program.arguments[i].type) +
                           " loc(unknown)");
    }
    // Aliases are numbered by first use, so the parts must be written in order.
    std::string out = "      func.func private @" + program.name + "(" + joined(parameters) + ") -> ";
    out += result_list(types(program, program.returns));
    out += " attributes {tt.function_type = \"const_eval\"} {\n";
    out += body(program);
    return out;
  }

  std::string main(const Program& program) {
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < program.arguments.size(); ++i) {
      const Argument& argument = program.arguments[i];
      parameters.push_back("%arg" + std::to_string(i) + ": " + aliases_.type(*argument.type) + " " +
                           argument_attributes(argument, ArgumentAttributes::kFull) + " loc(\"" +
                           argument_location(i) + "\")");
    }
    std::vector<std::string> results = types(program, program.returns);
    for (std::string& result : results) result += " {ttcore.shard_status = #ttcore.shard_status<unsharded>}";
    return "      func.func @main(" + joined(parameters) + ") -> (" + joined(results) +
           ") attributes {tt.function_type = \"forward_device\"} {\n" + body(program);
  }

  /// Declarations on the device side and definitions on the host side of the functions that run on the CPU.
  std::string declarations() const { return declarations_; }
  std::string definitions() const { return definitions_; }

 private:
  std::vector<std::string> types(const Program& program, const std::vector<ValueId>& values) {
    std::vector<std::string> out;
    for (const ValueId value : values) out.push_back(aliases_.type(*program.values[value].type));
    return out;
  }

  std::string operand_names(const Program& program, const std::vector<ValueId>& values) {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ", ";
      append_value_name(out, {program}, values[i]);
    }
    return out;
  }

  std::string body(const Program& program) {
    std::string out;
    for (const Op& op : program.ops) out += line(program, op);
    out += std::string(kOpIndent) + "return " + operand_names(program, program.returns) + " : " +
           joined(types(program, program.returns)) + " loc(#loc)\n";
    return out + "      } loc(#loc)\n";
  }

  std::string line(const Program& program, const Op& op) {
    std::string out(kOpIndent);
    append_results(out, {program}, op);
    append_callee(out, op, "call");
    out += operand_names(program, op.operands) + (op.form == Op::Form::kLoadCached ? "])" : ")");
    out += with_buffer_aliases(op.properties) + " : (" + joined(types(program, op.operands)) + ") -> ";
    out += op.results.empty() ? "()" : result_list(types(program, op.results));
    if (op.form == Op::Form::kCall) note_cpu_function(program, op);
    return out + " loc(" + aliases_.location(op.location) + ")\n";
  }

  void note_cpu_function(const Program& program, const Op& op) {
    if (!known_.insert(op.callee).second) return;
    declarations_ += "      func.func private @" + op.callee + "(" + joined(types(program, op.operands)) +
                     ") -> " + result_list(types(program, op.results)) +
                     " attributes {tt.function_type = \"forward_cpu_declaration\"} loc(#loc)\n";
    const std::string source = program.values[op.operands.front()].type->frontend_text;
    std::vector<std::string> results;
    for (const ValueId value : op.results) results.push_back(program.values[value].type->frontend_text);
    definitions_ += "      func.func @" + op.callee + "(%arg0: " + source +
                    " {bufferization.access = \"read\"} loc(unknown)) -> " + result_list(results) +
                    " attributes {tt.function_type = \"forward_cpu\"} {\n";
    std::string names;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string name = "%" + std::to_string(i);
      definitions_ += std::string(kOpIndent) + name + " = \"ttir.reshape\"(%arg0) : (" + source + ") -> " +
                      results[i] + " loc(#loc)\n";
      names += (names.empty() ? "" : ", ") + name;
    }
    definitions_ += std::string(kOpIndent) + "return " + names + " : " + joined(results) +
                    " loc(#loc)\n      } loc(#loc)\n";
  }

  ModuleAliases& aliases_;
  std::set<std::string> known_;
  std::string declarations_;
  std::string definitions_;
};

std::string ttnn_module(const Workload& workload, const Device& device) {
  ModuleAliases aliases;
  aliases.reserve_arguments(workload.main);
  FunctionWriter writer(aliases);
  std::string functions;
  for (const Program& program : workload.const_evals) functions += writer.const_eval(program);
  functions += writer.main(workload.main);

  std::string out;
  if (aliases.uses("#dram")) out += "#dram = #ttnn.buffer_type<dram>\n";
  if (aliases.uses("#l1")) out += "#l1 = #ttnn.buffer_type<l1>\n";
  out += "#loc = loc(unknown)\n" + aliases.argument_definitions() + system_description(device);
  if (aliases.uses("#system_memory")) out += "#system_memory = #ttnn.buffer_type<system_memory>\n";
  out += aliases.layout_definitions();
  const std::string name(kModuleName);
  out += "module " + name + " attributes {" + module_attributes(true) + "} {\n  ttcore.device_module {\n";
  out += "    builtin.module " + name + " attributes {" + module_attributes(true) +
         ", ttcore.system_desc = #system_desc} {\n" + device_line(device) + functions +
         writer.declarations() + "    } loc(#loc)\n  } loc(#loc)\n";
  if (!writer.definitions().empty()) {
    out += "  ttcore.cpu_module {\n    builtin.module {\n" + writer.definitions() +
           "    } loc(#loc)\n  } loc(#loc)\n";
  }
  return out + "} loc(#loc)\n" + aliases.location_definitions();
}

}  // namespace

std::string ModuleAliases::type(const TensorType& type) {
  if (type.is_device_handle) return type.text;
  const auto [found, added] = layout_numbers_.try_emplace(type.aliased_layout, layouts_.size());
  if (added) layouts_.push_back(type.aliased_layout);
  return type.head + "#ttnn_layout" + (found->second == 0 ? "" : std::to_string(found->second)) + ">";
}

std::string ModuleAliases::alias_of(const std::string& text, const std::string& definition) {
  const auto [found, added] = location_numbers_.try_emplace(text, locations_.size());
  if (added) locations_.push_back(definition);
  return "#loc" + std::to_string(found->second + 1);
}

std::string ModuleAliases::location(const Location& location) {
  if (location.pieces.front() == "unknown") return "#loc";
  std::string definition = location.pieces.front();
  for (std::size_t i = 0; i < location.children.size(); ++i) {
    definition += alias_of(location.children[i], location.children[i]) + location.pieces[i + 1];
  }
  return alias_of(location.text(), definition);
}

void ModuleAliases::reserve_arguments(const Program& main) {
  argument_count_ = main.arguments.size();
  for (std::size_t i = 0; i < argument_count_; ++i) location(named_location(argument_location(i)));
}

std::string ModuleAliases::layout_definitions() const {
  std::string out;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    out += "#ttnn_layout" + (i == 0 ? "" : std::to_string(i)) + " = " + layouts_[i] + "\n";
  }
  return out;
}

std::string ModuleAliases::argument_definitions() const {
  std::string out;
  for (std::size_t i = 0; i < argument_count_; ++i) {
    out += "#loc" + std::to_string(i + 1) + " = loc(" + locations_[i] + ")\n";
  }
  return out;
}

std::string ModuleAliases::location_definitions() const {
  std::string out;
  for (std::size_t i = argument_count_; i < locations_.size(); ++i) {
    out += "#loc" + std::to_string(i + 1) + " = loc(" + locations_[i] + ")\n";
  }
  return out;
}

bool ModuleAliases::uses(std::string_view buffer_alias) const {
  for (const std::string& layout : layouts_) {
    if (layout.find(buffer_alias) != std::string::npos) return true;
  }
  return false;
}

void print_modules(RankLog& log, const Workload& workload, const Device& device, ModuleStages stages) {
  constexpr std::array<std::string_view, 9> kAll = {
      "vhlo", "shlo", "shlo_frontend", "shlo_compiler", "shlo_set_mesh_attr", "shlo_compiler_cleaned",
      "ttir", "ttnn", "ttnn_runtime"};
  constexpr std::string_view kFew = " shlo ttnn ";
  for (const std::string_view stage : kAll) {
    if (stages == ModuleStages::kFew && kFew.find(" " + std::string(stage) + " ") == std::string_view::npos)
      continue;
    log.advance_clock(11000);
    log.loguru("module_builder.cc:1220", "1", "MLIR Module " + std::string(stage) + ":");
    const bool ttnn = stage.substr(0, 4) == "ttnn";
    log.plain_lines(ttnn ? ttnn_module(workload, device) : frontend_module(workload, stage));
    log.plain(kEnd);
  }
}

}  // namespace ttscope::gen_log
