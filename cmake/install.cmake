# Install rules, all under the GNU directories. What is not in the tree is not installed.
install(TARGETS ttscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(name IN LISTS TTSCOPE_OTHER_NAMES)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

function(ttscope_install destination)
  file(GLOB files LIST_DIRECTORIES false CONFIGURE_DEPENDS ${ARGN})
  if(files)
    install(FILES ${files} DESTINATION ${destination})
  endif()
endfunction()

ttscope_install(${CMAKE_INSTALL_MANDIR}/man1 docs/man/*.1)
ttscope_install(${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions/bash/*)
ttscope_install(${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions/zsh/*)
ttscope_install(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions/fish/*)
# Both shells look for a file with the command's name.
foreach(name IN LISTS TTSCOPE_OTHER_NAMES)
  install(FILES completions/bash/ttscope RENAME ${name}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES completions/fish/ttscope.fish RENAME ${name}.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()
ttscope_install(${CMAKE_INSTALL_DATADIR}/ttscope/examples examples/*)
ttscope_install(${CMAKE_INSTALL_DATADIR}/ttscope/examples/training examples/training/*.log)
ttscope_install(${CMAKE_INSTALL_DATADIR}/ttscope/examples/training examples/training/*)
ttscope_install(${CMAKE_INSTALL_DATADIR}/ttscope/examples/device examples/device/*)
ttscope_install(${CMAKE_INSTALL_DATADIR}/ttscope/examples/trace examples/trace/*)
ttscope_install(${CMAKE_INSTALL_DATADIR}/ttscope/examples/device/kernels examples/device/kernels/*)
ttscope_install(${CMAKE_INSTALL_DOCDIR} README.md ARCHITECTURE.md CHANGELOG.md SECURITY.md LICENSE docs/*.md)
ttscope_install(${CMAKE_INSTALL_DOCDIR}/formats docs/formats/*)
install(FILES ${PROJECT_BINARY_DIR}/licenses/copyright ${PROJECT_BINARY_DIR}/licenses/ttscope.spdx.json
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
