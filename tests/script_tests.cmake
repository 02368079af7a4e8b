add_script_test(check_layers fast ${TTSCOPE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_layers.py)

if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/golden/run_golden.py)
  add_script_test(golden fast ${TTSCOPE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/golden/run_golden.py)
endif()

# Calls of the system that fail, below the real program. A sanitizer brings an allocator of its own.
if(NOT TTSCOPE_SANITIZE)
  set(fault_library ${PROJECT_BINARY_DIR}/tests/libfault_injection.so)
  set(fault_source ${CMAKE_CURRENT_SOURCE_DIR}/faults/fault_injection.c)
  add_custom_command(OUTPUT ${fault_library} VERBATIM
    COMMAND ${CMAKE_CXX_COMPILER} -x c -std=gnu17 -O1 -Wall -Wextra -Werror -shared -fPIC ${fault_source}
      -nodefaultlibs -lc -Wl,-z,relro,-z,now,-z,noexecstack -o ${fault_library}
    DEPENDS ${fault_source}
    COMMENT "Building the library of failing calls")
  add_custom_target(fault_injection ALL DEPENDS ${fault_library})
  add_script_test(faults slow ${TTSCOPE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/faults/run_faults.py)
  set_tests_properties(faults PROPERTIES TIMEOUT 7200)  # all of them, with TTSCOPE_FAULTS=all
endif()

file(GLOB scripts CONFIGURE_DEPENDS integration/*_test.py integration/*_test.sh)
# Without the simulator these are skipped as a whole.
set(tests_of_the_simulator chip_golden_test device_profiler_test installed_library_test python_names_test
  python_tracker_test training_examples_test training_fit_test)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME_WE)
  if(NOT TTSCOPE_BUILD_SIMULATOR AND name IN_LIST tests_of_the_simulator)
    add_script_test(integration_${name} slow sh -c "echo 'skipped: needs the simulator' && exit 77")
  elseif(script MATCHES "\\.py$")
    add_script_test(integration_${name} slow ${TTSCOPE_PYTHON} ${script})
  else()
    add_script_test(integration_${name} slow bash ${script})
  endif()
endforeach()
