# The tests of the simulator, in the same folders as under tests/; they may use what is in tests/support.
set(simulator_tests ${PROJECT_SOURCE_DIR}/simulator/tests)

foreach(layer sim chip metal)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${simulator_tests}/unit/${layer}/*.cc)
  add_gtest_program(unit_${layer} SOURCES ${sources} LIBRARIES ttscope_${layer} fmt::fmt LABELS fast sanitize)
  target_include_directories(unit_${layer} PRIVATE ${simulator_tests})
endforeach()
# What is said of the profiler's variables, beside what they do.
target_link_libraries(unit_metal PRIVATE ttscope_launch)

# The recorder, with what reads its files.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${simulator_tests}/unit/record/*.cc)
add_gtest_program(unit_record SOURCES ${sources} LABELS fast sanitize threads
  LIBRARIES ttscope_record ttscope_timeline fmt::fmt rapidcheck_gtest rapidcheck)
target_include_directories(unit_record PRIVATE ${simulator_tests} ${PROJECT_SOURCE_DIR}/simulator/include/tracy_compat)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${simulator_tests}/property/*.cc)
target_sources(property PRIVATE ${sources})
target_include_directories(property PRIVATE ${simulator_tests})
target_link_libraries(property PRIVATE ttscope_chip)

# A library with the entry points of libttsim, for the tests of the process around it.
add_library(fake_ttsim MODULE ${simulator_tests}/standin/fake_ttsim.cc)
target_link_libraries(fake_ttsim PRIVATE ttscope_chip)
set_target_properties(fake_ttsim PROPERTIES POSITION_INDEPENDENT_CODE ON)
ttscope_set_warnings(fake_ttsim)
foreach(program unit_chip unit_metal)
  add_dependencies(${program} fake_ttsim)
  target_compile_definitions(${program} PRIVATE FAKE_TTSIM="$<TARGET_FILE:fake_ttsim>")
endforeach()
