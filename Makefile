.DEFAULT_GOAL := help
.PHONY: help demo test test-page test-embedding check-memory bench check-instructions fuzz fuzz-files build release \
  c-library wheel test-wheel install uninstall deb test-deb docs check-api lint install-dependencies clean

NEWER_OPENAL := .build/openal-newer
AXE := .build/axe
WALK := Examples/walk
DEB := .build/deb
WHEEL := .build/wheel
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
	Tests/Installation/run .build/debug/aurient
	Tests/Schemas/check.py .build/debug/aurient
	Tests/Documentation/try.py .build/debug
	LD_LIBRARY_PATH="$(CURDIR)/$(NEWER_OPENAL)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	  swift test --disable-xctest --skip-build --skip '$(PLAYED)' \
	  --filter 'SpatialAudioTests|AurientTests|RenderTests'
	LD_LIBRARY_PATH="$(CURDIR)/$(NEWER_OPENAL)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	  swift test --disable-xctest --skip-build --no-parallel --filter 'PlaybackDeviceTests'
	Scripts/test-embedding
	$(MAKE) test-page

test-page: ## Takes part in listening tests in Chromium
	Scripts/install-dependencies --tests --axe $(AXE)
	AURIENT_AXE="$(CURDIR)/$(AXE)/axe.min.js" /usr/bin/python3 Tests/PageTests/page_tests.py

c-library: install-dependencies ## Builds libaurient.so.1 and what C programs need into .build/c-library
	Scripts/build-c-library .build/c-library

test-embedding: ## Tests the library for C, and builds and runs the examples for embedders
	Scripts/install-dependencies --tests
	Scripts/test-embedding

check-memory: ## Runs C programs under AddressSanitizer, ThreadSanitizer and valgrind
	Scripts/install-dependencies --tests --memory
	Scripts/test-embedding --memory

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
	@# The benchmark's own program goes on to build and to run.
	AURIENT_BENCHMARK=1 swift build -c release --product FrameLatency
	.build/release/FrameLatency 1000

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

wheel: ## Builds the Python package into .build/wheel, with all that it needs
	Scripts/install-dependencies --tests
	Scripts/build-c-library .build/c-library
	Scripts/build-wheel .build/c-library $(WHEEL)

test-wheel: wheel ## Installs the wheel away from the checkout and tests it
	Scripts/test-wheel $(WHEEL)

build: install-dependencies ## Builds everything for debugging
	swift build

# With the Swift runtime in the program, so that it runs where there is no toolchain; in a folder of its own, since
# all is compiled for that.
release: install-dependencies ## Builds what is installed: the program and the library for C
	swift build -c release --product aurient --static-swift-stdlib -Xlinker --strip-all \
	  --scratch-path .build/install
	if [ -x Scripts/build-c-library ]; then Scripts/build-c-library .build/c-library; fi

export PREFIX DESTDIR LIBDIR UNITDIR ZSHDIR
install: release ## Installs to PREFIX (/usr/local), below DESTDIR
	Scripts/install

uninstall: ## Removes all that was installed to PREFIX
	Scripts/install --uninstall

deb: ## Builds the Debian package into .build/deb, and has lintian look at it
	Scripts/install-dependencies --package
	rm -rf $(DEB)
	mkdir -p $(DEB)
	DEBDIR=$(CURDIR)/$(DEB) dpkg-buildpackage --build=binary --no-sign --post-clean \
	  --buildinfo-option=-u$(DEB) --changes-option=-u$(DEB) \
	  --buildinfo-file=$(DEB)/aurient.buildinfo --changes-file=$(DEB)/aurient.changes
	lintian --fail-on error,warning --display-info $(DEB)/aurient.changes

test-deb: deb ## Installs, tries and purges the package in a fresh Debian; needs root and takes minutes
	Tests/Installation/deb $(DEB)

# Of the build for tests, so that nothing is built twice.
docs: export AURIENT_OPTIMIZE := 1
docs: ## Builds the documentation as a web site into .build/site and checks its links
	Scripts/install-dependencies --docs
	swift build --product aurient
	swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >/dev/null
	docs/site/build.py .build/debug/aurient "$$(swift build --show-bin-path)/../symbolgraph" .build/site

check-api: ## Compares the library's interface with that of the last version
	Scripts/check-api

lint: ## Checks the format of the Swift sources
	swift format lint --strict --recursive Package.swift Sources Tests Examples

install-dependencies: ## Installs the Debian packages that are missing
	@Scripts/install-dependencies

clean: ## Removes what the build and the demo made
	swift package clean
	rm -rf demo
