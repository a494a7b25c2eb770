# Settings that every target of ours shares.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

# turgor_target(NAME): warnings, the promise of equal bits, sanitizers.
function(turgor_target name)
  target_compile_features(${name} PUBLIC c_std_17)
  # No fused multiply-add and no reassociation: the same input gives the same bits everywhere.
  target_compile_options(${name} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes
                         -Wmissing-prototypes -Wvla -Wdouble-promotion -Wno-missing-field-initializers)
  target_compile_definitions(${name} PRIVATE $<$<CONFIG:Release,MinSizeRel>:TG_NO_ASSERT>)
  if(TURGOR_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(TURGOR_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${TURGOR_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${name} PUBLIC -fsanitize=${TURGOR_SANITIZE})
  endif()
endfunction()

# turgor_library(NAME ALIAS SOURCES...): a library of ours, installed with the package.
function(turgor_library name alias)
  add_library(${name} ${ARGN})
  add_library(turgor::${alias} ALIAS ${name})
  turgor_target(${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${alias} C_VISIBILITY_PRESET hidden
                        POSITION_INDEPENDENT_CODE ON VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(TURGOR_INSTALL)
    install(TARGETS ${name} EXPORT turgorTargets)
  endif()
endfunction()
