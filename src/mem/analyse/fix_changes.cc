#include "mem/analyse/fix_changes.h"

#include <algorithm>
#include <unordered_map>

#include "mem/analyse/fit/resized_type.h"

namespace ttscope::mem {
namespace {

/// Below, reshaping is not worth the trouble.
constexpr std::int64_t kPaddingFactor = 4;
constexpr std::int64_t kShortestSequence = 64;

bool is_float(std::string_view dtype) {
  return dtype == "bf16" || dtype == "f16" || dtype == "f32" || dtype.starts_with("bfp_");
}

bool is_weight(const Buffer& buffer) {
  return buffer.kind == TensorKind::kWeight || buffer.kind == TensorKind::kConstEval;
}

bool depends_on_data(const Buffer& buffer) {
  return buffer.kind == TensorKind::kActivation || buffer.kind == TensorKind::kInput;
}

/// What a step takes off the buffers of one type is the same for all of them.
class FixCollector {
 public:
  explicit FixCollector(const FixScene& scene) : scene_(scene) {}

  template <typename IsMeant, typename SizeOf>
  void resize(IsMeant is_meant, SizeOf size_of) {
    std::unordered_map<std::uint32_t, std::int64_t> sizes;
    for (std::uint32_t b = 0; b < scene_.rank.buffers.size(); ++b) {
      const Buffer& buffer = scene_.rank.buffers[b];
      if (buffer.memory != index_of(scene_.memory) || !is_meant(buffer)) continue;
      const auto [known, is_new] = sizes.try_emplace(buffer.type, 0);
      if (is_new) known->second = size_of(type_of(scene_.trace, scene_.rank, buffer), buffer);
      add(b, buffer.born, buffer.died, buffer.bytes_per_bank - known->second);
    }
  }

  void add(std::uint32_t buffer, Moment from, Moment until, std::int64_t bytes) {
    if (bytes <= 0 || from >= until) return;
    out_.smaller.push_back({from, until, bytes});
    out_.buffers.push_back(buffer);
  }

  FixChanges take() { return std::move(out_); }
  FixChanges& changes() { return out_; }

 private:
  const FixScene& scene_;
  FixChanges out_;
};

FixChanges in_block_format(const FixScene& scene, std::string_view dtype) {
  FixCollector collector(scene);
  collector.resize(is_weight, [&](const TensorType& type, const Buffer&) {
    return bytes_per_bank(mem::in_block_format(type, dtype), scene.rank.device);
  });
  return collector.take();
}

std::int64_t banks_of(const FixScene& scene) {
  return std::max<std::int64_t>(scene.rank.device.banks[index_of(scene.memory)], 1);
}

/// The same data in as few whole pages as hold them.
FixChanges without_padding(const FixScene& scene) {
  FixCollector collector(scene);
  const std::int64_t banks = banks_of(scene);
  const auto always = [](const Buffer&) { return true; };
  collector.resize(always, [&](const TensorType& type, const Buffer& buffer) {
    const bool costs = type.logical_bytes > 0 && type.page_bytes > 0 && type.is_tiled() &&
                       type.padded_bytes / kPaddingFactor >= type.logical_bytes;
    if (!costs) return buffer.bytes_per_bank;
    const std::int64_t pages = (type.logical_bytes + type.page_bytes - 1) / type.page_bytes;
    return saturating_multiply((pages + banks - 1) / banks, type.page_bytes);
  });
  return collector.take();
}

FixChanges with_shared_pages(const FixScene& scene) {
  FixCollector collector(scene);
  const auto always = [](const Buffer&) { return true; };
  collector.resize(always, [&](const TensorType& type, const Buffer& buffer) {
    return buffer.bytes_per_bank - lockstep_waste(type, buffer, scene.rank.device);
  });
  return collector.take();
}

/// A weight is not needed any more once its last copy is made and nothing else has used it since.
FixChanges without_originals(const FixScene& scene) {
  std::unordered_map<std::uint32_t, Moment> free_from;
  for (const DuplicatedWeight& pair : scene.rank.copied_weights) {
    const Buffer& weight = scene.rank.buffers[pair.weight];
    if (weight.memory != index_of(scene.memory)) continue;
    Moment& from = free_from.try_emplace(pair.weight, 0).first->second;
    from = std::max({from, scene.rank.buffers[pair.copy].born, weight.last_used});
  }
  FixCollector collector(scene);
  for (const DuplicatedWeight& pair : scene.rank.copied_weights) {
    const auto found = free_from.find(pair.weight);
    if (found == free_from.end()) continue;
    const Buffer& weight = scene.rank.buffers[pair.weight];
    collector.add(pair.weight, found->second + 1, weight.died, weight.bytes_per_bank);
    free_from.erase(found);
  }
  return collector.take();
}

/// Until its deallocate, which would be the op after the last that uses it.
FixChanges freed_after_last_use(const FixScene& scene) {
  FixCollector collector(scene);
  for (std::uint32_t b = 0; b < scene.rank.buffers.size(); ++b) {
    const Buffer& buffer = scene.rank.buffers[b];
    const bool meant = buffer.memory == index_of(scene.memory) && buffer.kind == TensorKind::kActivation &&
                       buffer.instance < scene.ops.programs.size() && buffer.died != kForever;
    if (!meant) continue;
    const ProgramInstance& program = scene.ops.programs[buffer.instance];
    const bool in_program = program.end_op > 0 && buffer.died <= after_op(program.end_op - 1);
    const Moment last_use = std::max(buffer.last_used, buffer.born);
    constexpr Moment kOneOp = 2;
    if (in_program) collector.add(b, last_use + kOneOp, buffer.died, buffer.bytes_per_bank);
  }
  return collector.take();
}

FixChanges inputs_on_host(const FixScene& scene) {
  FixCollector collector(scene);
  for (std::uint32_t b = 0; b < scene.rank.buffers.size(); ++b) {
    const Buffer& buffer = scene.rank.buffers[b];
    if (buffer.memory != index_of(scene.memory) || buffer.kind != TensorKind::kInput) continue;
    if (buffer.first_used == kForever) {
      collector.add(b, buffer.born, buffer.died, buffer.bytes_per_bank);
      continue;
    }
    const Moment arrives = buffer.first_used == 0 ? 0 : buffer.first_used - 1;  // before the op that uses it
    collector.add(b, buffer.born, std::min(arrives, buffer.died), buffer.bytes_per_bank);
    collector.add(b, std::max(buffer.last_used, buffer.born) + 1, buffer.died, buffer.bytes_per_bank);
  }
  return collector.take();
}

/// Shape of the largest input of the device, where it tells a batch or a sequence.
const TensorType* largest_input(const FixScene& scene, bool of_tokens) {
  const TensorType* largest = nullptr;
  for (const Buffer& buffer : scene.rank.buffers) {
    if (buffer.kind != TensorKind::kInput) continue;
    const TensorType& type = type_of(scene.trace, scene.rank, buffer);
    if (of_tokens ? type.shape.size() != 2 || is_float(type.dtype) : type.shape.size() < 2) continue;
    if (largest == nullptr || type.logical_bytes > largest->logical_bytes) largest = &type;
  }
  return largest;
}

std::int64_t half(std::int64_t dim) { return dim - dim / 2; }

std::int64_t with_shape(const FixScene& scene, const TensorType& type,
                        const std::vector<std::int64_t>& shape) {
  return bytes_per_bank(with_local_shape(type, shape), scene.rank.device);
}

FixChanges half_the_batch(const FixScene& scene) {
  const TensorType* input = largest_input(scene, false);
  const std::int64_t batch = input == nullptr ? 0 : input->shape[0];
  FixCollector collector(scene);
  if (batch < 2) return collector.take();
  collector.resize(depends_on_data, [&](const TensorType& type, const Buffer& buffer) {
    if (type.is_sharded() || type.shape.size() < 2 || type.shape[0] % batch != 0 || type.shape[0] == 0)
      return buffer.bytes_per_bank;
    std::vector<std::int64_t> shape = type.shape;
    shape[0] = shape[0] / batch * half(batch);
    return with_shape(scene, type, shape);
  });
  collector.changes().halved = batch;
  return collector.take();
}

FixChanges half_the_sequence(const FixScene& scene) {
  const TensorType* tokens = largest_input(scene, true);
  FixCollector collector(scene);
  if (tokens == nullptr || tokens->shape[1] < kShortestSequence) return collector.take();
  const std::int64_t length = tokens->shape[1];
  const std::int64_t rows = saturating_multiply(tokens->shape[0], length);
  collector.resize(depends_on_data, [&](const TensorType& type, const Buffer& buffer) {
    if (type.is_sharded()) return buffer.bytes_per_bank;
    std::vector<std::int64_t> shape = type.shape;
    for (std::int64_t& dim : shape) {
      if (dim == length || dim == rows) dim = half(dim);
    }
    return shape == type.shape ? buffer.bytes_per_bank : with_shape(scene, type, shape);
  });
  collector.changes().halved = length;
  return collector.take();
}

FixChanges on_more_devices(const FixScene& scene) {
  FixCollector collector(scene);
  collector.resize(is_weight,
                   [](const TensorType&, const Buffer& buffer) { return half(buffer.bytes_per_bank); });
  return collector.take();
}

}  // namespace

FixChanges changes_of(const FixScene& scene, FixKind kind) {
  switch (kind) {
    case FixKind::kFreeCopiedOriginals:
      return without_originals(scene);
    case FixKind::kBfp8Weights:
      return in_block_format(scene, "bfp_bf8");
    case FixKind::kBfp4Weights:
      return in_block_format(scene, "bfp_bf4");
    case FixKind::kLessPadding:
      return without_padding(scene);
    case FixKind::kSharedPages:
      return with_shared_pages(scene);
    case FixKind::kDeallocateEarlier:
      return freed_after_last_use(scene);
    case FixKind::kInputsOnHost:
      return inputs_on_host(scene);
    case FixKind::kSmallerBatch:
      return half_the_batch(scene);
    case FixKind::kShorterSequence:
      return half_the_sequence(scene);
    case FixKind::kMoreDevices:
      return on_more_devices(scene);
    case FixKind::kLargerRegion:
    case FixKind::kSmallerCircularBuffers:
      break;
  }
  return {};
}

}  // namespace ttscope::mem
