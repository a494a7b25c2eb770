# Two commands: `make demo` and `make test`. Each does all of its own set-up on a bare Debian 12.
# Underneath are CMake presets; see CMakePresets.json.

.PHONY: demo test build studio studio-test bench bench-web nightly fuzz format clean
.DEFAULT_GOAL := build

demo: build
	build/release/turgor demo -o demo

build:
	@scripts/setup build
	@cmake --preset release-tools > /dev/null
	@cmake --build --preset release-tools -- --quiet

# The page of `turgor studio`, for any static host too: build/studio.
studio: build
	@scripts/setup studio
	@scripts/studio

# The page used in a browser, as a person does; make test has the cases that matter most.
studio-test: build
	@scripts/setup test
	@cmake --preset release > /dev/null
	@cmake --build --preset release -- --quiet
	@ctest --preset studio

test:
	@scripts/setup test
	@scripts/test

BENCHES = bench_frame bench_load bench_exact bench_local bench_live bench_draw bench_bind bench_flesh validate_flesh \
	bench_contact bench_bones bench_refine bench_correctives "looks --quick"
ASSETS ?= $(CURDIR)/../shared/assets

# All of them, then status 1 when any missed a bar.
bench: export TURGOR_IMPORT = $(CURDIR)/build/release/turgor-import
bench: build
	@cmake --preset release > /dev/null
	@cmake --build --preset release -- --quiet
	@missed=; for bench in $(BENCHES); do \
		echo "== $$bench"; build/release/bench/$$bench || missed="$$missed, $$bench"; \
	done; \
	echo "== bench_measure"; \
	python3 bench/bench_measure.py build/release/turgor $(ASSETS) || missed="$$missed, bench_measure"; \
	if [ -n "$$missed" ]; then echo "missed a bar: $${missed#, }"; exit 1; fi

# The package's frame against a native one, then the page: a drag, and 200 changes of character.
bench-web: export NODE_PATH = $(CURDIR)/build/tools/node_modules
bench-web: studio
	@scripts/setup test
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target bench_hero -- --quiet
	@missed=; node bench/bench_web.mjs build/web/turgor build/release/bench/bench_hero \
		$(ASSETS)/CesiumMan.glb $(ASSETS)/human_makehuman.glb || missed=1; \
	node web/studio/test/bench_studio.mjs build/release/turgor build/studio $(ASSETS) || missed=1; \
	[ -z "$$missed" ]

# Under the address sanitizer everything, long tests too, and the fuzzers for a minute each; then the studio.
nightly:
	@scripts/setup test
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -- --quiet
	@ctest --preset nightly -j 2
	@$(MAKE) --no-print-directory studio-test

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
