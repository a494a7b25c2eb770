# WebAssembly with Debian's clang and wasi-libc; no Emscripten.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-14)
set(CMAKE_RANLIB llvm-ranlib-14)
# -O at link time would start binaryen's wasm-opt, which Debian's clang does not ship.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor")
# Every engine with SIMD has these, too. SIMD itself is for kernels_wasm.c alone: what the compiler makes
# of other loops is slower.
set(CMAKE_C_FLAGS_INIT "-mbulk-memory -mnontrapping-fptoint -msign-ext")
set(CMAKE_C_FLAGS_RELEASE_INIT "-O3 -DNDEBUG")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
