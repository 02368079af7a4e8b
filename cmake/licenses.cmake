# What we ship of others, from LICENSES/components.json: the package's copyright file, and its list of components (SBOM) as
# SPDX 2.3 in JSON. `version` names the CMake variable that has the version which was found; tests/integration/licenses_test.py
# compares the list with what is included and linked.
pkg_check_modules(tomlplusplus QUIET tomlplusplus)
set(BZIP2_VERSION ${BZIP2_VERSION_STRING})
file(READ ${PROJECT_SOURCE_DIR}/web/package.json web_packages)
string(JSON preact_VERSION GET "${web_packages}" devDependencies preact)
execute_process(COMMAND ldd --version OUTPUT_VARIABLE ldd_version ERROR_QUIET)
if(ldd_version MATCHES "^[^\n]* ([0-9.]+)\n")
  set(glibc_VERSION ${CMAKE_MATCH_1})
endif()

function(ttscope_write_licenses folder)
  set(list ${PROJECT_SOURCE_DIR}/LICENSES/components.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} components)
  string(JSON count LENGTH "${components}" components)
  math(EXPR last "${count} - 1")

  set(texts "")
  set(copyright "ttscope
Copyright: the ttscope authors
License: Apache-2.0

It contains, or is linked with, the following; the texts of all licenses are below.
")
  set(ours "{\"SPDXID\": \"SPDXRef-ttscope\", \"name\": \"ttscope\", \"versionInfo\": \"${PROJECT_VERSION}\",
  \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"Apache-2.0\",
  \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"NOASSERTION\", \"primaryPackagePurpose\": \"APPLICATION\"}")
  set(packages "[${ours}")
  set(relations "[{\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-ttscope\"}")

  foreach(index RANGE ${last})
    foreach(key name license use homepage version debian)
      string(JSON ${key} GET "${components}" components ${index} ${key})
    endforeach()
    set(found ${${version}})
    if(NOT found)
      set(found NOASSERTION)
    endif()
    string(REGEX REPLACE "[^A-Za-z0-9.]+" "-" id "SPDXRef-${name}")
    set(kind DYNAMIC_LINK)
    if(NOT use STREQUAL "linked")
      set(kind CONTAINS)
    endif()
    string(APPEND packages ",\n{\"SPDXID\": \"${id}\", \"name\": \"${name}\", \"versionInfo\": \"${found}\", \"homepage\": \"${homepage}\",
  \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"${license}\",
  \"licenseDeclared\": \"${license}\", \"copyrightText\": \"NOASSERTION\", \"comment\": \"${use}\"")
    if(debian)
      string(APPEND packages ",\n  \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\",
    \"referenceLocator\": \"pkg:deb/debian/${debian}\"}]")
    endif()
    string(APPEND packages "}")
    string(APPEND relations ",\n{\"spdxElementId\": \"SPDXRef-ttscope\", \"relationshipType\": \"${kind}\", \"relatedSpdxElement\": \"${id}\"}")

    string(APPEND copyright "\n${name} (${use})\nHomepage: ${homepage}\nLicense: ${license}\n")
    string(JSON text_count LENGTH "${components}" components ${index} texts)
    math(EXPR last_text "${text_count} - 1")
    foreach(text_index RANGE ${last_text})
      string(JSON text GET "${components}" components ${index} texts ${text_index})
      list(APPEND texts ${text})
    endforeach()
  endforeach()

  string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
  string(SHA256 content "${packages}")
  string(SUBSTRING ${content} 0 16 content)
  file(CONFIGURE OUTPUT ${folder}/ttscope.spdx.json @ONLY CONTENT "{\"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\",
\"SPDXID\": \"SPDXRef-DOCUMENT\", \"name\": \"ttscope-${PROJECT_VERSION}\",
\"documentNamespace\": \"https://ttscope.invalid/spdx/ttscope-${PROJECT_VERSION}-${content}\",
\"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Tool: cmake/licenses.cmake\"]},
\"hasExtractedLicensingInfos\": [{\"licenseId\": \"LicenseRef-public-domain\", \"name\": \"public domain\",
  \"extractedText\": \"This file has been put in the public domain. You can do whatever you want with this file.\"}],
\"packages\": ${packages}],
\"relationships\": ${relations}]}
")

  list(PREPEND texts Apache-2.0)
  list(REMOVE_DUPLICATES texts)
  foreach(text IN LISTS texts)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/LICENSES/${text}.txt)
    file(READ ${PROJECT_SOURCE_DIR}/LICENSES/${text}.txt words)
    string(APPEND copyright "\n---- ${text} ----\n\n${words}")
  endforeach()
  file(WRITE ${folder}/copyright "${copyright}")
endfunction()

ttscope_write_licenses(${PROJECT_BINARY_DIR}/licenses)
