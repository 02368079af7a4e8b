#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"
#include "mem/tables/tables.h"
#include "mem/write/labels.h"
#include "table/write.h"
#include "ui/json_text.h"

/// What the documents `ttscope.mem/1` and `ttscope.oom/1` both say of tensors.

namespace ttscope::mem {

/// Name and location of ops as JSON, each distinct text escaped once. The trace outlives it. Not thread safe.
class OpJson {
 public:
  OpJson(const RuntimeLog& log, JsonStyle style)
      : log_(log), names_(style), callees_(style), quoter_(style) {}

  /// `"ttnn.matmul"`; `"MatmulOp"` when only the memory lines are there; `"unknown"` when neither can be
  /// read.
  std::string_view name(const ExecutedOp& op);
  /// First name of the location, a file with its line and column, the callee of a load_cached without a
  /// location, else `null`.
  std::string_view loc(const ExecutedOp& op);

 private:
  const RuntimeLog& log_;
  ui::JsonTable names_;
  ui::JsonTable callees_;
  ui::JsonQuoter quoter_;
  ui::TextCache<std::uint32_t, 14> locs_;  ///< by location id
};

/// The document being written and what it is written from; shared by its sections.
struct MemDocument {
  const RuntimeLog& log;
  const MemoryProfile& profile;
  Writer& out;
  JsonWriter& json;
  OpJson& ops;
  std::size_t list_limit = 0;  ///< records that a RecordList takes; 0: no limit
  /// What the declared tables read: lists of records that are rows of one take their members from there.
  std::shared_ptr<const TableSource> tables;

  /// Lines are ambiguous only when several files were read; then every line comes with its file.
  bool several_files() const { return log.files.size() > 1; }

  /// These columns of a declared table as members of records.
  table::JsonRows rows_of(const table::TableOf<TableSource>& spec, std::size_t rows,
                          const std::vector<table::JsonField>& fields) const {
    return {table::make_table(spec, tables, rows), fields};
  }
};

/// An array of many records: compact objects, one a line, written past the indentation of the document.
class RecordList {
 public:
  RecordList(MemDocument& document, std::string_view name)
      : out_(document.out), room_(document.list_limit == 0 ? kNoLimit : document.list_limit) {
    document.json.key(name);
    document.json.raw("[");
  }
  ~RecordList() { out_.write(empty_ ? "]" : "\n]"); }
  RecordList(const RecordList&) = delete;
  RecordList& operator=(const RecordList&) = delete;

  /// Whether the limit of the document is reached: the rest is left out.
  bool full() const { return room_ == 0; }
  /// Starts the line of one more record.
  void next_line() {
    out_.write(empty_ ? "\n" : ",\n");
    empty_ = false;
    --room_;
  }
  JsonWriter next() {
    next_line();
    return JsonWriter(out_);
  }

 private:
  static constexpr std::size_t kNoLimit = std::size_t(-1);

  Writer& out_;
  std::size_t room_;
  bool empty_ = true;
};

/// `file`, only when several files were read.
void write_file(JsonWriter& json, const MemDocument& document, std::uint32_t file);
/// `rank` and, when several files were read, `file`.
void write_rank(JsonWriter& json, const MemDocument& document, std::uint32_t rank);
/// `op_index`, `line`, `op`, `loc`; all null for kNone.
void write_op(JsonWriter& json, MemDocument& document, std::uint32_t rank, std::uint32_t op);
/// Name of a program instance, nothing outside programs.
std::optional<std::string_view> program_name(const MemDocument& document, std::uint32_t rank,
                                             std::uint32_t instance);
/// part of whole in percent with three decimals; null when there is no whole.
std::optional<double> percent(std::int64_t part, std::int64_t whole);
/// To a multiple of 1 / `steps`.
double rounded(double value, double steps);

void write_trust(MemDocument& document);
void write_verdict(MemDocument& document);
void write_fixes(MemDocument& document);

void write_device(MemDocument& document, std::uint32_t rank);
void write_memory(MemDocument& document, std::uint32_t rank);
void write_ranks(MemDocument& document);
void write_fragmentation(MemDocument& document, std::uint32_t rank);

void write_live_at_peak(MemDocument& document, std::uint32_t rank);
void write_live_at(MemDocument& document);
void write_padding(MemDocument& document, std::uint32_t rank);
void write_weights(MemDocument& document);

void write_operations_by_kind(MemDocument& document);
void write_graphs(MemDocument& document);
void write_programs(MemDocument& document);
void write_changes(MemDocument& document);
void write_failures(MemDocument& document);
void write_growth(MemDocument& document);

/// `name`, `kind`, `shape`, `dtype`, `bytes_per_bank` of a buffer of a rank. No rows of the table of buffers:
/// the name is what a person calls it, and a shape is a list of numbers.
void write_tensor_members(JsonWriter& json, const ProfileView& view, std::uint32_t rank,
                          std::uint32_t buffer);
/// Line of the op that made it; null for arguments.
std::optional<std::uint32_t> producer_line(const ProfileView& view, std::uint32_t rank, std::uint32_t buffer);

/// `fixes`: rows of the declared table, with their words and the tensors that they are about.
void write_fix_list(JsonWriter& json, const ProfileView& view, const std::vector<Fix>& fixes);

/// `candidates`, `held_bytes_per_bank`, `holders`, `freed_late`, `grew` of a failure; null and empty without
/// a report.
void write_culprits(JsonWriter& json, const ProfileView& view, const FailureReport* report);

}  // namespace ttscope::mem
