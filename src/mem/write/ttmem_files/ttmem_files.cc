#include "mem/write/ttmem_files/ttmem_files.h"

#include <array>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "base/output_path.h"
#include "base/temporary_folder.h"
#include "base/writer.h"
#include "mem/write/ttmem_files/files.h"

namespace ttscope::mem {
namespace {

struct FileForm {
  std::string_view suffix;
  void (*write)(const RuntimeTrace&, const MemoryProfile&, Writer&);
};

/// The two large files come first: each has a thread of its own.
constexpr std::array<FileForm, 4> kForms = {{{"_memory.json", write_memory_file},
                                             {"_operations.json", write_operations_file},
                                             {"_inputs_registry.json", write_registry_file},
                                             {"_ir.json", write_ir_file}}};

struct OpenFile {
  std::string path;
  std::unique_ptr<Writer> writer;
  std::exception_ptr failed;
};

Result<MadeFolders> make_folder(const TtmemFilesOptions& options) {
  const bool is_path =
      options.name.find('/') != std::string::npos || options.name.find('\0') != std::string::npos;
  if (options.name.empty() || is_path)
    return failure(bad_input("report name must be a plain file name prefix"));
  if (Result<void> checked = check_output_path(options.folder); !checked) return failure(checked.error());
  return MadeFolders::make(options.folder);
}

Result<std::vector<OpenFile>> open_files(const TtmemFilesOptions& options) {
  std::vector<OpenFile> files;
  for (const FileForm& form : kForms) {
    std::string path = (std::filesystem::path(options.folder) / options.name).string();
    path += form.suffix;
    Result<std::unique_ptr<Writer>> writer = open_writer(path);
    if (!writer) return failure(writer.error());
    files.push_back({std::move(path), std::move(*writer), nullptr});
  }
  return files;
}

/// Lack of memory must reach the caller, also from the other thread.
void fill(OpenFile& file, const FileForm& form, const RuntimeTrace& trace, const MemoryProfile& profile) {
  try {
    form.write(trace, profile, *file.writer);
  } catch (...) {
    file.failed = std::current_exception();
  }
}

}  // namespace

Result<std::vector<std::string>> write_ttmem_files(const RuntimeTrace& trace, const MemoryProfile& profile,
                                                   const TtmemFilesOptions& options) {
  const Result<MadeFolders> made = make_folder(options);  // removed again where nothing is written
  if (!made) return failure(made.error());
  Result<std::vector<OpenFile>> opened = open_files(options);
  if (!opened) return failure(opened.error());
  std::vector<OpenFile>& files = *opened;
  {
    const auto fill_first = [&] { fill(files[0], kForms[0], trace, profile); };
    std::jthread other;
    try {
      other = std::jthread(fill_first);
    } catch (const std::system_error&) {
      fill_first();  // no thread can be started
    }
    for (std::size_t i = 1; i < kForms.size(); ++i) fill(files[i], kForms[i], trace, profile);
  }
  for (const OpenFile& file : files) {
    if (file.failed) std::rethrow_exception(file.failed);
  }
  std::vector<std::string> paths;
  for (OpenFile& file : files) {
    if (Result<void> written = file.writer->finish(); !written) return failure(written.error());
    paths.push_back(file.path);
  }
  return paths;
}

}  // namespace ttscope::mem
