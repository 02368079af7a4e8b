#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "allocator.h"
#include "model.h"
#include "simulator.h"

namespace ttscope::gen_log {

struct Options {
  std::string output;  ///< empty: standard output
  std::string truth;   ///< empty: none
  std::string device = "wormhole";
  std::string fail;  ///< how the run shall end; empty: as it does
  std::int64_t ranks = 1;
  std::int64_t runs = 3;
  std::int64_t layers = 2;
  std::int64_t hidden = 512;
  std::int64_t batch = 1;
  std::int64_t sequence = 32;
  std::int64_t vocabulary = 8192;
  std::int64_t target_mb = 0;
  std::int64_t dram_bytes = 0;  ///< of a bank; 0: as the device has
  std::int64_t seed = 1;
  bool compact = false;
  bool distinct_locations = false;
  bool keep_live = false;
  bool no_memory = false;
  bool no_ops = false;
  bool no_modules = false;
  bool program_level = false;
  bool out_of_memory = false;
  bool plain = false;
  bool crlf = false;
  bool help = false;
};

struct ParsedOptions {
  Options options;
  std::string error;  ///< empty when the command line is right
};

ParsedOptions parse_options(int count, const char* const* words);
std::string_view help_text();
/// The options that decide what the log holds, as JSON; not where it was written.
std::string options_json(const Options& options);

ModelShape model_shape(const Options& options, std::int64_t rank);
RunPlan run_plan(const Options& options, const Device& device);

}  // namespace ttscope::gen_log
