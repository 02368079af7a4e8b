#pragma once

#include <optional>
#include <string_view>

#include "mem/model/module_dump.h"
#include "mem/read/runtime_log/module_aliases.h"
#include "mem/read/runtime_log/trace_tables.h"

namespace ttscope::mem {

/// Reads the function headers, returned values and load_cached calls of a dumped module of any age. Layout
/// aliases are written out, so that types are the same as those of op lines. False when no function was
/// found.
bool parse_module(ModuleDump& module, TraceTables& tables);

/// The function of a header `func.func @main(%arg0: tensor<...> {...}, ...) -> ... attributes {...} {`;
/// nothing if the text is none.
std::optional<FunctionInfo> parse_function_header(std::string_view header, ModuleAliases& aliases,
                                                  TraceTables& tables);

/// Chip facts of a `#system_desc = #ttcore.system_desc<...>` line; nothing if the line is something else.
std::optional<SystemDescription> parse_system_description(std::string_view line);

/// The first of a module: `#system_desc = ...`, or in the module's attributes where the text has no aliases.
std::optional<SystemDescription> find_system_description(const ModuleDump& module);

}  // namespace ttscope::mem
