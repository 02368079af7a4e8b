#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ttscope::record {

/// Where zones stand, or, with a name alone, what frames, curves and pools are called.
struct PlaceText {
  std::string_view name;
  std::string_view function{};
  std::string_view file{};
  std::uint32_t line = 0;
  std::uint32_t color = 0;
};

/// A place that has a number in this process. It is kept for good.
struct KnownPlace {
  PlaceText text;  ///< of its own
  std::uint64_t hash = 0;
  std::uint32_t number = 0;
  std::atomic<std::uint32_t> written_in{0};  ///< the recording whose file holds it
  KnownPlace* next = nullptr;
};

/// The place of this text, a new one where there is none: without locks. The one of kFurtherPlaces where
/// there are too many.
KnownPlace& known_place(const PlaceText& text);

}  // namespace ttscope::record
