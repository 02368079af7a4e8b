#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/writer.h"
#include "mem/analyze/memory_profile.h"
#include "ui/page.h"

namespace ttscope::mem {

/// The ids under which a page knows op texts, locations and tensor types. They are those of the trace,
/// followed by what only the page has: an empty text for each op type known from memory blocks alone, the
/// callees of calls without a location, and the types resized to one device of a mesh. The trace and the
/// profile outlive it; reading it is thread safe.
class PageTables {
 public:
  PageTables(const RuntimeLog& log, const MemoryProfile& profile);

  std::uint32_t text_of(const ExecutedOp& op) const;
  std::uint32_t loc_of(const ExecutedOp& op) const;
  /// `type` as buffers of a rank have it.
  std::uint32_t type_of(std::uint32_t rank, std::uint32_t type) const;

  std::uint32_t text_count() const {
    return static_cast<std::uint32_t>(log_.op_texts.size() + typed_names_.size());
  }
  /// Whether any location says where in the model an op belongs.
  bool has_locations() const { return has_locations_; }

  /// names, locs, locraw, types and the columns of texts; not the texts themselves.
  void add_to(ui::PageBlobs& blobs) const;
  /// One text as JSON.
  void append_text(std::uint32_t text, Writer& out) const;

 private:
  void find_texts();
  void find_locations();
  void add_types(ui::PageBlobs& blobs) const;
  const TensorType& type_at(std::uint32_t id) const;
  std::uint32_t first_type(std::uint32_t text, IdRange OpText::*types) const;

  const RuntimeLog& log_;
  std::vector<std::uint32_t> typed_names_;    ///< names of the texts that the trace does not have
  std::vector<std::uint32_t> typed_texts_;    ///< by name id + 1 (0: no name): position in typed_names_
  std::vector<bool> is_named_;                ///< by location: whether a person would call it something
  std::vector<std::uint32_t> callees_;        ///< names of the locations that the trace does not have
  std::vector<std::uint32_t> callee_places_;  ///< by name id: position in callees_
  std::vector<std::string> display_locs_;     ///< of the trace's locations
  std::vector<std::uint32_t> first_local_;    ///< by rank: page id of its first local type
  std::vector<const TensorType*> local_types_;
  bool has_locations_ = false;
};

/// The large texts of a page, which it unpacks on demand: ops, modules and arguments. What is beyond a limit
/// is left out, so that no log makes a page that cannot be opened. The references outlive the blobs.
class PageTexts {
 public:
  struct Limits {
    std::size_t op_text_bytes = std::size_t{64} << 20;
    std::size_t module_bytes = std::size_t{64} << 20;
  };
  static constexpr std::uint32_t kTextsPerChunk = 256;

  PageTexts(const RuntimeLog& log, const MemoryProfile& profile, const PageTables& tables,
            const Limits& limits);

  std::uint32_t kept_texts() const { return kept_texts_; }
  bool keeps_module(std::size_t module) const { return keeps_module_[module]; }
  std::size_t modules_left_out() const;

  void add_to(ui::PageBlobs& blobs) const;

 private:
  void choose_texts(std::size_t limit_bytes);
  void choose_modules(std::size_t limit_bytes);
  std::string text_chunk(std::uint32_t first) const;
  std::string arguments() const;

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  const PageTables& tables_;
  std::uint32_t kept_texts_ = 0;
  std::vector<bool> keeps_module_;
};

}  // namespace ttscope::mem
