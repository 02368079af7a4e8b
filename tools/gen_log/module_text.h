#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "log_writer.h"
#include "model.h"

namespace ttscope::gen_log {

enum class ModuleStages : std::uint8_t { kAll, kFew };

/// Prints the dumps TT-XLA makes while it compiles the workload, from VHLO to what the runtime gets.
void print_modules(RankLog& log, const Workload& workload, const Device& device, ModuleStages stages);

/// The short names a module uses for layouts and locations, in the order of their first use.
class ModuleAliases {
 public:
  std::string type(const TensorType& type);
  std::string location(const Location& location);  ///< `#loc7`, or `#loc` for unknown
  void reserve_arguments(const Program& main);     ///< arguments take the first location numbers

  std::string layout_definitions() const;
  std::string argument_definitions() const;
  std::string location_definitions() const;  ///< those after the arguments
  bool uses(std::string_view buffer_alias) const;

 private:
  std::string alias_of(const std::string& text, const std::string& definition);

  std::vector<std::string> layouts_;
  std::map<std::string, std::size_t> layout_numbers_;
  std::vector<std::string> locations_;  // definitions; number = index + 1
  std::map<std::string, std::size_t> location_numbers_;
  std::size_t argument_count_ = 0;
};

/// `p4.71`: number of the XLA parameter and of its instruction.
std::string argument_location(std::size_t index);

/// Which attributes the arguments of a stage carry.
enum class ArgumentAttributes : std::uint8_t { kNone, kFrontend, kFull };
std::string argument_attributes(const Argument& argument, ArgumentAttributes detail);

/// The whole dump of a stage before TTNN, without header and end lines.
std::string frontend_module(const Workload& workload, std::string_view stage);

/// Attributes of `module @SyncTensorsGraph...`, open for more.
std::string module_attributes(bool meshes);
inline constexpr std::string_view kModuleName = "@SyncTensorsGraph.448";

}  // namespace ttscope::gen_log
