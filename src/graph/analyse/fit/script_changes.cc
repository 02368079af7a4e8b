#include "graph/analyse/fit/script_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/text_escape.h"
#include "graph/analyse/bank_guess.h"
#include "graph/analyse/trace_utilities.h"

namespace ttscope::graph {
namespace {

constexpr std::int64_t kTile = 32;

using Shape = std::vector<std::int64_t>;

std::int64_t tiles_along(std::int64_t length) { return (length + kTile - 1) / kTile; }

/// Pages of a tensor of this shape, 0 where the numbers are damage.
std::int64_t pages_of(const Shape& shape, bool tiled) {
  const std::size_t inner = tiled ? 2 : 1;
  std::int64_t pages = 1;
  const auto take = [&](std::int64_t count) {
    pages = count < 1 || pages > kLargestMemoryBytes / count ? 0 : pages * count;
  };
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_outer = i + inner < shape.size();
    if (is_outer) take(shape[i]);
    if (!is_outer && tiled) take(tiles_along(shape[i]));
  }
  return pages;
}

/// The tensor of a request: nothing where the capture does not tell it.
struct RequestTensor {
  const GraphTrace* trace = nullptr;
  const TensorFacts* facts = nullptr;
  std::uint32_t node = kNone;
  std::int64_t id = kNotRecorded;
  std::string_view dtype{};  ///< `BFLOAT16`
  bool tiled = false;
  Shape shape{};
};

class ScriptChanger {
 public:
  ScriptChanger(const Profile& profile, const fit::Changes& changes, AllocationScript& script)
      : profile_(profile), changes_(changes), script_(script) {
    for (const ScriptRequest& request : script.requests) knows_kinds_ |= !kind_of(request).empty();
  }

  Result<std::vector<fit::AppliedChange>> change() {
    if (auto refused = refuse(); !refused) return failure(refused.error());
    for (const auto& step :
         {&ScriptChanger::change_weights, &ScriptChanger::change_rows, &ScriptChanger::free_early,
          &ScriptChanger::scale_batch, &ScriptChanger::scale_sequence}) {
      if (auto done = (this->*step)(); !done) return failure(done.error());
    }
    return std::move(applied_);
  }

 private:
  /// What no capture tells.
  Result<void> refuse() const {
    const auto no = [](std::string_view option, std::string_view why) {
      return failure(bad_input(fmt::format("{}: {}", option, why)));
    };
    if (changes_.free_originals || changes_.originals_on_host)
      return no(changes_.free_originals ? "--free-originals" : "--originals-on-host",
                "a capture does not tell what was made from which weight; a log or a module does");
    if (changes_.tensor_parallel > 1)
      return no("--tp",
                "a capture does not tell how its calls would be split over chips; a log, a module or a "
                "training config does");
    if (changes_.recompute || !changes_.optimizer.empty())
      return no(changes_.recompute ? "--recompute" : "--optimizer",
                "a capture is of one run, which cannot be made again; a training config can");
    return {};
  }

  const JoinedBuffer* buffer_of(const ScriptRequest& request) const {
    return request.buffer == kNone ? nullptr : &profile_.live.buffers[request.buffer];
  }
  std::string_view kind_of(const ScriptRequest& request) const {
    const JoinedBuffer* buffer = buffer_of(request);
    return buffer == nullptr || buffer->kind == "binary" ? std::string_view() : buffer->kind;
  }

  RequestTensor tensor_of(const ScriptRequest& request) const {
    RequestTensor tensor;
    const JoinedBuffer* buffer = buffer_of(request);
    if (buffer == nullptr) return tensor;
    const ProfiledSegment& segment = profile_.segments[buffer->segment];
    const BufferLife& life = segment.profile.buffers[buffer->buffer];
    if (life.tensor == kNone) return tensor;
    tensor.trace = segment.trace;
    tensor.node = life.tensor;
    tensor.id = segment.trace->tensor_of(life.tensor).tensor_id;
    tensor.facts = &segment.trace->tensor_facts_of(life.tensor);
    const std::string_view dtype = segment.trace->text(tensor.facts->dtype);
    tensor.dtype = dtype.substr(dtype.rfind(':') + 1);
    tensor.tiled =
        !in_rows_.contains(&request) && segment.trace->text(tensor.facts->layout).ends_with("TILE");
    tensor.shape = shape_numbers(segment.trace->text(tensor.facts->shape));
    return tensor;
  }

  /// The request with so many pages of another size; a shard takes its part of it.
  static bool resize(ScriptRequest& request, std::int64_t pages, std::int64_t page_bytes) {
    if (pages <= 0 || page_bytes <= 0 || request.size_bytes <= 0 || pages > kLargestMemoryBytes / page_bytes)
      return false;
    const std::int64_t size = pages * page_bytes;
    if (size == request.size_bytes && page_bytes == request.page_bytes) return false;
    const double ratio = static_cast<double>(size) / static_cast<double>(request.size_bytes);
    request.demand.bytes_per_bank =
        static_cast<std::int64_t>(static_cast<double>(request.demand.bytes_per_bank) * ratio + 0.999999);
    request.size_bytes = size;
    request.page_bytes = page_bytes;
    return true;
  }

  void note(std::string_view option, std::string value, std::uint64_t tensors,
            const fit::Scaling& scaling = {}) {
    const fit::Basis basis = scaling.to > 0 ? fit::Basis::kEstimated : fit::Basis::kReplayed;
    applied_.push_back({std::string(option), std::move(value), tensors, scaling.from, scaling.to, basis});
  }

  Result<void> change_weights() {
    if (changes_.weights == fit::WeightFormat::kAsRecorded) return {};
    const bool to_bfp8 = changes_.weights == fit::WeightFormat::kBfp8;
    const std::int64_t tile_bytes = to_bfp8 ? 1088 : 576;
    std::uint64_t changed = 0;
    for (ScriptRequest& request : script_.requests) {
      if (kind_of(request) != "weight") continue;
      const RequestTensor tensor = tensor_of(request);
      const bool is_float =
          tensor.dtype == "BFLOAT16" || tensor.dtype == "FLOAT32" || tensor.dtype == "BFLOAT8_B";
      const bool is_matrix = tensor.shape.size() >= 2 && *(tensor.shape.end() - 2) >= kTile;
      if (!tensor.tiled || !is_float || !is_matrix || request.page_bytes <= tile_bytes) continue;
      changed += resize(request, request.size_bytes / request.page_bytes, tile_bytes) ? 1 : 0;
    }
    if (changed == 0)
      return failure(
          bad_input("--weights: the capture names no weights that are float matrices in tiles; captures "
                    "of ttscope's trackers name them"));
    note("--weights", to_bfp8 ? "bfp8" : "bfp4", changed);
    return {};
  }

  bool is_called(const ScriptRequest& request, std::string_view name) const {
    const JoinedBuffer* buffer = buffer_of(request);
    if (buffer == nullptr) return false;
    if (buffer->owner == name) return true;
    const RequestTensor tensor = tensor_of(request);
    return tensor.id != kNotRecorded && name == fmt::format("tensor {}", tensor.id);
  }

  /// The requests of a name, given to `change`, which says whether it changed something.
  Result<std::uint64_t> for_each_named(std::string_view option, const std::string& name,
                                       const std::function<bool(ScriptRequest&)>& change) {
    std::uint64_t found = 0;
    std::uint64_t changed = 0;
    for (ScriptRequest& request : script_.requests) {
      if (!is_called(request, name)) continue;
      ++found;
      changed += change(request) ? 1 : 0;
    }
    if (found == 0)
      return failure(
          bad_input(fmt::format("{}: no buffer of the capture is called {}; names are those of `ttscope "
                                "graph`: an owner, or \"tensor 12\"",
                                option, terminal_safe(name))));
    return changed;
  }

  Result<void> change_rows() {
    for (const std::string& name : changes_.row_major) {
      const auto changed = for_each_named("--row-major", name, [&](ScriptRequest& request) {
        const RequestTensor tensor = tensor_of(request);
        const std::int64_t element_bytes = request.page_bytes / (kTile * kTile);
        // Weights that were made block floats by another change have tiles with exponents.
        const bool is_block_float = tensor.dtype.ends_with("_B") || request.page_bytes % (kTile * kTile) != 0;
        if (!tensor.tiled || request.cores != 0 || is_block_float || tensor.shape.empty()) return false;
        if (!resize(request, pages_of(tensor.shape, false), tensor.shape.back() * element_bytes))
          return false;
        in_rows_.insert(&request);
        return true;
      });
      if (!changed) return failure(changed.error());
      if (*changed == 0)
        return failure(bad_input(fmt::format(
            "--row-major {}: it is not stored in tiles, or in a form that only tiles and shards have",
            terminal_safe(name))));
      note("--row-major", name, *changed);
    }
    return {};
  }

  /// The tick behind the last call that takes the tensor; its birth where none does.
  fit::Tick last_use(const ScriptRequest& request, std::int64_t id) const {
    fit::Tick last = request.demand.born;
    fit::Tick start = 1;
    for (const ProfiledSegment& segment : profile_.segments) {
      for (const GraphCall& call : segment.profile.calls) {
        for (const std::uint32_t input : segment.trace->inputs_of(segment.trace->function_of(call.start))) {
          const std::uint32_t node = segment.trace->node_at(input);
          if (node == kNone || segment.trace->kinds[node] != NodeKind::kTensor) continue;
          if (segment.trace->tensor_of(node).tensor_id != id) continue;
          last = std::max(last, start + (call.end == kNone ? segment.trace->size() : call.end));
        }
      }
      start += segment.trace->size();
    }
    return last;
  }

  Result<void> free_early() {
    for (const std::string& name : changes_.free_early) {
      const auto changed = for_each_named("--free-early", name, [&](ScriptRequest& request) {
        const std::int64_t id = tensor_of(request).id;
        if (id == kNotRecorded) return false;
        const fit::Tick until = last_use(request, id) + 1;
        if (until >= request.demand.died) return false;
        request.demand.died = until;
        return true;
      });
      if (!changed) return failure(changed.error());
      note("--free-early", name, *changed);
    }
    return {};
  }

  /// Data are what is no parameter, no state of an optimizer and no binary, as far as the capture tells.
  bool is_data(const ScriptRequest& request) const {
    const std::string_view kind = kind_of(request);
    return buffer_of(request) != nullptr && kind != "weight" && kind != "gradient" && kind != "moment" &&
           (knows_kinds_ ? !kind.empty() : true);
  }

  Result<void> scale(std::string_view option, const fit::Scaling& scaling,
                     const std::function<bool(Shape&)>& change) {
    if (scaling.to == 0) return {};
    if (scaling.from == 0)
      return failure(bad_input(fmt::format(
          "{0} {1}: a capture does not tell what it was; give it, as in {0} 2:{1}", option, scaling.to)));
    std::uint64_t changed = 0;
    std::uint64_t found = 0;
    for (ScriptRequest& request : script_.requests) {
      if (!is_data(request)) continue;
      RequestTensor tensor = tensor_of(request);
      const std::int64_t was = pages_of(tensor.shape, tensor.tiled);
      if (was == 0 || request.page_bytes == 0 || !change(tensor.shape)) continue;
      ++found;
      const bool row_grows = !tensor.tiled && was == pages_of(tensor.shape, false);
      const std::int64_t page =
          row_grows ? request.page_bytes / std::max<std::int64_t>(scaling.from, 1) * scaling.to
                    : request.page_bytes;
      changed += resize(request, pages_of(tensor.shape, tensor.tiled), page) ? 1 : 0;
    }
    if (found == 0)
      return failure(bad_input(fmt::format("{} {}:{}: no tensor of the capture has such a dimension", option,
                                           scaling.from, scaling.to)));
    // `2:2` tells what it was, for a search, and changes nothing.
    if (scaling.from != scaling.to) note(option, std::to_string(scaling.to), changed, scaling);
    return {};
  }

  Result<void> scale_batch() {
    const fit::Scaling& batch = changes_.batch;
    if (batch.to > 0 && batch.from == 1 && !knows_kinds_)
      return failure(
          bad_input("--batch: the capture does not tell data from weights, and every tensor could have a "
                    "batch of 1; a log, a module or a training config tells"));
    return scale("--batch", batch, [&](Shape& shape) {
      if (shape.size() < 2 || shape[0] < 1 || shape[0] % batch.from != 0) return false;
      shape[0] = shape[0] / batch.from * batch.to;
      return true;
    });
  }

  Result<void> scale_sequence() {
    const fit::Scaling& sequence = changes_.sequence;
    return scale("--sequence", sequence, [&](Shape& shape) {
      const auto end = shape.size() < 3 ? shape.end() : shape.end() - (shape.size() == 3 ? 1 : 0);
      const bool any = std::find(shape.begin(), end, sequence.from) != end;
      std::replace(shape.begin(), end, sequence.from, sequence.to);
      return any;
    });
  }

  const Profile& profile_;
  const fit::Changes& changes_;
  AllocationScript& script_;
  bool knows_kinds_ = false;
  std::set<const ScriptRequest*> in_rows_;  ///< by a change, whatever the capture says of them
  std::vector<fit::AppliedChange> applied_;
};

}  // namespace

Result<std::vector<fit::AppliedChange>> change_script(const Profile& profile, const fit::Changes& changes,
                                                      AllocationScript& script) {
  return ScriptChanger(profile, changes, script).change();
}

}  // namespace ttscope::graph
