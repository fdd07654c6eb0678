// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "turn",
  dependencies: [.package(name: "aurient", path: "../../..")],
  targets: [
    .executableTarget(
      name: "turn", dependencies: [.product(name: "Aurient", package: "aurient")])
  ],
  swiftLanguageModes: [.v6]
)
