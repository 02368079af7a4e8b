#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#loc = loc(unknown)
#loc1 = loc("p0.1")
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 103712, erisc_l1_unreserved_base = 98304, dram_unreserved_base = 1920032, dram_unreserved_end = 1073119552}], [0], [1 : i32], [ 0x0x0x0]>
#system_memory = #ttnn.buffer_type<system_memory>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x344x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<344x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x344x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x344x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<1x128x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>]>>
#ttnn_layout6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x4096xbf16, #system_memory>>
#ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
module @Sample attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @Sample attributes {ttcore.system_desc = #system_desc} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8>, meshShape = 1x1, chipIds = [0]> loc(#loc)
      func.func private @main_const_eval_0(%arg0: tensor<4096x11008xbf16, #ttnn_layout1> loc(unknown)) -> tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.typecast"(%arg0) <{dtype = #ttcore.supportedDataTypes<bfp_bf8>}> : (tensor<4096x11008xbf16, #ttnn_layout1>) -> tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> loc(#loc2)
        return %0 : tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> loc(#loc)
      } loc(#loc)
      func.func private @main_const_eval_1(%arg0: tensor<4096x11008xbf16, #ttnn_layout1> loc(unknown)) -> tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.typecast"(%arg0) <{dtype = #ttcore.supportedDataTypes<bfp_bf8>}> : (tensor<4096x11008xbf16, #ttnn_layout1>) -> tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> loc(#loc3)
        return %0 : tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> loc(#loc)
      } loc(#loc)
      func.func private @main_const_eval_2() -> tensor<1x32xf32, #ttnn_layout7> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc)
        %1 = "ttnn.constant"(%0) <{value = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]> : tensor<1x32xf32>}> : (!ttnn.device) -> tensor<1x32xf32, #ttnn_layout7> loc(#loc)
        return %1 : tensor<1x32xf32, #ttnn_layout7> loc(#loc)
      } loc(#loc)
      func.func @main(%arg0: tensor<128x4096xbf16, #ttnn_layout6> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "args_0"} loc("p0.1"), %arg1: tensor<4096x11008xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layers.0.mlp.up.weight"} loc("p1.2"), %arg2: tensor<11008x4096xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layers.0.mlp.down.weight"} loc("p2.3"), %arg3: tensor<4096x11008xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layers.1.mlp.up.weight"} loc("p3.4"), %arg4: tensor<11008x4096xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layers.1.mlp.down.weight"} loc("p4.5"), %arg5: tensor<1x32xf32, #ttnn_layout7> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "unused_scale"} loc("p5.6")) -> tensor<128x4096xbf16, #ttnn_layout> attributes {tt.function_type = "forward_device"} {
        %0 = ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<4096x11008xbf16, #ttnn_layout1>) -> tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> loc(#loc)
        %1 = ttcore.load_cached(@main_const_eval_1, [%arg3]) : (tensor<4096x11008xbf16, #ttnn_layout1>) -> tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3> loc(#loc)
        %2 = ttcore.load_cached(@main_const_eval_2, []) : () -> tensor<1x32xf32, #ttnn_layout7> loc(#loc)
        %3 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc)
        %4 = "ttnn.to_device"(%arg0, %3) : (tensor<128x4096xbf16, #ttnn_layout6>, !ttnn.device) -> tensor<128x4096xbf16, #ttnn_layout> loc(#loc1)
        %5 = "ttnn.matmul"(%4, %0) <{transpose_a = false, transpose_b = false}> : (tensor<128x4096xbf16, #ttnn_layout>, tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3>) -> tensor<128x11008xbf16, #ttnn_layout4> loc("dot.0"(#loc1))
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<128x4096xbf16, #ttnn_layout>) -> () loc("dot.0")
        %6 = "ttnn.gelu"(%5) : (tensor<128x11008xbf16, #ttnn_layout4>) -> tensor<128x11008xbf16, #ttnn_layout4> loc("gelu.0")
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<128x11008xbf16, #ttnn_layout4>) -> () loc("gelu.0")
        %7 = "ttnn.matmul"(%6, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<128x11008xbf16, #ttnn_layout4>, tensor<11008x4096xbf16, #ttnn_layout2>) -> tensor<128x4096xbf16, #ttnn_layout5> loc("down.0")
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<128x11008xbf16, #ttnn_layout4>) -> () loc("down.0")
        "ttnn.deallocate"(%arg2) <{force = false}> : (tensor<11008x4096xbf16, #ttnn_layout2>) -> () loc("down.0")
        %8 = "ttnn.to_memory_config"(%7) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (tensor<128x4096xbf16, #ttnn_layout5>) -> tensor<128x4096xbf16, #ttnn_layout> loc("spill.0")
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<128x4096xbf16, #ttnn_layout5>) -> () loc("spill.0")
        %9 = "ttnn.matmul"(%8, %1) <{transpose_a = false, transpose_b = false}> : (tensor<128x4096xbf16, #ttnn_layout>, tensor<4096x11008x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout3>) -> tensor<128x11008xbf16, #ttnn_layout4> loc("dot.1"(#loc1))
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<128x4096xbf16, #ttnn_layout>) -> () loc("dot.1")
        %10 = "ttnn.gelu"(%9) : (tensor<128x11008xbf16, #ttnn_layout4>) -> tensor<128x11008xbf16, #ttnn_layout4> loc("gelu.1")
        "ttnn.deallocate"(%9) <{force = false}> : (tensor<128x11008xbf16, #ttnn_layout4>) -> () loc("gelu.1")
        %11 = "ttnn.matmul"(%10, %arg4) <{transpose_a = false, transpose_b = false}> : (tensor<128x11008xbf16, #ttnn_layout4>, tensor<11008x4096xbf16, #ttnn_layout2>) -> tensor<128x4096xbf16, #ttnn_layout5> loc("down.1")
        "ttnn.deallocate"(%10) <{force = false}> : (tensor<128x11008xbf16, #ttnn_layout4>) -> () loc("down.1")
        "ttnn.deallocate"(%arg4) <{force = false}> : (tensor<11008x4096xbf16, #ttnn_layout2>) -> () loc("down.1")
        %12 = "ttnn.to_memory_config"(%11) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (tensor<128x4096xbf16, #ttnn_layout5>) -> tensor<128x4096xbf16, #ttnn_layout> loc("spill.1")
        "ttnn.deallocate"(%11) <{force = false}> : (tensor<128x4096xbf16, #ttnn_layout5>) -> () loc("spill.1")
        return %12 : tensor<128x4096xbf16, #ttnn_layout> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("up.0_cast"(#loc1))
#loc3 = loc("up.1_cast"(#loc1))
