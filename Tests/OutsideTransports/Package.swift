// swift-tools-version: 6.2
import PackageDescription

// Transports in a package that is not ours, so that they have public API only: the one in Sources/Kit, which is written
// here, and a copy of StagecoachCURL, which CI makes in Sources/OutsideCURL and Sources/OutsideCCurl.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "OutsideTransports",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "stagecoach", path: "../..", traits: ["Tool"]),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
  ],
  targets: [
    .systemLibrary(name: "OutsideCCurl", pkgConfig: "libcurl"),
    .target(
      name: "OutsideCURL",
      dependencies: [
        "OutsideCCurl",
        .product(name: "StagecoachCore", package: "stagecoach"),
        .product(name: "StagecoachTransportKit", package: "stagecoach"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["StagecoachCURL.docc"],
      swiftSettings: settings + [.define("CURL")]
    ),
    .executableTarget(
      name: "Kit",
      dependencies: [
        "OutsideCURL",
        .product(name: "Stagecoach", package: "stagecoach"),
        .product(name: "StagecoachTransportKit", package: "stagecoach"),
        .product(name: "StagecoachConformance", package: "stagecoach"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings + [.define("CURL")]
    ),
  ]
)
