#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace ttscope::chip {

/// Memory of gigabytes of which little is used: pages come into being when they are written.
class SparseMemory {
 public:
  explicit SparseMemory(std::uint64_t size_bytes) : size_bytes_(size_bytes) {}

  std::uint64_t size_bytes() const { return size_bytes_; }
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address <= size_bytes_ && bytes <= size_bytes_ - address;
  }
  void read(std::uint64_t address, void* to, std::uint32_t bytes) const {
    for_pages(address, bytes,
              [&](std::uint64_t page, std::uint32_t offset, std::uint32_t done, std::uint32_t size) {
                const auto found = pages_.find(page);
                char* out = static_cast<char*>(to) + done;
                if (found == pages_.end()) {
                  std::memset(out, 0, size);
                } else {
                  std::memcpy(out, found->second.get() + offset, size);
                }
              });
  }
  void write(std::uint64_t address, const void* from, std::uint32_t bytes) {
    for_pages(address, bytes,
              [&](std::uint64_t page, std::uint32_t offset, std::uint32_t done, std::uint32_t size) {
                std::unique_ptr<char[]>& memory = pages_[page];
                if (!memory) memory = std::make_unique<char[]>(kPageBytes);
                std::memcpy(memory.get() + offset, static_cast<const char*>(from) + done, size);
              });
  }

 private:
  static constexpr std::uint32_t kPageBytes = 1 << 16;

  template <typename Visit>
  static void for_pages(std::uint64_t address, std::uint32_t bytes, Visit visit) {
    for (std::uint32_t done = 0; done < bytes;) {
      const std::uint64_t at = address + done;
      const std::uint32_t offset = static_cast<std::uint32_t>(at % kPageBytes);
      const std::uint32_t size = bytes - done < kPageBytes - offset ? bytes - done : kPageBytes - offset;
      visit(at / kPageBytes, offset, done, size);
      done += size;
    }
  }

  std::uint64_t size_bytes_;
  std::unordered_map<std::uint64_t, std::unique_ptr<char[]>> pages_;
};

}  // namespace ttscope::chip
