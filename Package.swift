// swift-tools-version: 6.3
import PackageDescription

/// Settings of every target of the project: the strictest that the language offers.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Converting data sets, making voices and the log are loops over numbers, which without optimisation take
/// minutes: builds for tests set `AURIENT_OPTIMIZE`. A package that others depend on may not set such flags always.
let numeric: [SwiftSetting] =
  Context.environment["AURIENT_OPTIMIZE"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// With `AURIENT_FUZZ` set, as `make fuzz` sets it, there is a program that feeds the reader of SOFA files
/// what libFuzzer makes up, and what it calls is instrumented. The linker gold fails on it.
let isFuzzing = Context.environment["AURIENT_FUZZ"] != nil
let instrumented: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []
let fuzzing: [Target] =
  isFuzzing
  ? [
    .executableTarget(
      name: "FuzzSOFA", dependencies: ["HRTF", "Geometry"], path: "Tests/FuzzSOFA",
      swiftSettings: strict + instrumented,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
  ] : []

/// With `AURIENT_BENCHMARK` set, as `make bench` sets it, there is a program that times head frames.
let benchmarks: [Target] =
  Context.environment["AURIENT_BENCHMARK"] == nil
  ? []
  : [
    .executableTarget(
      name: "FrameLatency",
      dependencies: [
        "Files", "Geometry", "HeadTracking", "Navigation", "HRTF", "SpatialAudio", "Aurient",
      ],
      path: "Benchmarks/FrameLatency", swiftSettings: strict)
  ]

/// A module of the library: its sources in `Sources/NAME`, its tests in `Tests/NAMETests`.
func module(
  _ name: String, _ dependencies: [Target.Dependency], tests: [Target.Dependency] = [],
  settings: [SwiftSetting] = []
) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, swiftSettings: strict + settings),
    .testTarget(
      name: name + "Tests",
      dependencies: [.byName(name: name), "TestSupport"] + dependencies + tests,
      swiftSettings: strict),
  ]
}

/// A C library of the system, installed by `Scripts/install-dependencies`.
func library(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "aurient",
  products: [
    // Aurient exports the others: their symbols are promised, too (docs/compatibility.md).
    .library(
      name: "Aurient",
      targets: [
        "Aurient", "Compass", "Files", "Geometry", "HRTF", "HeadTracking", "MotionLog",
        "Navigation",
        "SpatialAudio",
      ]),
    .library(name: "ListeningTest", targets: ["ListeningTest"]),
    .executable(name: "aurient", targets: ["aurient"]),
    // What Scripts/build-c-library makes libaurient.so of.
    .library(name: "AurientC", type: .static, targets: ["AurientC"]),
  ],
  targets: [
    library("COpenAL", pkgConfig: "openal", apt: "libopenal-dev"),
    library("CSofa", pkgConfig: "libmysofa", apt: "libmysofa-dev"),
    library("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
    library("CSampleRate", pkgConfig: "samplerate", apt: "libsamplerate0-dev"),
    library("CLoudness", pkgConfig: "libebur128", apt: "libebur128-dev"),
    library("COgg", pkgConfig: "ogg", apt: "libogg-dev"),
    library("CKissFFT", apt: "libkissfft-dev"),
    library("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
    library("CGeodesic", apt: "libproj-dev"),
    library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
    library("COSC", pkgConfig: "liblo", apt: "liblo-dev"),
    library("CGPS", apt: "libgps-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CCurl", apt: "libcurl4"),
    library("CArgp", apt: "libc6-dev"),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "CAurient"),
    .target(
      name: "AurientC",
      dependencies: [
        "Aurient", "CAurient", "Files", "Geometry", "HRTF", "HeadTracking", "Navigation",
        "SpatialAudio",
      ], exclude: ["package", "aurient.symbols"], swiftSettings: strict),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .executableTarget(
      name: "aurient",
      dependencies: [
        "Files", "Geometry", "Compass", "HeadTracking", "MotionLog", "Navigation", "HRTF",
        "SpatialAudio",
        "Aurient", "ListeningTest", "CArgp",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "surroundings", dependencies: ["Aurient"], path: "Examples/surroundings",
      exclude: ["README.md", "places.csv"], swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "aurient", "Aurient", "Files", "HRTF", "MotionLog", "SpatialAudio", "TestSupport",
      ],
      swiftSettings: strict),
  ]
    + module("Files", ["CXXHash"])
    + module("Geometry", ["CGeodesic"])
    + module("Compass", ["Files", "Geometry"])
    + module("HeadTracking", ["Files", "Geometry", "Compass", "COSC"], tests: ["CAllocationCount"])
    + module(
      "MotionLog", ["Files", "Geometry", "HeadTracking", "CSQLite", "CCurl"], settings: numeric)
    + module(
      "Navigation", ["Files", "Geometry", "Compass", "HeadTracking", "CExpat", "CGPS"],
      tests: ["CAllocationCount"], settings: numeric)
    + module("HRTF", ["Files", "Geometry", "CSofa", "CKissFFT"], settings: numeric + instrumented)
    + module(
      "SpatialAudio",
      ["Files", "Geometry", "HRTF", "COpenAL", "CSndFile", "CSampleRate", "CLoudness", "COgg"],
      tests: ["CAllocationCount"], settings: numeric)
    + module(
      "Aurient",
      [
        "Files", "Geometry", "Compass", "HeadTracking", "MotionLog", "Navigation", "HRTF",
        "SpatialAudio", "COSC",
      ],
      tests: ["CAllocationCount", "CExpat"], settings: numeric)
    + module(
      "ListeningTest",
      ["Files", "Geometry", "HRTF", "SpatialAudio", "Aurient", "CXXHash", "CLoudness"],
      settings: numeric)
    + fuzzing + benchmarks,
  swiftLanguageModes: [.v6]
)
