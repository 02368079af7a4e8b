# libttscope: the tracker, the simulated device, the training layers and the simulated chips, with the headers of include/. It is
# shared, so that a program which links it needs none of the packages that it is built from.
file(WRITE ${PROJECT_BINARY_DIR}/library.cc "")
add_library(ttscope_library SHARED ${PROJECT_BINARY_DIR}/library.cc)
add_library(ttscope::ttscope ALIAS ttscope_library)
set_target_properties(ttscope_library PROPERTIES
  OUTPUT_NAME ttscope EXPORT_NAME ttscope VERSION ${PROJECT_VERSION} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(ttscope_library PUBLIC cxx_std_20)
target_include_directories(ttscope_library
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/simulator/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Whole archives: nothing inside calls what users call.
target_link_libraries(ttscope_library PRIVATE $<BUILD_INTERFACE:ttscope_sim> $<BUILD_INTERFACE:ttscope_metal>)
set_property(TARGET ttscope_library PROPERTY
  LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,ttscope_sim,ttscope_metal")
ttscope_set_warnings(ttscope_library)

ttscope_find_libraries(ttscope_library "$ORIGIN")

# The names of tt-metal's host API over it, in a folder of their own, so that they never hide those of a real tt-metal.
add_library(ttscope_tt_metal_compat INTERFACE)
add_library(ttscope::tt_metal_compat ALIAS ttscope_tt_metal_compat)
set_target_properties(ttscope_tt_metal_compat PROPERTIES EXPORT_NAME tt_metal_compat)
target_link_libraries(ttscope_tt_metal_compat INTERFACE ttscope_library ttscope_tracy)
target_include_directories(ttscope_tt_metal_compat INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/simulator/include/tt_metal_compat>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tt_metal_compat>)

# The names of tt-train's tracker, for those who link it: never in the way of the real header.
add_library(ttscope_ttml_names INTERFACE)
add_library(ttscope::ttml_names ALIAS ttscope_ttml_names)
set_target_properties(ttscope_ttml_names PROPERTIES EXPORT_NAME ttml_names)
target_link_libraries(ttscope_ttml_names INTERFACE ttscope_library)
target_include_directories(ttscope_ttml_names INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/simulator/include/ttscope/compat>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ttscope/compat>)

add_subdirectory(${PROJECT_SOURCE_DIR}/examples/training ${PROJECT_BINARY_DIR}/examples/training)
add_subdirectory(${PROJECT_SOURCE_DIR}/examples/device ${PROJECT_BINARY_DIR}/examples/device)
foreach(program nano_gpt tiny_llama run_inference)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  ttscope_set_warnings(${program})
endforeach()
ttscope_set_warnings(ttscope_training_loop)
