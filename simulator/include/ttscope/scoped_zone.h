#pragma once
// What the macros of <tracy/Tracy.hpp> stand for. Everything looks first whether marks are recorded: nothing
// is called when not.

#include <ttscope/record.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace ttscope::record {

/// A zone from here to the end of the scope.
class [[nodiscard]] ScopedZone {
 public:
  __attribute__((always_inline)) explicit ScopedZone(ttscope_record_site& site, bool is_wanted = true)
      : state_(is_recorded(is_wanted) ? kBegun + ttscope_record_zone_begin(&site) : 0) {}
  explicit ScopedZone(const ttscope_record_place& place, bool is_wanted = true)
      : state_(is_recorded(is_wanted) ? kBegun + ttscope_record_zone_begin_at(&place) : 0) {}
  __attribute__((always_inline)) ~ScopedZone() {
    if (__builtin_expect(static_cast<long>(state_ != 0), 0) != 0) ttscope_record_zone_end();
  }
  ScopedZone(const ScopedZone&) = delete;
  ScopedZone& operator=(const ScopedZone&) = delete;

  bool is_active() const { return state_ > kBegun; }
  void text(const char* words, std::size_t size) const {
    if (is_active()) ttscope_record_zone_text(zone(), words, size);
  }
  void name(const char* words, std::size_t size) const {
    if (is_active()) ttscope_record_zone_name(zone(), words, size);
  }
  void color(std::uint32_t rgb) const {
    if (is_active()) ttscope_record_zone_color(zone(), rgb);
  }
  void value(std::uint64_t number) const {
    if (is_active()) ttscope_record_zone_value(zone(), number);
  }
  __attribute__((format(printf, 2, 3))) void text_by_format(const char* format, ...) const {
    if (!is_active()) return;
    std::va_list arguments;
    va_start(arguments, format);
    const Formatted formatted(format, arguments);
    va_end(arguments);
    text(formatted.text, formatted.size);
  }
  __attribute__((format(printf, 2, 3))) void name_by_format(const char* format, ...) const {
    if (!is_active()) return;
    std::va_list arguments;
    va_start(arguments, format);
    const Formatted formatted(format, arguments);
    va_end(arguments);
    name(formatted.text, formatted.size);
  }

 private:
  static constexpr std::uint64_t kBegun = std::uint64_t{1} << 32;

  static bool is_recorded(bool is_wanted) {
    return __builtin_expect(static_cast<long>(is_wanted && ttscope_record_active() != 0), 0) != 0;
  }
  std::uint32_t zone() const { return static_cast<std::uint32_t>(state_); }

  struct Formatted {
    __attribute__((format(printf, 2, 0))) Formatted(const char* format, std::va_list arguments) {
      const int wished = std::vsnprintf(text, sizeof(text), format, arguments);
      size = wished <= 0                                       ? 0
             : static_cast<std::size_t>(wished) < sizeof(text) ? static_cast<std::size_t>(wished)
                                                               : sizeof(text) - 1;
    }
    char text[1024];
    std::size_t size = 0;
  };

  std::uint64_t
      state_;  ///< 0: not begun; kBegun and the number of the zone, which is 0 where there was no room
};

inline void message(const char* text, std::size_t size, std::uint32_t color) {
  if (ttscope_record_active() != 0) ttscope_record_message(text, size, color);
}
inline void frame(const char* name) {
  if (ttscope_record_active() != 0) ttscope_record_frame(name);
}
inline void frame_begin(const char* name) {
  if (ttscope_record_active() != 0) ttscope_record_frame_begin(name);
}
inline void frame_end(const char* name) {
  if (ttscope_record_active() != 0) ttscope_record_frame_end(name);
}
inline void plot(const char* name, double value) {
  if (ttscope_record_active() != 0) ttscope_record_plot(name, value);
}
/// Takes the kinds of Tracy's plots: those that recordings do not know are numbers.
template <typename Kind>
void plot_unit(const char* name, Kind kind) {
  const int number = static_cast<int>(kind);
  const bool is_known = number == TTSCOPE_RECORD_BYTES || number == TTSCOPE_RECORD_PERCENT;
  if (ttscope_record_active() != 0) {
    ttscope_record_plot_unit(name,
                             is_known ? static_cast<ttscope_record_unit>(number) : TTSCOPE_RECORD_NUMBER);
  }
}
inline void alloc(const void* address, std::size_t bytes, const char* pool) {
  if (ttscope_record_active() != 0)
    ttscope_record_alloc(reinterpret_cast<std::uintptr_t>(address), bytes, pool);
}
inline void free(const void* address, const char* pool) {
  if (ttscope_record_active() != 0) ttscope_record_free(reinterpret_cast<std::uintptr_t>(address), pool);
}

}  // namespace ttscope::record
