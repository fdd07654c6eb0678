.DEFAULT_GOAL := help
.PHONY: help demo test bench check-instructions fuzz fuzz-files build lint install-dependencies clean

NEWER_OPENAL := .build/openal-newer
WALK := Examples/walk
FUZZ := .build/fuzz
FUZZ_SECONDS := 60
BENCH :=

help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: install-dependencies ## Renders the example walk to demo/: a sound, a plot and a trace
	swift build -c release --product aurient
	mkdir -p demo
	.build/release/aurient render $(WALK)/scene.json \
	  --plot demo/walk.svg --trace demo/walk.csv -o demo/walk.wav
	@echo "Hear demo/walk.wav over headphones; see demo/walk.svg for the same walk as a plot,"
	@echo "and demo/walk.csv for its figures, one row a head frame."

# The tests of all that touches OpenAL run twice: with the system's library and with a newer one. Those that
# play in real time run one after the other, with nothing beside them.
PLAYED := PlaybackDeviceTests|PlayTests|PlayFaultTests|PlayViewTests|ServeTests
test: export AURIENT_OPTIMIZE := 1
test: lint ## Lints, builds, and runs the tests
	Scripts/install-dependencies --tests --newer-openal $(NEWER_OPENAL)
	swift build
	swift test --disable-xctest --skip '$(PLAYED)'
	swift test --disable-xctest --skip-build --no-parallel --filter '$(PLAYED)'
	LD_LIBRARY_PATH="$(CURDIR)/$(NEWER_OPENAL)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	  swift test --disable-xctest --skip-build --skip '$(PLAYED)' \
	  --filter 'SpatialAudioTests|AurientTests|CommandTests'
	LD_LIBRARY_PATH="$(CURDIR)/$(NEWER_OPENAL)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	  swift test --disable-xctest --skip-build --no-parallel --filter 'PlaybackDeviceTests'

bench: export AURIENT_BENCHMARK := 1
bench: ## Measures it beside its peers: docs/benchmarks.md; BENCH="latency --quick" for a part
	Scripts/install-dependencies --bench
	swift build -c release --product aurient
	swift build -c release --product FrameLatency
	Benchmarks/bench.py $(BENCH)

check-instructions: ## Checks the instructions of fixed work and the program's size
	Scripts/install-dependencies --instructions
	swift build -c release --product aurient
	Benchmarks/instructions.py

# In a folder of its own, since all that it calls is instrumented.
fuzz: export AURIENT_FUZZ := 1
fuzz: export AURIENT_OPTIMIZE := 1
# Else libFuzzer does not get to keep what made it crash.
fuzz: export SWIFT_BACKTRACE := enable=no
fuzz: install-dependencies ## Feeds the SOFA reader what libFuzzer makes up, for FUZZ_SECONDS
	swift build --scratch-path $(FUZZ) --product FuzzSOFA
	mkdir -p $(FUZZ)/corpus
	$(FUZZ)/debug/FuzzSOFA --seeds $(FUZZ)/corpus
	$(FUZZ)/debug/FuzzSOFA -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 \
	  -artifact_prefix=$(FUZZ)/ -print_final_stats=1 $(FUZZ)/corpus

fuzz-files: export AURIENT_OPTIMIZE := 1
fuzz-files: install-dependencies ## Has 10,000 damaged copies of three SOFA files read
	AURIENT_MUTATIONS=3334 swift test --disable-xctest --filter SOFAMutationTests

build: install-dependencies ## Builds everything for debugging
	swift build

lint: ## Checks the format of the Swift sources
	swift format lint --strict --recursive Package.swift Sources Tests

install-dependencies: ## Installs the Debian packages that are missing
	@Scripts/install-dependencies

clean: ## Removes what the build and the demo made
	swift package clean
	rm -rf demo
