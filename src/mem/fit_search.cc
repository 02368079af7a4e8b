#include "mem/fit_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "fit/search.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kTensorsTried = 5;
constexpr std::int64_t kShortestTried = 32;

fit::Ask asking(const FitRun& run) {
  return [&run](const fit::Device& device, const fit::Changes& changes) -> Result<fit::Asked> {
    Result<FitRun::Answer> answer = run.ask(device, changes);
    if (!answer) return failure(answer.error());
    return fit::Asked{std::move(answer->verdict), std::move(answer->applied)};
  };
}

/// What changes nothing of the model's results comes first, then what costs precision, then what asks for
/// less, then more devices. Another policy of the allocator is nothing that a user can set: it comes last.
std::vector<fit::SearchStep> steps_for(const fit::DeviceVerdict& unchanged, const DataDimensions& now) {
  using fit::Changes;
  std::vector<fit::SearchStep> steps;
  steps.push_back({[](Changes& c) { c.free_originals = true; }});
  steps.push_back({[](Changes& c) { c.originals_on_host = true; }});
  const std::size_t tensors = unchanged.failure ? std::min(unchanged.failure->live.size(), kTensorsTried) : 0;
  for (std::size_t i = 0; i < tensors; ++i) {
    const fit::LiveTensor& tensor = unchanged.failure->live[i];
    if (tensor.kind == "activation")
      steps.push_back({[name = tensor.name](Changes& c) { c.free_early.push_back(name); }, false});
  }
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::string& name = unchanged.failure->live[i].name;
    steps.push_back({[name](Changes& c) { c.row_major.push_back(name); }, false});
  }
  steps.push_back({[](Changes& c) { c.weights = fit::WeightFormat::kBfp8; }});
  steps.push_back({[](Changes& c) { c.weights = fit::WeightFormat::kBfp4; }});
  fit::add_halves(steps, fit::Growth::kBatch, {now.batch, now.batch}, 1);
  fit::add_halves(steps, fit::Growth::kSequence, {now.sequence, now.sequence}, kShortestTried);
  for (const std::uint32_t ways : {2U, 4U, 8U})
    steps.push_back({[ways](Changes& c) { c.tensor_parallel = ways; }, ways == 2});
  steps.push_back({[](Changes& c) { c.best_fit = true; }, false});
  return steps;
}

}  // namespace

Result<fit::Search> search_changes(const FitRun& run, const fit::Device& device,
                                   const fit::Question& question) {
  return fit::search_changes(asking(run), device, question, [&](const fit::DeviceVerdict& unchanged) {
    return steps_for(unchanged, dimensions_of(run.main_scene(), question.changes));
  });
}

Result<fit::Maximum> find_maximum(const FitRun& run, const fit::Device& device, const fit::Changes& given,
                                  fit::Growth growth) {
  const DataDimensions now = dimensions_of(run.main_scene(), given);
  fit::Maximum recorded;
  recorded.growth = growth;
  recorded.recorded = growth == fit::Growth::kBatch ? now.batch : now.sequence;
  if (recorded.recorded < 1)
    return failure(bad_input(
        fmt::format("--max {}: the inputs of the log do not tell it; give what it was, as in --{} 1:1",
                    name_of(growth), name_of(growth))));
  return fit::find_maximum(asking(run), device, given, recorded);
}

}  // namespace ttscope::mem
