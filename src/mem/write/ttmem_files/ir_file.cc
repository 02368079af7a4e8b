// One of the four files of mem/write/ttmem_files/files.h: NAME_ir.json.
#include <algorithm>

#include "mem/write/ttmem_files/files.h"
#include "mem/write/words/loc_index.h"
#include "report/json_text.h"

namespace ttscope::mem {
namespace {

class IrFile {
 public:
  IrFile(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out)
      : trace_(trace), profile_(profile), out_(out), json_(out, kTtmemStyle), quoter_(kTtmemStyle) {}

  void write() {
    const auto& groups = profile_.module_groups;
    json_.begin_object();
    write_module("ttir", groups.empty() ? nullptr : in_group(groups[0], kTtirStages), first_of(kTtirStages));
    write_module("ttnn", groups.empty() ? nullptr : in_group(groups[0], kTtnnStages), first_of(kTtnnStages));
    json_.key("graphs");
    json_.begin_array();
    for (std::uint32_t group = 1; group < groups.size(); ++group) write_group(group);
    json_.end_array();
    json_.end_object();
  }

 private:
  using Stages = std::array<Stage, 2>;
  static constexpr Stages kTtirStages = {Stage::kTtir, Stage::kTtir};
  static constexpr Stages kTtnnStages = {Stage::kTtnn, Stage::kTtnnRuntime};  ///< the same device functions

  const ModuleDump* in_group(const ModuleGroup& group, const Stages& stages) const {
    for (const Stage stage : stages) {
      const std::uint32_t id = group.by_stage[static_cast<std::size_t>(stage)];
      if (id < trace_.modules.size()) return &trace_.modules[id];
    }
    return nullptr;
  }

  const ModuleDump* first_of(const Stages& stages) const {
    for (const Stage stage : stages) {
      const auto found = std::find_if(trace_.modules.begin(), trace_.modules.end(),
                                      [&](const ModuleDump& module) { return module.stage == stage; });
      if (found != trace_.modules.end()) return &*found;
    }
    return nullptr;
  }

  void write_group(std::uint32_t group) {
    json_.begin_object();
    json_.field("group", group);
    json_.key("programs");
    json_.begin_array();
    for (const Graph& graph : profile_.graphs) {
      if (graph.module_group == group && graph.name != kNone) json_.value(trace_.names[graph.name]);
    }
    json_.end_array();
    write_module("ttir", in_group(profile_.module_groups[group], kTtirStages), nullptr);
    write_module("ttnn", in_group(profile_.module_groups[group], kTtnnStages), nullptr);
    json_.end_object();
  }

  void write_module(std::string_view name, const ModuleDump* module, const ModuleDump* otherwise) {
    static const ModuleDump kNone;
    const ModuleDump& shown = module != nullptr ? *module : otherwise != nullptr ? *otherwise : kNone;
    json_.key(name);
    json_.begin_object();
    write_text(shown);
    write_index(index_locations(shown.lines));
    json_.field("line",
                shown.line == 0 ? std::optional<std::uint32_t>() : std::optional<std::uint32_t>(shown.line));
    json_.end_object();
  }

  /// Line by line: a module can be larger than all else that is kept of a log.
  void write_text(const ModuleDump& module) {
    json_.key("text");
    json_.raw("\"");
    for (const std::string_view line : module.lines) {
      const std::string_view quoted = quoter_.quoted(line);
      out_.write(quoted.substr(1, quoted.size() - 2));
      out_.write("\\n");
    }
    out_.write('"');
  }

  void write_index(const LocIndex& index) {
    json_.key("loc_index");
    json_.begin_object();
    for (const LocIndex::Entry& entry : index.entries) json_.field(entry.name, entry.line);
    json_.end_object();
    json_.key("loc_lines");
    json_.begin_object();
    for (const LocIndex::Entry& entry : index.entries) {
      if (entry.lines.size() < 2) continue;
      json_.key(entry.name);
      json_.begin_array();
      for (const std::uint32_t line : entry.lines) json_.value(line);
      json_.end_array();
    }
    json_.end_object();
    json_.key("functions");
    json_.begin_array();
    for (const LocIndex::Function& function : index.functions) {
      json_.begin_object();
      json_.field("name", function.name);
      json_.field("first_line", function.first_line);
      json_.field("last_line", function.last_line);
      json_.end_object();
    }
    json_.end_array();
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  Writer& out_;
  JsonWriter json_;
  report::JsonQuoter quoter_;
};

}  // namespace

void write_ir_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out) {
  IrFile(trace, profile, out).write();
}

}  // namespace ttscope::mem
