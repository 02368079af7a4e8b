#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_tree.h"
#include "base/result.h"
#include "chip/runtime/device.h"

namespace ttscope::chip {

/// The profiler's words of a device, to be read later: a JSON file that says what was run and where words
/// lie, and a raw file with them (docs/formats/device_dump.md).
class RawDump {
 public:
  /// `device` must outlive it.
  RawDump(Device& device, std::string_view run, std::string_view title);

  /// Its number on the host, and what its clock is said to run at.
  void device(std::uint32_t number, double clock_mhz);
  // What happened, in order.
  void program(JsonTree program);
  void event(std::string_view name);
  /// All words of one core, as they are now.
  void snapshot(const BootedCore& core, std::string_view label);
  /// Control words, buffers and DRAM of these cores, instead of snapshots.
  void cores(const std::vector<BootedCore>& cores);

  /// Writes `folder/<run>.json` and `folder/<run>.bin.gz`.
  Result<void> write(const std::string& folder, const std::vector<ZoneName>& zones);

 private:
  JsonTree kept(std::span<const std::uint8_t> bytes);
  JsonTree l1(const BootedCore& core, std::uint32_t address, std::uint32_t bytes);
  JsonTree dram(const BootedCore& core, std::uint32_t risc_count);

  Device* device_;
  std::string run_;
  JsonTree root_ = JsonTree::object();
  JsonTree programs_ = JsonTree::array();
  JsonTree timeline_ = JsonTree::array();
  JsonTree snapshots_ = JsonTree::array();
  std::string raw_;
};

}  // namespace ttscope::chip
