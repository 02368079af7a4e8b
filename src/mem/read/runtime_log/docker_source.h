#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "io/chunk_source.h"

namespace ttscope::mem {

/// The container's own lines of a file that docker keeps of them (mem/model/docker_line.h); all other inputs
/// are passed on as they are. Every line keeps its number: empty lines follow one that docker split. Pieces
/// of standard output and of standard error are joined apart; where they are mixed, a line that another
/// stream interrupted stands where its last piece does.
class DockerSource : public io::ChunkSource {
 public:
  explicit DockerSource(std::unique_ptr<io::ChunkSource> source) : source_(std::move(source)) {}

  Result<io::Chunk> next() override;
  std::shared_ptr<const void> backing() const override { return source_->backing(); }
  std::uint64_t total_bytes() const override { return source_->total_bytes(); }
  std::uint64_t consumed_bytes() const override { return source_->consumed_bytes(); }
  std::string warning() const override { return source_->warning(); }

 private:
  /// A line of one stream that goes on.
  struct OpenLine {
    std::string text;
    std::size_t pieces = 0;  ///< lines of the input in it that no line of the output stands for yet
  };

  std::string unpacked(std::string_view bytes);
  void add_record(std::string_view record, std::string& out);
  static void end_line(OpenLine& line, std::string& out);

  std::unique_ptr<io::ChunkSource> source_;
  bool is_begun_ = false;
  bool is_docker_ = false;
  std::array<OpenLine, 2> open_;  ///< of standard output and of standard error
};

}  // namespace ttscope::mem
