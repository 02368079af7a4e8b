#pragma once

#include "sim/config/config_section.h"
#include "sim/config/training_config.h"

namespace ttscope::sim {

/// The sections of a configuration, wherever they stand.
struct ConfigSections {
  ConfigSection training;
  ConfigSection model;
  ConfigSection device;
  ConfigSection lora;
  ConfigSection multihost;
};

/// Fills in what the sections say. The error is the first of a section, in their order.
Result<void> read_sections(ConfigSections& sections, ReadConfig& read);

}  // namespace ttscope::sim
