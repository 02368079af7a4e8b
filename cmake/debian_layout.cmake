# Run by CPack on the staged tree: where Debian wants files in another form than under a prefix of one's own.
set(lib ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/lib)
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)

# Debian's zsh looks for completions of packages in a folder of its own.
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)

# One folder for all versions of the system's Python.
file(GLOB python ${lib}/python3.*)
if(python)
  file(GLOB packages ${python}/*-packages)
  file(RENAME ${packages} ${lib}/dist-packages)
  file(REMOVE_RECURSE ${python})
  file(MAKE_DIRECTORY ${lib}/python3)
  file(RENAME ${lib}/dist-packages ${lib}/python3/dist-packages)
endif()

# Manual pages are packed, without a date so that equal pages are equal files.
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip --best --no-name ${pages} COMMAND_ERROR_IS_FATAL ANY)

# The copyright file has its text.
file(REMOVE ${share}/doc/ttscope/LICENSE)
