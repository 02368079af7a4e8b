#include "session_text.h"

namespace ttscope::gen_log {

namespace {

constexpr std::string_view kRoot = "/home/user/tt-xla";
constexpr std::string_view kMetal = "third_party/tt-mlir/src/tt-mlir/third_party/tt-metal/src/tt-metal";
constexpr std::string_view kRetained =
    "Tensor is retained thus not deallocating. To deallocate, set retain to false first";

std::string run_frame(std::string_view op_type) {
  return " --- tt::runtime::ttnn::operations::run(tt::target::ttnn::" + std::string(op_type) +
         " const*, tt::runtime::ttnn::ProgramContext&)";
}

void print_executor_frames(RankLog& log) {
  log.plain(" --- tt::runtime::ttnn::ProgramExecutor::runOperation(tt::target::ttnn::Operation const*)");
  log.plain(" --- tt::runtime::ttnn::ProgramExecutor::execute()");
}

void print_backtrace(RankLog& log, const PrintedFailure& failure) {
  log.plain("backtrace:");
  log.plain_lines(
      " --- tt::tt_metal::BankManager::allocate_buffer(unsigned long, unsigned long, bool, "
      "tt::tt_metal::CoreRangeSet const&, std::optional<unsigned int>)\n"
      " --- tt::tt_metal::AllocatorImpl::allocate_buffer(tt::tt_metal::Buffer*)\n"
      " --- tt::tt_metal::Buffer::allocate_impl()\n"
      " --- tt::tt_metal::distributed::MeshBuffer::create(tt::tt_metal::distributed::MeshBufferConfig "
      "const&)\n"
      " --- ttnn::create_device_tensor(ttnn::TensorSpec const&, tt::tt_metal::distributed::MeshDevice*)\n");
  log.plain(run_frame(failure.op_type));
  print_executor_frames(log);
  if (failure.inside_const_eval) {
    log.plain(run_frame("LoadCachedOp"));
    print_executor_frames(log);
  }
  log.plain_lines(
      " --- tt::runtime::ttnn::submit(tt::runtime::Device, tt::runtime::Binary, unsigned int, "
      "std::vector<tt::runtime::Tensor, std::allocator<tt::runtime::Tensor> >&)\n"
      " --- tt::pjrt::FlatbufferLoadedExecutableInstance::execute(PJRT_LoadedExecutable_Execute_Args*)\n"
      " --- tt::pjrt::internal::onLoadedExecutableExecute(PJRT_LoadedExecutable_Execute_Args*)\n"
      " --- /lib/x86_64-linux-gnu/libc.so.6(+0x9caa4) [0x7d89a75e7aa4]\n"
      "}");
}

}  // namespace

std::string out_of_memory_text(const FailedAllocation& failure) {
  return "Out of Memory: Not enough space to allocate " + std::to_string(failure.requested_bytes) + " B " +
         std::string(failure.memory) + " buffer across " + std::to_string(failure.banks) +
         " banks, where each bank needs to store " + std::to_string(failure.requested_per_bank) +
         " B, but bank size is " + std::to_string(failure.bank_size) +
         " B (allocated: " + std::to_string(failure.state.allocated_bytes) +
         " B, free: " + std::to_string(failure.state.free_bytes) +
         " B, largest free block: " + std::to_string(failure.state.largest_free_bytes) + " B)";
}

void print_session_start(RankLog& log, const Device& device, bool runtime_debug_lines) {
  const std::string root(kRoot);
  log.python("INFO", "pjrt_plugin_tt:setup_tt_pjrt_plugin_dir:42 - Using PJRT plugin directory: " + root +
                         "/python_package/pjrt_plugin_tt");
  log.python("WARNING",
             "torch_plugin_tt:__init__:38 - TT plugin is setting XLA_STABLEHLO_COMPILE to 1. "
             "This is required for TT PJRT plugin to work correctly.");
  log.advance_clock(2110000);
  log.loguru("client_instance.cc:603", "1", "ClientInstance::PJRT_Client_Create");
  if (runtime_debug_lines) {
    log.line(RankLog::Source::kAlwaysDebug, "Device grid size = { " + std::to_string(device.grid_columns) +
                                                ", " + std::to_string(device.grid_rows) + " }");
  }
  log.advance_clock(27000);
  log.loguru("stubs.inc:121", "WARN", "STUB: PJRT_Client_TopologyDescription");
  log.advance_clock(2900000);
}

void print_run_start(RankLog& log, std::int64_t run, bool runtime_debug_lines) {
  log.advance_clock(1200);
  if (run > 0) {
    // The same words as after a deallocate, but here they belong to no op.
    log.loguru("buffer_instance.cc:421", "1", "BufferInstance::PJRT_Buffer_Destroy");
    if (runtime_debug_lines) log.line(RankLog::Source::kAlwaysDebug, kRetained);
  }
  log.loguru("loaded_executable_insta:320", "1", "LoadedExecutableInstance::PJRT_LoadedExecutable_Execute");
  log.loguru("client_instance.cc:472", "1",
             "ClientInstance::getOrCreateMeshDevice - reusing already opened mesh device [1, 1]");
}

void print_run_end(RankLog& log, const Shape& output) {
  std::string extents;
  for (const std::int64_t extent : output) extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  log.loguru("flatbuffer_loaded_execu:124", "1",
             "Filled output at output_index 0 device_index 0 with shape [" + extents + "]");
  log.plain("Got output shape: torch.Size([" + extents + "])");
}

void print_session_end(RankLog& log) {
  log.loguru("client_instance.cc:520", "1", "ClientInstance::closeMeshDevice");
}

void print_failure(RankLog& log, const PrintedFailure& failure) {
  const std::string root(kRoot);
  log.metal("critical", std::string(failure.macro) + ": " + failure.text + " (assert.hpp:104)");
  log.advance_clock(36000);
  log.loguru("utils.h:62", "ERR", "Exception:");
  log.plain("{" + std::string(failure.macro) + " @ " + root + "/" + std::string(kMetal) + "/tt_metal/impl/" +
            std::string(failure.place));
  log.plain("info:");
  log.plain(failure.text);
  print_backtrace(log, failure);
  log.plain("");
  log.plain("Traceback (most recent call last):");
  log.plain("  File \"" + root + "/examples/pytorch/generate.py\", line 104, in <module>");
  log.plain("    logits = step(model, input_ids)");
  log.plain("  File \"" + root + "/examples/pytorch/generate.py\", line 61, in step");
  log.plain("    torch_xla.sync(wait=True)");
  log.plain("  File \"" + root +
            "/venv/lib/python3.12/site-packages/torch_xla/torch_xla.py\", line 87, in sync");
  log.plain("    torch_xla._XLAC._xla_step_marker(");
  log.plain("RuntimeError: Bad StatusOr access: INTERNAL: Error code: 13");
}

}  // namespace ttscope::gen_log
