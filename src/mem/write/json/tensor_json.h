#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/json_writer.h"
#include "mem/write/words/labels.h"

/// What the documents `ttscope.mem/1` and `ttscope.oom/1` both say of tensors.
namespace ttscope::mem {

/// `name`, `kind`, `shape`, `dtype`, `bytes_per_bank` of a buffer of a rank. No rows of the table of buffers:
/// the name is what a person calls it, and a shape is a list of numbers.
void write_tensor_members(JsonWriter& json, const ProfileView& view, std::uint32_t rank,
                          std::uint32_t buffer);
/// Line of the op that made it; null for arguments.
std::optional<std::uint32_t> producer_line(const ProfileView& view, std::uint32_t rank, std::uint32_t buffer);

/// `fixes`: rows of the declared table, with their words and the tensors that they are about.
void write_fix_list(JsonWriter& json, const ProfileView& view, const std::vector<Fix>& fixes);

/// `candidates`, `held_bytes_per_bank`, `holders`, `freed_late`, `grew` of a failure; null and empty without
/// a report.
void write_culprits(JsonWriter& json, const ProfileView& view, const FailureReport* report);

}  // namespace ttscope::mem
