// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "stagecoach-benchmarks", targets: ["StagecoachBenchmarks"])
  ],
  dependencies: [
    .package(name: "stagecoach", path: "..", traits: [.defaults, "CURL", "SQLite"]),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/CoreOffice/XMLCoder.git", from: "0.18.2"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
  ],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "CLines"),
    .systemLibrary(name: "CLibXML2Peer", pkgConfig: "libxml-2.0"),
    .target(name: "CXMLPeer", dependencies: ["CLibXML2Peer"]),
    .systemLibrary(name: "CLibCURL", pkgConfig: "libcurl"),
    .target(name: "CCURLPeer", dependencies: ["CLibCURL"]),
    .target(name: "CInflate", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "GeneratedRows", swiftSettings: settings),
    .executableTarget(
      name: "RecordsPeak",
      dependencies: [
        "GeneratedRows",
        .product(name: "Stagecoach", package: "stagecoach"),
        .product(name: "StagecoachXML", package: "stagecoach"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "StagecoachBenchmarks",
      dependencies: [
        "CAllocations",
        "CCURLPeer",
        "CInflate",
        "CLines",
        "CXMLPeer",
        "GeneratedRows",
        .product(name: "Stagecoach", package: "stagecoach"),
        .product(name: "StagecoachCache", package: "stagecoach"),
        .product(name: "StagecoachContentCoding", package: "stagecoach"),
        .product(name: "StagecoachFixtures", package: "stagecoach"),
        .product(name: "StagecoachTransfers", package: "stagecoach"),
        .product(name: "StagecoachXML", package: "stagecoach"),
        .product(name: "XMLCoder", package: "XMLCoder"),
        .product(name: "StagecoachAsyncHTTPClient", package: "stagecoach"),
        .product(name: "StagecoachCURL", package: "stagecoach"),
        .product(name: "StagecoachURLSession", package: "stagecoach"),
        .product(name: "StagecoachOrigin", package: "stagecoach"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
  ]
)
