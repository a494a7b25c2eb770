# Two commands: `make demo` and `make test`. Each does all of its own set-up on a bare Debian 12.
# Underneath are CMake presets; see CMakePresets.json.

.PHONY: demo test build bench nightly fuzz format clean
.DEFAULT_GOAL := build

demo: build
	build/release/turgor demo -o demo

build:
	@scripts/setup build
	@cmake --preset release-tools > /dev/null
	@cmake --build --preset release-tools -- --quiet

test:
	@scripts/setup test
	@scripts/test

bench: export TURGOR_IMPORT = $(CURDIR)/build/release/turgor-import
bench: build
	@cmake --preset release > /dev/null
	@cmake --build --preset release
	build/release/bench/bench_frame
	build/release/bench/bench_load
	build/release/bench/bench_exact
	build/release/bench/bench_local
	build/release/bench/bench_draw
	build/release/bench/bench_bind
	build/release/bench/bench_flesh
	build/release/bench/validate_flesh
	build/release/bench/bench_contact
	build/release/bench/bench_bones
	build/release/bench/bench_refine

# Under the address sanitizer everything, long tests too, and the fuzzers for a minute each.
nightly:
	@scripts/setup test
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -- --quiet
	@ctest --preset nightly -j 2

# All fuzzers, one after the other, each for SECONDS.
SECONDS ?= 60
fuzz:
	@scripts/setup test
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -- --quiet
	@TURGOR_FUZZ_SECONDS=$(SECONDS) ctest --test-dir build/asan -R '^fuzz_' --output-on-failure --timeout 1000000

format:
	@clang-format -i $$(git ls-files '*.c' '*.h' '*.inl' '*.cpp')

clean:
	rm -rf build demo
