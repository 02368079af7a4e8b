#include "perf/write/json/advice_json.h"

#include <optional>

#include "perf/analyse/advice/distinct_name.h"
#include "perf/write/words/advice_text.h"

namespace ttscope::perf {
namespace {

double known_or_null(double number) { return number > 0 ? number : kNoNumber; }

void write_one_advice(const OpsReport& table, const OpReading& reading, const OpAdvice& advice,
                      JsonWriter& json) {
  const bool has_op = advice.kind != kNone;
  const bool has_limit = advice.limit != OpLimit::kUnknown;
  json.begin_object();
  json.field("key", key_of(advice.cause));
  json.field("severity", name_of(advice.severity));
  json.field("title", advice_title(table, reading, advice));
  json.field("detail", advice_detail(table, reading, advice));
  json.field("gain_us", advice.gain_us);
  json.field("gain_percent", advice.gain_us / reading.ops.counted_us() * 100);
  json.field("once", false);
  json.field("basis", key_of(advice.basis));
  json.field("device", advice.device < 0 ? std::optional<std::int32_t>() : std::optional(advice.device));
  json.key("devices");
  json.begin_array();
  if (advice.device >= 0) json.value(advice.device);
  for (const std::int32_t device : advice.more_devices) json.value(device);
  json.end_array();
  json.field("after_others", advice.is_after_others);
  json.field("op", has_op ? std::optional(distinct_name(table, reading.ops.facts[advice.kind],
                                                        table.kinds[advice.kind]))
                          : std::nullopt);
  json.field("measured_us", advice.measured_us);
  json.field("target_us", advice.target_us);
  json.field("bound", has_limit ? std::optional(key_of(advice.limit)) : std::nullopt);
  json.field("model", has_limit ? std::optional(key_of(advice.model)) : std::nullopt);
  json.field("ideal_us", known_or_null(advice.ideal_us));
  json.field("latency_us", known_or_null(advice.latency_us));
  json.field("latency_from", advice.latency_basis == LatencyBasis::kNone
                                 ? std::nullopt
                                 : std::optional(key_of(advice.latency_basis)));
  json.field("all_cores_us", known_or_null(advice.all_cores_us));
  json.field("cores", has_op ? reading.ops.facts[advice.kind].cores : kNoNumber);
  json.field("bytes", known_or_null(advice.bytes / static_cast<double>(advice.row_count)));
  json.field("rows", advice.row_count);
  json.key("first_rows");
  json.begin_array();
  for (const std::uint32_t row : advice.rows) json.value(table.rows[reading.ops.rows[row].row].id);
  json.end_array();
  json.end_object();
}

}  // namespace

void write_advice_json(const OpsReport& table, const OpReading& reading, JsonWriter& json) {
  json.key("advice");
  json.begin_array();
  for (const OpAdvice& advice : reading.advice) write_one_advice(table, reading, advice, json);
  json.end_array();
}

void write_movement_json(const OpsReport& table, const OpReading& reading, JsonWriter& json) {
  const double counted_us = reading.ops.counted_us();
  json.key("movement");
  json.begin_object();
  json.key("classes");
  json.begin_array();
  for (std::size_t i = 0; i < kMovementClassCount; ++i) {
    json.begin_object();
    json.field("class", key_of(static_cast<MovementClass>(i)));
    json.field("device_us", reading.movement.device_us[i]);
    json.field("percent", counted_us > 0 ? reading.movement.device_us[i] / counted_us * 100 : kNoNumber);
    json.end_object();
  }
  json.end_array();
  json.key("conversions");
  json.begin_array();
  for (const Conversion& one : reading.movement.conversions) {
    json.begin_object();
    json.field("op", distinct_name(table, reading.ops.facts[one.kind], table.kinds[one.kind]));
    json.field("class", key_of(one.movement));
    json.field("ops", one.ops);
    json.field("device_us", one.device_us);
    json.field("bytes", known_or_null(one.bytes_of_one()));
    json.field("gb_s", known_or_null(one.gb_s()));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace ttscope::perf
