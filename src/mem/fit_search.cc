#include "mem/fit_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace ttscope::mem {
namespace {

constexpr std::int64_t kLargestTried = 1 << 20;
constexpr std::size_t kTensorsTried = 5;

/// A change that can be added to others.
struct Step {
  std::function<void(fit::Changes&)> apply;
  bool pairs = true;  ///< it is worth a try together with another
};

fit::Scaling& scaling_of(fit::Changes& changes, fit::Growth growth) {
  return growth == fit::Growth::kBatch ? changes.batch : changes.sequence;
}

class Searcher {
 public:
  Searcher(const FitRun& run, const fit::Device& device, const fit::Changes& given)
      : run_(run), device_(device), given_(given) {}

  Result<fit::Search> search() {
    fit::Search search;
    search.device = device_.name;
    const auto unchanged = run_.ask(device_, given_);
    if (!unchanged) return failure(unchanged.error());
    search.fits_unchanged = unchanged->verdict.fits;
    if (search.fits_unchanged) return search;
    unchanged_peak_ = unchanged->verdict.memories.front().peak_bytes_per_bank;
    list_steps(unchanged->verdict);
    for (const Step& step : steps_) {
      if (attempt({&step}, search)) return search;
    }
    for (std::size_t a = 0; a < steps_.size(); ++a) {
      for (std::size_t b = a + 1; b < steps_.size(); ++b) {
        if (!steps_[a].pairs || !steps_[b].pairs) continue;
        if (attempt({&steps_[a], &steps_[b]}, search)) return search;
      }
    }
    return search;
  }

 private:
  void add(std::function<void(fit::Changes&)> apply, bool pairs = true) {
    steps_.push_back({std::move(apply), pairs});
  }

  /// What changes nothing of the model's results comes first, then what costs precision, then what asks for
  /// less, then more devices. Another policy of the allocator is nothing that a user can set: it comes last.
  void list_steps(const fit::DeviceVerdict& unchanged) {
    add([](fit::Changes& c) { c.free_originals = true; });
    add([](fit::Changes& c) { c.originals_on_host = true; });
    const std::size_t tensors =
        unchanged.failure ? std::min(unchanged.failure->live.size(), kTensorsTried) : 0;
    for (std::size_t i = 0; i < tensors; ++i) {
      const fit::LiveTensor& tensor = unchanged.failure->live[i];
      if (tensor.kind == "activation")
        add([name = tensor.name](fit::Changes& c) { c.free_early.push_back(name); }, false);
    }
    for (std::size_t i = 0; i < tensors; ++i) {
      const std::string& name = unchanged.failure->live[i].name;
      add([name](fit::Changes& c) { c.row_major.push_back(name); }, false);
    }
    add([](fit::Changes& c) { c.weights = fit::WeightFormat::kBfp8; });
    add([](fit::Changes& c) { c.weights = fit::WeightFormat::kBfp4; });
    const DataDimensions now = dimensions_of(run_.main_scene(), given_);
    for (std::int64_t batch = now.batch / 2; batch >= 1; batch /= 2)
      add([batch](fit::Changes& c) { c.batch.to = batch; }, batch == now.batch / 2);
    for (std::int64_t length = now.sequence / 2; length >= 32; length /= 2)
      add([length](fit::Changes& c) { c.sequence.to = length; }, length == now.sequence / 2);
    for (const std::uint32_t ways : {2U, 4U, 8U})
      add([ways](fit::Changes& c) { c.tensor_parallel = ways; }, ways == 2);
    add([](fit::Changes& c) { c.best_fit = true; }, false);
  }

  bool attempt(const std::vector<const Step*>& steps, fit::Search& search) {
    fit::Changes changes = given_;
    for (const Step* step : steps) step->apply(changes);
    const auto answer = run_.ask(device_, changes);
    if (!answer) return false;  // a tensor that cannot be stored in rows, for example
    const bool any = std::any_of(answer->applied.begin(), answer->applied.end(),
                                 [](const fit::AppliedChange& c) { return c.tensors > 0; });
    if (!any) return false;
    const fit::MemoryUse& dram = answer->verdict.memories.front();
    const bool helps_not = !answer->verdict.fits && dram.peak_bytes_per_bank >= unchanged_peak_;
    if (helps_not) return false;
    search.attempts.push_back({answer->applied, answer->verdict.fits, dram.peak_bytes_per_bank,
                               dram.headroom_bytes_per_bank, answer->verdict.basis});
    if (!answer->verdict.fits) return false;
    search.answer = search.attempts.size() - 1;
    return true;
  }

  const FitRun& run_;
  const fit::Device& device_;
  const fit::Changes& given_;
  std::vector<Step> steps_;
  std::int64_t unchanged_peak_ = 0;
};

}  // namespace

Result<fit::Search> search_changes(const FitRun& run, const fit::Device& device, const fit::Changes& given) {
  return Searcher(run, device, given).search();
}

Result<fit::Maximum> find_maximum(const FitRun& run, const fit::Device& device, const fit::Changes& given,
                                  fit::Growth growth) {
  fit::Changes changes = given;
  fit::Scaling& scaling = scaling_of(changes, growth);
  const DataDimensions now = dimensions_of(run.main_scene(), given);
  fit::Maximum maximum;
  maximum.device = device.name;
  maximum.growth = growth;
  maximum.recorded = growth == fit::Growth::kBatch ? now.batch : now.sequence;
  if (maximum.recorded < 1)
    return failure(bad_input(
        fmt::format("--max {}: the inputs of the log do not tell it; give what it was, as in --{} 1:1",
                    name_of(growth), name_of(growth))));
  const auto fits = [&](std::int64_t value) {
    scaling.to = value;
    const auto answer = run.ask(device, changes);
    if (!answer || !answer->verdict.fits) return false;
    maximum.headroom_bytes_per_bank = answer->verdict.memories.front().headroom_bytes_per_bank;
    return true;
  };
  std::int64_t good = 0;
  std::int64_t bad = maximum.recorded;
  while (bad <= kLargestTried && fits(bad)) {
    good = bad;
    bad *= 2;
  }
  maximum.at_limit = bad > kLargestTried;
  while (!maximum.at_limit && bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  if (good > 0) {
    fits(good);  // for its room
    maximum.largest = good;
  }
  return maximum;
}

}  // namespace ttscope::mem
