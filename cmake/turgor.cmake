# Settings that every target of ours shares.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

# turgor_target(NAME): warnings, the promise of equal bits, sanitizers, what fuzzers need.
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
  if(TURGOR_FUZZ) # the fuzzers need to see which branches were taken
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${name} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# turgor_library(NAME ALIAS SOURCES...): a library of ours. NAME is a static one: our own programs and
# tests, which use private functions too, link that. With BUILD_SHARED_LIBS NAME_shared is made of the
# same objects and shows what the public headers declare and nothing else. turgor::ALIAS, which is
# installed with the package, is the shared one when there is one.
function(turgor_library name alias)
  add_library(${name} STATIC ${ARGN})
  turgor_target(${name})
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set(product ${name})
  if(BUILD_SHARED_LIBS)
    set(product ${name}_shared)
    add_library(${product} SHARED $<TARGET_OBJECTS:${name}>)
    set_target_properties(${product} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C
                          VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_compile_features(${product} INTERFACE c_std_17)
    if(NOT APPLE AND NOT WIN32)
      # What it borrows of the static libraries below it stays its own affair.
      target_link_options(${product} PRIVATE LINKER:--exclude-libs,ALL)
    endif()
  endif()
  foreach(target IN ITEMS ${name} ${product})
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()
  set_target_properties(${product} PROPERTIES EXPORT_NAME ${alias})
  add_library(turgor::${alias} ALIAS ${product})
  if(TURGOR_INSTALL)
    install(TARGETS ${product} EXPORT turgorTargets)
  endif()
endfunction()

# turgor_uses(NAME LIBRARIES...): which libraries of ours lie below one, the nearest first. A shared
# one takes public functions from the shared libraries, which come first on the linker's line, and
# only what those do not show from the static ones behind NAME.
function(turgor_uses name)
  target_link_libraries(${name} PUBLIC ${ARGN} m)
  if(BUILD_SHARED_LIBS)
    list(TRANSFORM ARGN APPEND _shared)
    target_link_libraries(${name}_shared PUBLIC ${ARGN} PRIVATE ${name})
  endif()
endfunction()
