# For people: short names for what CMake (CMakePresets.json) and the scripts do.
#   make run PREFIX=... DESTDIR=... FUZZ_SECONDS=... CMAKE_FLAGS="-DWEIR_WERROR=ON"
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
CMAKE_FLAGS ?=
WEIR := build/release/weir
SAMPLE := examples/data/gauges.json

.DEFAULT_GOAL := build
.PHONY: build run test bench fuzz install format lint clean help

build: ## build the command (build/release/weir) and the benchmarks (build/release/weir-bench)
	@script/setup build
	cmake --preset release $(CMAKE_FLAGS)
	cmake --build build/release --parallel $(JOBS)

run: build ## build, then convert a real file: JSON to CBOR, and CBOR to diagnostic notation
	$(WEIR) convert $(SAMPLE) --to cbor --output build/gauges.cbor
	@wc -c $(SAMPLE) build/gauges.cbor
	$(WEIR) convert build/gauges.cbor --to cbor-diag --indent 2

test: ## build and run every test
	@script/setup test
	cmake --preset release -DWEIR_BUILD_TESTS=ON -DWEIR_BUILD_EXAMPLES=ON $(CMAKE_FLAGS)
	cmake --build build/release --parallel $(JOBS)
	ctest --test-dir build/release --parallel $(JOBS) --output-on-failure

bench: ## build and run the benchmarks: a table here, the report in bench/report/
	@script/setup bench
	cmake --preset release $(CMAKE_FLAGS)
	cmake --build build/release --parallel $(JOBS)
	@mkdir -p bench/report
	build/release/weir-bench --output bench/report/results.json --output bench/report/index.html

fuzz: ## run every fuzz target for FUZZ_SECONDS (60)
	@script/setup fuzz
	JOBS=$(JOBS) script/fuzz $(FUZZ_SECONDS)

install: build ## install under PREFIX (/usr/local), below DESTDIR if it is set
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format: ## lay out the sources with clang-format
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

lint: ## clang-tidy and cppcheck
	JOBS=$(JOBS) script/lint

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile
