#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fit/device.h"

namespace ttscope::fit {

/// A batch or a sequence of another length. 0 stands for what the input tells.
struct Scaling {
  std::int64_t from = 0;  ///< as recorded; 0: found from the inputs
  std::int64_t to = 0;    ///< as asked for; 0: as recorded
};

enum class WeightFormat : std::uint8_t { kAsRecorded, kBfp8, kBfp4 };

/// What is asked to be different from the input; all of it at once.
struct Changes {
  WeightFormat weights = WeightFormat::kAsRecorded;
  bool free_originals = false;     ///< weights, once const-eval has its copies of them
  bool originals_on_host = false;  ///< on the device only while const-eval reads them
  bool best_fit = false;           ///< instead of first fit
  std::uint32_t tensor_parallel = 1;
  Scaling batch{};
  Scaling sequence{};
  std::vector<std::string> row_major{};   ///< names of tensors
  std::vector<std::string> free_early{};  ///< names of tensors, freed after their last use
  bool recompute = false;                 ///< training configs alone
  std::string optimizer{};                ///< training configs alone; empty: as configured

  bool any() const;
};

/// What can grow until it does not fit any more.
enum class Growth : std::uint8_t { kBatch, kSequence };
std::string_view name_of(Growth growth);

/// How far the search for a change is.
struct SearchProgress {
  std::size_t tried = 0;
  std::size_t most = 0;  ///< so many are tried where none fits
};

/// Everything that `ttscope fit` is asked about one input.
struct Question {
  std::vector<std::string>
      devices{};  ///< names, `custom:...`; empty: the input's own; `all` is every product
  Changes changes{};
  bool search = false;              ///< for the smallest change that fits
  std::optional<Growth> maximum{};  ///< the largest value that fits
  bool own_too = false;             ///< the input's own device first, before those that are named
  std::function<void(const SearchProgress&)> on_try{};  ///< before each change that the search tries
};

/// The devices that are asked for, `all` spelled out, without the input's own.
Result<std::vector<Device>> asked_devices(const Question& question, const Reservations& reserved);

}  // namespace ttscope::fit
