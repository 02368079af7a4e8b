#include "io/input_buffer.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace ttscope::io {
namespace {

/// Waits for a descriptor that another program has made non-blocking.
void wait_until_readable(int descriptor) {
  struct pollfd waiting {
    descriptor, POLLIN, 0
  };
  ::poll(&waiting, 1, -1);
}

}  // namespace

InputBuffer::InputBuffer(FileDescriptor file, std::string name, std::size_t capacity_bytes)
    : file_(std::move(file)),
      name_(std::move(name)),
      capacity_bytes_(capacity_bytes),
      bytes_(new char[kGiveBackBytes + capacity_bytes]()) {}

InputBuffer::InputBuffer(std::string_view bytes, std::string name, std::size_t capacity_bytes)
    : InputBuffer(FileDescriptor(), std::move(name), capacity_bytes) {
  memory_ = bytes;
}

bool InputBuffer::read_more() {
  // The last bytes taken move along, so that they can be given back.
  const std::size_t start = begin_ - kGiveBackBytes;
  std::memmove(bytes_.get(), bytes_.get() + start, end_ - start);
  begin_ -= start;
  end_ -= start;
  const std::size_t size_bytes = read_into(bytes_.get() + end_, kGiveBackBytes + capacity_bytes_ - end_);
  end_ += size_bytes;
  return size_bytes > 0;
}

std::size_t InputBuffer::take_into(char* to, std::size_t room_bytes) {
  if (begin_ == end_) return read_into(to, room_bytes);
  const std::size_t size_bytes = std::min(room_bytes, end_ - begin_);
  std::memcpy(to, bytes_.get() + begin_, size_bytes);
  take(size_bytes);
  return size_bytes;
}

std::size_t InputBuffer::read_into(char* to, std::size_t room_bytes) {
  if (!file_.is_open()) {
    const std::size_t size_bytes = memory_.copy(to, room_bytes);
    memory_.remove_prefix(size_bytes);
    read_bytes_ += size_bytes;
    return size_bytes;
  }
  while (!error_) {
    const ssize_t size_bytes = ::read(file_.number(), to, room_bytes);
    if (size_bytes >= 0) {
      read_bytes_ += static_cast<std::uint64_t>(size_bytes);
      return static_cast<std::size_t>(size_bytes);
    }
    if (errno == EAGAIN) {
      wait_until_readable(file_.number());
    } else if (errno != EINTR) {
      error_ = bad_input(name_ + ": cannot read: " + std::generic_category().message(errno));
    }
  }
  return 0;
}

}  // namespace ttscope::io
