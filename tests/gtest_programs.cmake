include(GoogleTest)
find_package(GTest CONFIG REQUIRED)
find_package(rapidcheck CONFIG REQUIRED)

file(GLOB support_sources CONFIGURE_DEPENDS support/*.cc)
if(support_sources)
  add_library(ttscope_test_support STATIC ${support_sources})
  target_include_directories(ttscope_test_support PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(ttscope_test_support PUBLIC ${subject_targets} fmt::fmt)
  ttscope_compile_quickly(ttscope_test_support)
  ttscope_set_warnings(ttscope_test_support)
endif()

# The headers of the test libraries cost more than most tests; they are compiled once for all programs.
add_library(ttscope_test_headers OBJECT ${PROJECT_BINARY_DIR}/tests/test_headers.cc)
file(WRITE ${PROJECT_BINARY_DIR}/tests/test_headers.cc "")
target_link_libraries(ttscope_test_headers PRIVATE GTest::gmock)
target_precompile_headers(ttscope_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <string> <vector>)
ttscope_compile_quickly(ttscope_test_headers)
ttscope_set_warnings(ttscope_test_headers)  # the compilers reject precompiled headers made with other flags

# The properties are set by a file that ctest reads after the tests are discovered, because
# gtest_discover_tests() cannot pass a property whose value is a list.
function(add_gtest_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;LABELS")
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock_main GTest::gmock)
  if(TARGET ttscope_test_support)
    target_link_libraries(${name} PRIVATE ttscope_test_support)
  endif()
  ttscope_compile_quickly(${name})  # what is tested is optimised; the tests themselves only cost time
  target_precompile_headers(${name} REUSE_FROM ttscope_test_headers)
  ttscope_set_warnings(${name})
  gtest_discover_tests(${name} TEST_PREFIX ${name}. TEST_LIST ${name}_tests DISCOVERY_MODE PRE_TEST)
  if(sanitize IN_LIST arg_LABELS)
    add_dependencies(sanitize_tests ${name})
  endif()
  if(name MATCHES "^(unit_io|unit_mem|unit_graph|unit_perf|unit_launch|unit_serve|unit_record|unit_app|property)$")
    add_dependencies(thread_tests ${name})
  endif()
  set(properties_file ${CMAKE_CURRENT_BINARY_DIR}/${name}_properties.cmake)
  file(WRITE ${properties_file} "set_tests_properties(\${${name}_tests} PROPERTIES
  LABELS \"${arg_LABELS}\" TIMEOUT 300 ENVIRONMENT \"${test_environment}\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${properties_file})
endfunction()

foreach(layer base io table ui fit diff gate mem phases graph perf timeline sim chip metal app launch serve terminal cli)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS unit/${layer}/*.cc)
  if(NOT sources)
    continue()
  endif()
  set(labels fast)
  if(layer MATCHES "^(io|table|fit|diff|gate|mem|phases|graph|perf|timeline|sim|chip|metal|app|launch|serve|terminal)$")
    list(APPEND labels sanitize)
  endif()
  add_gtest_program(unit_${layer} SOURCES ${sources} LIBRARIES ttscope_${layer} fmt::fmt LABELS ${labels})
endforeach()
# What is said of the profiler's variables, beside what they do.
target_link_libraries(unit_metal PRIVATE ttscope_launch)

# The recorder, with what reads its files.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS unit/record/*.cc)
add_gtest_program(unit_record SOURCES ${sources} LABELS fast sanitize
  LIBRARIES ttscope_record ttscope_timeline fmt::fmt rapidcheck_gtest rapidcheck)
target_include_directories(unit_record PRIVATE ${PROJECT_SOURCE_DIR}/include/tracy_compat)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS property/*.cc)
if(sources)
  add_gtest_program(property SOURCES ${sources} LABELS fast sanitize
    LIBRARIES ${subject_targets} ttscope_chip fmt::fmt rapidcheck_gtest rapidcheck)
endif()

# A library with the entry points of libttsim, for the tests of the process around it.
add_library(fake_ttsim MODULE standin/fake_ttsim.cc)
target_link_libraries(fake_ttsim PRIVATE ttscope_chip)
set_target_properties(fake_ttsim PROPERTIES POSITION_INDEPENDENT_CODE ON)
ttscope_set_warnings(fake_ttsim)
foreach(program unit_chip unit_metal)
  add_dependencies(${program} fake_ttsim)
  target_compile_definitions(${program} PRIVATE FAKE_TTSIM="$<TARGET_FILE:fake_ttsim>")
endforeach()
