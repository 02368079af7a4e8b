#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace ttscope {

/// While it lives, remove_unfinished_files() (writer.h) deletes the file at `path`. It does not delete the
/// file itself.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_ = -1;  ///< -1: the table is full
};

/// Buffered byte sink of every output form. The first failed write is kept and reported by finish(); later
/// writes do nothing. Not thread safe.
class Writer {
 public:
  /// What reserve() can give at most.
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(std::string_view text) {
    if (text.empty()) return;
    if (text.size() > room_bytes()) flush();
    if (text.size() > kBufferBytes) {
      drain(text);
    } else {
      std::memcpy(next_, text.data(), text.size());
      next_ += text.size();
    }
  }
  void write(char c) {
    if (room_bytes() == 0) flush();
    *next_++ = c;
  }

  /// Room for `size_bytes` (at most kBufferBytes) to be filled in place, for writers of many small pieces;
  /// commit() takes the end of what was filled. No write in between.
  char* reserve(std::size_t size_bytes) {
    if (size_bytes > room_bytes()) flush();
    return next_;
  }
  void commit(char* end) { next_ = end; }

  /// Whether a write has failed: nobody will read what comes. For those who would go on for long.
  virtual bool has_failed() const { return false; }
  /// Writes what is buffered and makes the output final. Without it an atomic file is discarded.
  [[nodiscard]] virtual Result<void> finish() = 0;

 protected:
  Writer() : buffer_(new char[kBufferBytes]), next_(buffer_.get()) {}
  virtual void drain(std::string_view bytes) = 0;
  void flush() {
    if (next_ != buffer_.get()) drain({buffer_.get(), static_cast<std::size_t>(next_ - buffer_.get())});
    next_ = buffer_.get();
  }

 private:
  std::size_t room_bytes() const { return static_cast<std::size_t>(buffer_.get() + kBufferBytes - next_); }

  std::unique_ptr<char[]> buffer_;
  char* next_;
};

/// Collects into a string.
class StringWriter final : public Writer {
 public:
  [[nodiscard]] Result<void> finish() override {
    flush();
    return {};
  }
  /// Valid after finish().
  const std::string& text() const { return text_; }

 private:
  void drain(std::string_view bytes) override { text_ += bytes; }
  std::string text_;
};

/// A writer for a path: `-` is standard output; a regular (or new) file is replaced atomically by finish()
/// (temporary file in the same folder, fsync, rename; mode kept or 0666 & ~umask; symbolic links are
/// followed, but for one in a folder that everybody can write to); devices, pipes and open descriptors
/// (/dev/null, a FIFO, /dev/stdout, /dev/fd/3) are written directly. A closed pipe is an error of finish()
/// only if the program ignores SIGPIPE.
Result<std::unique_ptr<Writer>> open_writer(const std::string& path);

/// Opens a path, lets `write` fill it and finishes it. Where `write` returns an error, there is no file.
template <typename Write>
Result<void> write_file(const std::string& path, Write write) {
  Result<std::unique_ptr<Writer>> writer = open_writer(path);
  if (!writer) return tl::unexpected(writer.error());
  if constexpr (std::is_void_v<decltype(write(**writer))>) {
    write(**writer);
  } else {
    if (Result<void> written = write(**writer); !written) return written;
  }
  return (*writer)->finish();
}

/// Deletes the temporary files of writers that are not finished. For the handler of a signal that ends the
/// program: async-signal-safe; the writers are unusable afterwards.
void remove_unfinished_files() noexcept;

/// What may act on a terminal without being text.
enum class TerminalCodes {
  kNone,
  kColors,  ///< sequences that choose colors and weights, as our own reports have
};

/// Lines made fit for a terminal, whatever they hold: control characters become visible escapes as those of
/// terminal_safe(), but for line feeds, tabs and carriage returns that stand before a line feed.
std::string visible_lines(std::string_view text, TerminalCodes kept);

/// Passes lines on to another writer as visible_lines() makes them. For outputs in files' forms that go to a
/// terminal.
class VisibleWriter final : public Writer {
 public:
  explicit VisibleWriter(std::unique_ptr<Writer> to, TerminalCodes kept = TerminalCodes::kNone)
      : to_(std::move(to)), kept_(kept) {}
  bool has_failed() const override { return to_->has_failed(); }
  [[nodiscard]] Result<void> finish() override;

 private:
  void drain(std::string_view bytes) override;

  std::unique_ptr<Writer> to_;
  TerminalCodes kept_;
  std::string cut_;  ///< the first bytes of a character, a line end or a code whose rest is still to come
};

}  // namespace ttscope
