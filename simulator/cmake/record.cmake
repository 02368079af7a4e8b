# libttscope_record: the recorder of marked code. It is shared and has its own file, so that the C++ code and the Python of a
# process mark into one recording, and small and without packages, so that any program can link it.
file(GLOB record_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/simulator/record/*.cc)
add_library(ttscope_record SHARED ${record_sources})
add_library(ttscope::record ALIAS ttscope_record)
set_target_properties(ttscope_record PROPERTIES
  OUTPUT_NAME ttscope_record EXPORT_NAME record VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(ttscope_record PRIVATE ${PROJECT_SOURCE_DIR}/simulator ${PROJECT_SOURCE_DIR}/src
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/simulator/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(ttscope_record PRIVATE Threads::Threads)
ttscope_set_warnings(ttscope_record)

# <tracy/Tracy.hpp> over it, in a folder of its own, so that it never hides Tracy's. Linking it switches the marks on, as linking
# Tracy's own target does. Where that is part of the build all goes to it.
add_library(ttscope_tracy INTERFACE)
add_library(ttscope::tracy ALIAS ttscope_tracy)
set_target_properties(ttscope_tracy PROPERTIES EXPORT_NAME tracy)
target_compile_definitions(ttscope_tracy INTERFACE TRACY_ENABLE
  $<$<TARGET_EXISTS:Tracy::TracyClient>:TTSCOPE_USE_TRACY_CLIENT>)
target_link_libraries(ttscope_tracy INTERFACE ttscope_record $<$<TARGET_EXISTS:Tracy::TracyClient>:Tracy::TracyClient>)
target_include_directories(ttscope_tracy INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/simulator/include/tracy_compat>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tracy_compat>)
