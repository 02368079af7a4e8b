#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ttscope::perf {

/// What an op mainly does, as stacked reports group it.
enum class OpCategory : std::uint8_t {
  kCompute,
  kCcl,  ///< collectives: data go from device to device
  kTm,   ///< tensor manipulation: shape, layout and type change
  kDm,   ///< data movement between memories and cores
  kHost,
  kOther,
};
inline constexpr std::size_t kOpCategoryCount = 6;
inline constexpr std::array<std::string_view, kOpCategoryCount> kOpCategoryNames = {
    "Compute", "CCL", "TM", "DM", "Host", "Other"};
inline std::string_view name_of(OpCategory category) {
  return kOpCategoryNames[static_cast<std::size_t>(category)];
}

/// What a category follows from.
enum class CategoryBasis : std::uint8_t {
  kName,             ///< a list knows the name, or a word in it
  kLinks,            ///< attributes that only collectives have
  kOtherForm,        ///< one tensor in and as much out in another shape, layout or type
  kOtherPlace,       ///< the same in another memory
  kNoInputOrOutput,  ///< it only fills or reads
  kNoCompute,        ///< its compute processors did nothing
  kCompute,          ///< they worked
  kTensors,          ///< several tensors become another, and no times of processors are recorded
  kNothing,
};
inline constexpr std::size_t kCategoryBasisCount = 9;
/// `other_form`, for other programs.
std::string_view key_of(CategoryBasis basis);

/// The category of an op by the first word of its name. Known names as in tt-perf-report; collectives are a
/// category of their own; other names by the words in them. kOther: not known.
OpCategory category_of(std::string_view op_name);
/// Whether the op exchanges data with other devices: collectives, also those that are fused with another op.
/// By its name, or by attributes that only such ops have: links, a topology, a ring, an axis of the mesh.
bool meets_other_devices(std::string_view op_name, std::string_view attributes);
/// By the names that tt-perf-report 1.2.4 knows, without collectives.
OpCategory compat_category_of(std::string_view op_name);

}  // namespace ttscope::perf
