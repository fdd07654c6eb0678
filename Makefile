.DEFAULT_GOAL := help
.PHONY: help demo test build lint install-dependencies clean

NEWER_OPENAL := .build/openal-newer
WALK := Examples/walk

help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: install-dependencies ## Renders the example walk to demo/: a sound, a plot and a trace
	swift build -c release --product aurient
	mkdir -p demo
	.build/release/aurient render $(WALK)/scene.json \
	  --plot demo/walk.svg --trace demo/walk.csv -o demo/walk.wav
	@echo "Hear demo/walk.wav over headphones; see demo/walk.svg for the same walk as a plot,"
	@echo "and demo/walk.csv for its figures, one row a head frame."

# The tests of all that touches OpenAL run twice: with the system's library and with a newer one.
test: export AURIENT_OPTIMIZE := 1
test: lint ## Lints, builds, and runs the tests
	Scripts/install-dependencies --tests --newer-openal $(NEWER_OPENAL)
	swift build
	swift test --disable-xctest
	LD_LIBRARY_PATH="$(CURDIR)/$(NEWER_OPENAL)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	  swift test --disable-xctest --skip-build --filter 'SpatialAudioTests|AurientTests|CommandTests'

build: install-dependencies ## Builds everything for debugging
	swift build

lint: ## Checks the format of the Swift sources
	swift format lint --strict --recursive Package.swift Sources Tests

install-dependencies: ## Installs the Debian packages that are missing
	@Scripts/install-dependencies

clean: ## Removes what the build and the demo made
	swift package clean
	rm -rf demo
