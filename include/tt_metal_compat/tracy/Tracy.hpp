#pragma once
// Zones of the host: the names compile and record nothing yet.

#define ZoneScoped static_assert(true)
#define ZoneScopedN(name) static_cast<void>(sizeof(name))
#define ZoneScopedC(color) static_cast<void>(sizeof(color))
#define ZoneScopedNC(name, color) static_cast<void>(sizeof(name) + sizeof(color))
#define ZoneText(text, size) static_cast<void>(sizeof(text) + sizeof(size))
#define ZoneName(text, size) static_cast<void>(sizeof(text) + sizeof(size))
#define ZoneColor(color) static_cast<void>(sizeof(color))
#define ZoneValue(value) static_cast<void>(sizeof(value))
#define TracyMessage(text, size) static_cast<void>(sizeof(text) + sizeof(size))
#define TracyMessageL(text) static_cast<void>(sizeof(text))
#define FrameMark static_assert(true)
#define FrameMarkNamed(name) static_cast<void>(sizeof(name))
