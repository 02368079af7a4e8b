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
      -nodefaultlibs -lc -o ${fault_library}
    DEPENDS ${fault_source}
    COMMENT "Building the library of failing calls")
  add_custom_target(fault_injection ALL DEPENDS ${fault_library})
  add_script_test(faults slow ${TTSCOPE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/faults/run_faults.py)
  set_tests_properties(faults PROPERTIES TIMEOUT 7200)  # all of them, with TTSCOPE_FAULTS=all
endif()

file(GLOB scripts CONFIGURE_DEPENDS integration/*_test.py integration/*_test.sh)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME_WE)
  if(script MATCHES "\\.py$")
    add_script_test(integration_${name} slow ${TTSCOPE_PYTHON} ${script})
  else()
    add_script_test(integration_${name} slow bash ${script})
  endif()
endforeach()
