#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// How names of the log stand in sentences: as they are, or marked so that markdown can quote them.
enum class Names : std::uint8_t { kPlain, kMarked };

/// A trace and what was found in it; both outlive the view.
struct ProfileView {
  const RuntimeLog& log;
  const MemoryProfile& profile;
  Names names = Names::kPlain;

  const RankLog& rank_log(std::uint32_t rank) const { return log.ranks[rank]; }
  const RankProfile& rank_profile(std::uint32_t rank) const { return profile.ranks[rank]; }
};

/// What a person needs to find an op. The texts are the log's own: escape them for where they are shown.
struct OpPlace {
  std::string name;     ///< `ttnn.matmul`, or `MatmulOp` when only its memory lines are there
  std::string loc;      ///< empty when unknown; the callee of a load_cached without a location
  std::string program;  ///< `main, run 2 of 3`; empty outside programs
  std::uint32_t line = 0;
};

OpPlace place_of(const ProfileView& view, std::uint32_t rank, std::uint32_t op);

/// A name of the log as it stands in a sentence.
std::string in_sentence(Names names, std::string_view name);

/// Name of a graph; those that share their name are numbered: `main#2`.
std::string graph_label(const ProfileView& view, std::uint32_t graph);
/// Graph and run of a program instance: `main, run 2 of 3`.
std::string instance_label(const ProfileView& view, std::uint32_t rank, std::uint32_t instance);
/// Model name of a tensor that is a program argument, else its SSA name with its program: `main:%12`.
std::string buffer_label(const ProfileView& view, std::uint32_t rank, const Buffer& buffer);
/// `rank 1`, with the label of its lines where that says something else: `rank 1 (pod/w-0/c)`.
std::string rank_label(const RankLog& rank);
/// `1x197x768 bf16`, `scalar f32`.
std::string tensor_text(const TensorType& type);
std::string tensor_text(const std::vector<std::int64_t>& shape, std::string_view dtype);

}  // namespace ttscope::mem
