#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ttscope {

/// Owns an open descriptor and closes it. For reading: a failed close is not reported.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

/// A regular file mapped read-only. The bytes stay valid until the object is destroyed. It has the size that
/// the file had when it was mapped: what is appended later is not seen, and a file that another program
/// shortens meanwhile ends the program with SIGBUS when the lost part is read.
class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  /// The same for a file that is open; the descriptor stays the caller's. `name` is what errors call it.
  static Result<std::shared_ptr<const MappedFile>> map(int descriptor, const std::string& name);
  MappedFile(const char* data, std::size_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_bytes_}; }

 private:
  const char* data_;
  std::size_t size_bytes_;
};

/// A folder that is filled and then renamed to its place; removed with all it holds when that does not
/// happen.
class TemporaryFolder {
 public:
  /// Makes an empty folder with a unique hidden name in `parent`, which must exist.
  static Result<TemporaryFolder> create(const std::string& parent, const std::string& name);
  /// Makes the folder `path`, of `mode` less the umask; nothing when it exists already.
  static std::optional<TemporaryFolder> make(const std::string& path, mode_t mode = 0777);
  /// Like create(), below an open folder in which others can rename what they like. Until share() nobody else
  /// can write into it. Its path leads through the descriptor, in this process and in its children, whatever
  /// has its name meanwhile.
  static Result<TemporaryFolder> create_held(int parent, const std::string& name);

  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        hidden_name_(std::move(other.hidden_name_)),
        parent_(std::move(other.parent_)),
        folder_(std::move(other.folder_)) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }
  /// Of a held one: how it is called in its parent, and its descriptor.
  const std::string& hidden_name() const { return hidden_name_; }
  int descriptor() const { return folder_.number(); }
  /// Gives a held one the mode that the umask leaves.
  void share() const;
  /// The folder has its final name: nothing is left to remove.
  void release();

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::string hidden_name_;
  FileDescriptor parent_;
  FileDescriptor folder_;
};

/// Whether somebody else can put another folder or file in the place of what is made in this open folder:
/// they can write into it or rename a folder above it.
bool is_open_to_others(int folder);

/// Deletes all that an open folder holds. No symbolic link is followed.
void empty_folder(int folder);

/// The folders down to a path, those that were missing being made. Its end removes those it made if they are
/// empty.
class CreatedFolders {
 public:
  static Result<CreatedFolders> make(const std::string& path);

  CreatedFolders(CreatedFolders&& other) noexcept : folders_(std::move(other.folders_)) {
    other.folders_.clear();
  }
  CreatedFolders& operator=(CreatedFolders&&) = delete;
  ~CreatedFolders();

 private:
  CreatedFolders() = default;

  std::vector<std::string> folders_;  ///< outermost first
};

/// Removes the temporary folders of the process and the empty ones it made; it cannot make new ones
/// afterwards. For the end by a signal.
void remove_temporary_folders();

/// While it lives, new files and folders of the whole process are for its user alone: 0600 and 0700.
class PrivateFiles {
 public:
  PrivateFiles() : before_(umask(S_IRWXG | S_IRWXO)) {}
  ~PrivateFiles() { umask(before_); }
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;

  /// For programs of the user that are started meanwhile.
  mode_t mask_before() const { return before_; }

 private:
  mode_t before_;
};

/// Refuses a file or folder to be written that is a symbolic link in a folder that everybody can write to, as
/// /tmp: anybody may have put it there, to make us write elsewhere.
Result<void> check_output_path(const std::string& path);

/// Whether everybody can put files beside this one.
bool is_in_folder_of_everybody(const std::string& path);

/// For processes that are not ours to end, such as Python: from now on, what a mapped file has lost because
/// another program shortened it reads as zeros, and lost_pages() grows. Without this call the process ends
/// with SIGBUS. Faults elsewhere stay as they were.
void survive_lost_pages();

/// How often a lost part was read; whoever reads compares the figures before and after.
std::uint64_t lost_pages();

/// A mapping that may lose pages, and its end; nothing happens before survive_lost_pages().
void watch_mapping(const void* data, std::size_t size_bytes);
void forget_mapping(const void* data);

}  // namespace ttscope
