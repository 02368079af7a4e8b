#pragma once

#include <cstdint>

namespace ttscope::record {

class Recording;
struct ThreadBuffer;

/// What all threads share: whether and where this process records.

/// The number of the recording that goes on; 0: none.
std::uint32_t current_generation();

/// Times are those of the CPU's counter. A variable, since marks are made often; set before the first of
/// them.
extern bool uses_counter;

/// The recording that goes on, made where this is its first mark, and held for the thread; null: none.
Recording* held_recording();
/// The thread is to be detached when it ends.
void note_attached(ThreadBuffer& buffer);

}  // namespace ttscope::record
