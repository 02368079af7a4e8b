// The marks of Tracy's client for programs that have none: zones, messages, frames, values, allocations. They are recorded by
// libttscope_record while TTSCOPE_RECORD names a folder (docs/instrument.md).
//
// Without TRACY_ENABLE they are empty, as Tracy's are. With TTSCOPE_USE_TRACY_CLIENT this is Tracy's own header, the next of its
// name on the include path, and everything goes to its client.
#pragma once

#if defined(TTSCOPE_USE_TRACY_CLIENT)

#if !__has_include_next(<tracy/Tracy.hpp>)
#error "TTSCOPE_USE_TRACY_CLIENT asks for Tracy's own <tracy/Tracy.hpp>, which is not on the include path behind this one"
#endif
#include_next <tracy/Tracy.hpp>

#elif defined(TRACY_ENABLE)

#include <ttscope/scoped_zone.h>

#include <cstdint>
#include <cstring>

// The variables of zones are not const: g++ 12 would keep them in memory and look there again at the end of the scope.
#define TTSCOPE_JOINED_(a, b) a##b
#define TTSCOPE_JOINED(a, b) TTSCOPE_JOINED_(a, b)
#define TTSCOPE_SITE TTSCOPE_JOINED(ttscope_site_, __LINE__)
#define TTSCOPE_ZONE(variable, name, color, active)                                                                   \
  static ::ttscope_record_site TTSCOPE_SITE{{name, TracyFunction, TracyFile, static_cast<std::uint32_t>(TracyLine), color}, 0}; \
  ::ttscope::record::ScopedZone variable(TTSCOPE_SITE, active)
#define TTSCOPE_TRANSIENT(variable, name, color, active)                                                              \
  ::ttscope::record::ScopedZone variable(                                                                       \
      ::ttscope_record_place{name, TracyFunction, TracyFile, static_cast<std::uint32_t>(TracyLine), color}, active)

#define TracyNoop static_cast<void>(0)
#define ZoneNamed(variable, active) TTSCOPE_ZONE(variable, nullptr, 0, active)
#define ZoneNamedN(variable, name, active) TTSCOPE_ZONE(variable, name, 0, active)
#define ZoneNamedC(variable, color, active) TTSCOPE_ZONE(variable, nullptr, color, active)
#define ZoneNamedNC(variable, name, color, active) TTSCOPE_ZONE(variable, name, color, active)
#define ZoneTransient(variable, active) TTSCOPE_TRANSIENT(variable, nullptr, 0, active)
#define ZoneTransientN(variable, name, active) TTSCOPE_TRANSIENT(variable, name, 0, active)
#define ZoneTransientNC(variable, name, color, active) TTSCOPE_TRANSIENT(variable, name, color, active)

#define ZoneScoped TTSCOPE_QUIETLY(ZoneNamed(ttscope_scoped_zone, true))
#define ZoneScopedN(name) TTSCOPE_QUIETLY(ZoneNamedN(ttscope_scoped_zone, name, true))
#define ZoneScopedC(color) TTSCOPE_QUIETLY(ZoneNamedC(ttscope_scoped_zone, color, true))
#define ZoneScopedNC(name, color) TTSCOPE_QUIETLY(ZoneNamedNC(ttscope_scoped_zone, name, color, true))
// Zones of inner blocks have the same name as those around them.
#define TTSCOPE_QUIETLY(declaration)                                                           \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") declaration; \
  _Pragma("GCC diagnostic pop") static_assert(true)

#define ZoneText(words, size) ttscope_scoped_zone.text(words, size)
#define ZoneTextV(variable, words, size) variable.text(words, size)
#define ZoneTextF(...) ttscope_scoped_zone.text_by_format(__VA_ARGS__)
#define ZoneTextVF(variable, ...) variable.text_by_format(__VA_ARGS__)
#define ZoneName(words, size) ttscope_scoped_zone.name(words, size)
#define ZoneNameV(variable, words, size) variable.name(words, size)
#define ZoneNameF(...) ttscope_scoped_zone.name_by_format(__VA_ARGS__)
#define ZoneNameVF(variable, ...) variable.name_by_format(__VA_ARGS__)
#define ZoneColor(rgb) ttscope_scoped_zone.color(rgb)
#define ZoneColorV(variable, rgb) variable.color(rgb)
#define ZoneValue(number) ttscope_scoped_zone.value(static_cast<std::uint64_t>(number))
#define ZoneValueV(variable, number) variable.value(static_cast<std::uint64_t>(number))
#define ZoneIsActive ttscope_scoped_zone.is_active()
#define ZoneIsActiveV(variable) variable.is_active()

#define FrameMark ::ttscope::record::frame(nullptr)
#define FrameMarkNamed(name) ::ttscope::record::frame(name)
#define FrameMarkStart(name) ::ttscope::record::frame_begin(name)
#define FrameMarkEnd(name) ::ttscope::record::frame_end(name)

#define TracyMessage(text, size) ::ttscope::record::message(text, size, 0)
#define TracyMessageL(text) ::ttscope::record::message(text, std::strlen(text), 0)
#define TracyMessageC(text, size, color) ::ttscope::record::message(text, size, color)
#define TracyMessageLC(text, color) ::ttscope::record::message(text, std::strlen(text), color)
#define TracyAppInfo(text, size) ::ttscope::record::message(text, size, 0)

#define TracyPlot(name, value) ::ttscope::record::plot(name, static_cast<double>(value))
#define TracyPlotConfig(name, type, step, fill, color) ::ttscope::record::plot_unit(name, type)

#define TracyAlloc(address, size) ::ttscope::record::alloc(address, size, nullptr)
#define TracyFree(address) ::ttscope::record::free(address, nullptr)
#define TracyAllocN(address, size, pool) ::ttscope::record::alloc(address, size, pool)
#define TracyFreeN(address, pool) ::ttscope::record::free(address, pool)

#define TracyIsConnected (::ttscope_record_active() != 0)
#define TracyIsStarted (::ttscope_record_active() != 0)

namespace tracy {
using ::ttscope::record::ScopedZone;
enum class PlotFormatType : std::uint8_t { Number, Memory, Percentage, Watt };
inline void SetThreadName(const char* name) { ::ttscope_record_thread_name(name); }
}  // namespace tracy

#else

#define TracyNoop
#define ZoneNamed(variable, active)
#define ZoneNamedN(variable, name, active)
#define ZoneNamedC(variable, color, active)
#define ZoneNamedNC(variable, name, color, active)
#define ZoneTransient(variable, active)
#define ZoneTransientN(variable, name, active)
#define ZoneTransientNC(variable, name, color, active)
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneText(text, size)
#define ZoneTextV(variable, text, size)
#define ZoneTextF(...)
#define ZoneTextVF(variable, ...)
#define ZoneName(text, size)
#define ZoneNameV(variable, text, size)
#define ZoneNameF(...)
#define ZoneNameVF(variable, ...)
#define ZoneColor(color)
#define ZoneColorV(variable, color)
#define ZoneValue(value)
#define ZoneValueV(variable, value)
#define ZoneIsActive false
#define ZoneIsActiveV(variable) false
#define FrameMark
#define FrameMarkNamed(name)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define TracyMessage(text, size)
#define TracyMessageL(text)
#define TracyMessageC(text, size, color)
#define TracyMessageLC(text, color)
#define TracyAppInfo(text, size)
#define TracyPlot(name, value)
#define TracyPlotConfig(name, type, step, fill, color)
#define TracyAlloc(address, size)
#define TracyFree(address)
#define TracyAllocN(address, size, pool)
#define TracyFreeN(address, pool)
#define TracyIsConnected false
#define TracyIsStarted false

namespace tracy {
inline void SetThreadName(const char* /*name*/) {}
}  // namespace tracy

#endif

#if !defined(TTSCOPE_USE_TRACY_CLIENT)
// What programs name their own places by.
#if !defined(TracyFunction)
#define TracyFunction __FUNCTION__
#endif
#if !defined(TracyFile)
#define TracyFile __FILE__
#endif
#if !defined(TracyLine)
#define TracyLine __LINE__
#endif
// What Tracy knows and recordings do not hold: call stacks, locks, pictures, fibers. The marks themselves are kept.
#define ZoneNamedS(variable, depth, active) ZoneNamed(variable, active)
#define ZoneNamedNS(variable, name, depth, active) ZoneNamedN(variable, name, active)
#define ZoneNamedCS(variable, color, depth, active) ZoneNamedC(variable, color, active)
#define ZoneNamedNCS(variable, name, color, depth, active) ZoneNamedNC(variable, name, color, active)
#define ZoneTransientS(variable, depth, active) ZoneTransient(variable, active)
#define ZoneTransientNS(variable, name, depth, active) ZoneTransientN(variable, name, active)
#define ZoneScopedS(depth) ZoneScoped
#define ZoneScopedNS(name, depth) ZoneScopedN(name)
#define ZoneScopedCS(color, depth) ZoneScopedC(color)
#define ZoneScopedNCS(name, color, depth) ZoneScopedNC(name, color)
#define TracyMessageS(text, size, depth) TracyMessage(text, size)
#define TracyMessageLS(text, depth) TracyMessageL(text)
#define TracyMessageCS(text, size, color, depth) TracyMessageC(text, size, color)
#define TracyMessageLCS(text, color, depth) TracyMessageLC(text, color)
#define TracyAllocS(address, size, depth) TracyAlloc(address, size)
#define TracyFreeS(address, depth) TracyFree(address)
#define TracyAllocNS(address, size, depth, pool) TracyAllocN(address, size, pool)
#define TracyFreeNS(address, depth, pool) TracyFreeN(address, pool)
#define TracySecureAlloc(address, size) TracyAlloc(address, size)
#define TracySecureFree(address) TracyFree(address)
#define TracySecureAllocN(address, size, pool) TracyAllocN(address, size, pool)
#define TracySecureFreeN(address, pool) TracyFreeN(address, pool)
#define TracySecureAllocS(address, size, depth) TracyAlloc(address, size)
#define TracySecureFreeS(address, depth) TracyFree(address)
#define TracySecureAllocNS(address, size, depth, pool) TracyAllocN(address, size, pool)
#define TracySecureFreeNS(address, depth, pool) TracyFreeN(address, pool)
#define TracyLockable(type, variable) type variable
#define TracyLockableN(type, variable, description) type variable
#define TracySharedLockable(type, variable) type variable
#define TracySharedLockableN(type, variable, description) type variable
#define LockableBase(type) type
#define SharedLockableBase(type) type
#define LockMark(variable) static_cast<void>(variable)
#define LockableName(variable, text, size)
#define FrameImage(image, width, height, offset, flip)
#define TracySetProgramName(name)
#define TracySourceCallbackRegister(callback, data)
#define TracyParameterRegister(callback, data)
#define TracyParameterSetup(index, name, type, value)
#define TracyFiberEnter(fiber)
#define TracyFiberEnterHint(fiber, group)
#define TracyFiberLeave
#endif
