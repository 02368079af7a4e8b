#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "io/open_input.h"

namespace ttscope::io {

/// All bytes of an input at once, for readers that go over them in parts or more than once.
struct WholeText {
  std::shared_ptr<const MappedFile> file;
  std::size_t start = 0;  ///< of the text: behind a byte order mark
  bool unpacked = false;
  std::string warning;  ///< what is wrong although text could be read (cut or damaged compressed data)

  std::string_view bytes() const {
    return file == nullptr ? std::string_view{} : file->bytes().substr(start);
  }
};

/// A plain file is mapped. Anything else (compressed, UTF-16, a pipe, `-`) is unpacked into a temporary file
/// without a name, so that it takes no memory and nothing is left behind.
Result<WholeText> open_whole_text(const std::string& path);

/// What is unpacked of an input, in such a temporary file: for readers that map it in their own way.
struct UnpackedFile {
  FileDescriptor file;
  std::string warning;  ///< as that of WholeText
};
Result<UnpackedFile> unpack_to_file(OpenInput input);

/// The bytes of a stream as they are, in such a temporary file: for an input that is read more than once.
Result<FileDescriptor> keep_stream(const std::string& path);

}  // namespace ttscope::io
