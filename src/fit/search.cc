#include "fit/search.h"

#include <algorithm>

namespace ttscope::fit {
namespace {

constexpr std::int64_t kMaxTried = 1 << 20;

Scaling& scaling_of(Changes& changes, Growth growth) {
  return growth == Growth::kBatch ? changes.batch : changes.sequence;
}

class Searcher {
 public:
  Searcher(const Evaluate& ask, const Device& device, const FitQuery& question)
      : ask_(ask), device_(device), given_(question.changes), on_try_(question.on_try) {}

  Result<Search> search(const ListSteps& list_steps) {
    Search search;
    search.device = device_.name;
    const auto unchanged = ask_(device_, given_);
    if (!unchanged) return failure(unchanged.error());
    search.fits_unchanged = unchanged->verdict.fits;
    if (search.fits_unchanged) return search;
    unchanged_peak_ = unchanged->verdict.memories.front().peak_bytes_per_bank;
    const std::vector<SearchStep> steps = list_steps(unchanged->verdict);
    const auto pairing = static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [](const SearchStep& step) { return step.pairs; }));
    progress_.most = steps.size() + (pairing > 0 ? pairing * (pairing - 1) / 2 : 0);
    for (const SearchStep& step : steps) {
      if (attempt({&step}, search)) return search;
    }
    for (std::size_t a = 0; a < steps.size(); ++a) {
      for (std::size_t b = a + 1; b < steps.size(); ++b) {
        if (!steps[a].pairs || !steps[b].pairs) continue;
        if (attempt({&steps[a], &steps[b]}, search)) return search;
      }
    }
    return search;
  }

 private:
  bool attempt(const std::vector<const SearchStep*>& steps, Search& search) {
    ++progress_.tried;
    if (on_try_) on_try_(progress_);
    Changes changes = given_;
    for (const SearchStep* step : steps) step->apply(changes);
    const auto answer = ask_(device_, changes);
    if (!answer) return false;  // a tensor that cannot be stored in rows, for example
    const bool any = std::any_of(answer->applied.begin(), answer->applied.end(),
                                 [](const AppliedChange& c) { return c.tensors > 0; });
    if (!any) return false;
    const MemoryUse& dram = answer->verdict.memories.front();
    const bool helps_not = !answer->verdict.fits && dram.peak_bytes_per_bank >= unchanged_peak_;
    if (helps_not) return false;
    search.attempts.push_back({answer->applied, answer->verdict.fits, dram.peak_bytes_per_bank,
                               dram.headroom_bytes_per_bank, answer->verdict.basis});
    if (!answer->verdict.fits) return false;
    search.answer = search.attempts.size() - 1;
    return true;
  }

  const Evaluate& ask_;
  const Device& device_;
  const Changes& given_;
  const std::function<void(const SearchProgress&)>& on_try_;
  SearchProgress progress_;
  std::int64_t unchanged_peak_ = 0;
};

}  // namespace

Result<Search> search_changes(const Evaluate& ask, const Device& device, const FitQuery& question,
                              const ListSteps& list_steps) {
  return Searcher(ask, device, question).search(list_steps);
}

LargestFit find_largest_fit(std::int64_t first, std::int64_t most,
                            const std::function<bool(std::int64_t)>& fits) {
  LargestFit found;
  std::int64_t above = first;
  while (above <= most && fits(above)) {
    found.value = above;
    above *= 2;
  }
  found.at_limit = above > most;
  while (!found.at_limit && above - found.value > 1) {
    const std::int64_t middle = found.value + (above - found.value) / 2;
    (fits(middle) ? found.value : above) = middle;
  }
  if (found.value > 0) fits(found.value);
  return found;
}

Maximum find_maximum(const Evaluate& ask, const Device& device, const Changes& given,
                     const Maximum& recorded) {
  Changes changes = given;
  Scaling& scaling = scaling_of(changes, recorded.growth);
  Maximum maximum = recorded;
  maximum.device = device.name;
  const auto fits = [&](std::int64_t value) {
    scaling.to = value;
    const auto answer = ask(device, changes);
    if (!answer || !answer->verdict.fits) return false;
    maximum.headroom_bytes_per_bank = answer->verdict.memories.front().headroom_bytes_per_bank;
    return true;
  };
  const LargestFit found = find_largest_fit(maximum.recorded, kMaxTried, fits);
  maximum.at_limit = found.at_limit;
  if (found.value > 0) maximum.largest = found.value;
  return maximum;
}

void add_halves(std::vector<SearchStep>& steps, Growth growth, Scaling recorded, std::int64_t least) {
  for (std::int64_t half = recorded.to / 2; half >= least; half /= 2) {
    const auto apply = [growth, half](Changes& changes) { scaling_of(changes, growth).to = half; };
    steps.push_back({apply, half == recorded.to / 2});
  }
}

}  // namespace ttscope::fit
