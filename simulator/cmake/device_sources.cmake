# Headers for kernels, the sources of our firmware and the kernels of ops are part of the library, so that nothing has to be found when a kernel is compiled.
set(device_headers
  ttscope_device/memory_map.h=memory_map
  ttscope_device/profiler_layout.h=profiler_layout
  ttscope_device/noc.h=noc
  tools/profiler/kernel_profiler.hpp=kernel_profiler
  tools/profiler/profiler_core.hpp=profiler_core
  tools/profiler/profiler_push.hpp=profiler_push
  tools/profiler/noc_event_profiler.hpp=noc_event_profiler
  dataflow_api.h=dataflow_api)
foreach(pair IN LISTS device_headers)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 file)
  list(GET pair 1 symbol)
  ttscope_embed_file(ttscope_chip simulator/include/tt_metal_compat/${file} ttscope::chip::embedded::${symbol})
endforeach()
foreach(pair start.S=firmware_start firmware.ld=firmware_ld kernel.ld=kernel_ld launch.h=firmware_launch
    brisc.cc=firmware_brisc ncrisc.cc=firmware_ncrisc trisc.cc=firmware_trisc idle_erisc.cc=firmware_idle_erisc
    kernel.cc=firmware_kernel sync_kernel.cc=firmware_sync_kernel)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 file)
  list(GET pair 1 symbol)
  ttscope_embed_file(ttscope_chip simulator/device/firmware/${file} ttscope::chip::embedded::${symbol})
endforeach()
foreach(kernel reader writer compute)
  ttscope_embed_file(ttscope_chip simulator/device/ops/${kernel}.cpp ttscope::chip::embedded::op_${kernel})
endforeach()
