// swift-tools-version: 6.2
import PackageDescription

// A consumer that wants the core alone. CI checks what it resolves and what its program links.
let package = Package(
  name: "LinkTest",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "stagecoach", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "LinkTest",
      dependencies: [.product(name: "Stagecoach", package: "stagecoach")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    )
  ]
)
