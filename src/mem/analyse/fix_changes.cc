#include "mem/analyse/fix_changes.h"

#include <algorithm>
#include <unordered_map>

#include "mem/analyse/embedding_tables.h"
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

bool is_kv_cache(const FixScene& scene, const Buffer& buffer) {
  return buffer.argument < scene.profile.arguments.size() &&
         scene.profile.arguments[buffer.argument].kv_cache;
}

/// What a step takes off the buffers of one type is the same for all of them.
class FixCollector {
 public:
  explicit FixCollector(const FixScene& scene) : scene_(scene) {}

  /// What a failed allocation asked for is resized like the buffers that are there.
  template <typename IsMeant, typename SizeOf>
  void resize(IsMeant is_meant, SizeOf size_of) {
    std::unordered_map<std::uint64_t, std::int64_t> sizes;
    for (std::uint32_t b = 0; b < scene_.rank.buffers.size(); ++b) {
      const Buffer& buffer = scene_.rank.buffers[b];
      if (buffer.memory != index_of(scene_.memory) || !is_meant(buffer)) continue;
      const auto [known, is_new] =
          sizes.try_emplace(std::uint64_t{buffer.type} << 1 | is_kv_cache(scene_, buffer), 0);
      if (is_new) known->second = size_of(type_of(scene_.trace, scene_.rank, buffer), buffer);
      add(b, buffer.born, buffer.died, buffer.bytes_per_bank - known->second);
    }
    if (scene_.asked.type == kNone || !is_meant(scene_.asked)) return;
    const std::int64_t size = size_of(type_of(scene_.trace, scene_.rank, scene_.asked), scene_.asked);
    out_.asked_less_bytes_per_bank = std::max<std::int64_t>(scene_.asked.bytes_per_bank - size, 0);
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

/// What a buffer takes as another type; as it is where that changes nothing.
std::int64_t size_as(const FixScene& scene, const TensorType& now, const TensorType& changed,
                     const Buffer& buffer) {
  const bool same = changed.padded_bytes == now.padded_bytes && changed.page_bytes == now.page_bytes;
  return same ? buffer.bytes_per_bank : bytes_per_bank(changed, scene.rank.device);
}

std::int64_t cores_of(const FixScene& scene) { return scene.rank.device.banks[index_of(Memory::kL1)]; }

FixChanges in_block_format(const FixScene& scene, std::string_view dtype) {
  FixCollector collector(scene);
  const EmbeddingTables tables(scene.trace, scene.profile, scene.rank_index);
  const auto is_meant = [&](const Buffer& buffer) { return is_weight(buffer) && !tables.has(buffer); };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    return size_as(scene, type, mem::in_block_format(type, dtype), buffer);
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

std::int64_t half(std::int64_t dim) { return dim - dim / 2; }

/// Integers of two dimensions: the tokens of a sequence that can be shorter, unlike the patches of an image.
bool has_tokens(const FixScene& scene, std::int64_t sequence) {
  const auto& buffers = scene.rank.buffers;
  return std::any_of(buffers.begin(), buffers.end(), [&](const Buffer& buffer) {
    if (buffer.kind != TensorKind::kInput) return false;
    const TensorType& type = type_of(scene.trace, scene.rank, buffer);
    return type.shape.size() == 2 && type.shape[1] == sequence && !is_float(type.dtype);
  });
}

DataDimensions dimensions_of(const FixScene& scene) {
  DataDimensions dimensions = find_dimensions(scene.trace, scene.profile, scene.rank_index);
  note_collisions(scene.profile, dimensions);
  return dimensions;
}

FixChanges half_the_batch(const FixScene& scene) {
  const DataDimensions now = dimensions_of(scene);
  FixCollector collector(scene);
  if (now.batch < 2) return collector.take();
  const auto is_meant = [&](const Buffer& buffer) {
    return depends_on_data(buffer) || is_kv_cache(scene, buffer);
  };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    return size_as(scene, type, with_batch(type, now, half(now.batch), cores_of(scene)), buffer);
  });
  collector.changes().halved = now.batch;
  return collector.take();
}

FixChanges half_the_sequence(const FixScene& scene) {
  const DataDimensions now = dimensions_of(scene);
  FixCollector collector(scene);
  if (now.sequence < kShortestSequence || !has_tokens(scene, now.sequence)) return collector.take();
  const auto is_meant = [&](const Buffer& buffer) {
    return depends_on_data(buffer) && !is_kv_cache(scene, buffer);
  };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    return size_as(scene, type, with_sequence(type, now, half(now.sequence), cores_of(scene)), buffer);
  });
  collector.changes().halved = now.sequence;
  return collector.take();
}

/// As `ttscope fit --tp 2` splits them.
FixChanges on_more_devices(const FixScene& scene) {
  constexpr std::int64_t kWays = 2;
  FixCollector collector(scene);
  const auto is_meant = [&](const Buffer& buffer) { return is_weight(buffer) || is_kv_cache(scene, buffer); };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    TensorType split = is_weight(buffer) ? split_matrix(type, kWays) : type;
    if (is_kv_cache(scene, buffer)) split = split_heads(split, kWays);
    return size_as(scene, type, split, buffer);
  });
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
    case FixKind::kHoldLess:
    case FixKind::kSmallerTensor:
    case FixKind::kSmallerProgram:
    case FixKind::kLessOnHost:
      break;
  }
  return {};
}

}  // namespace ttscope::mem
