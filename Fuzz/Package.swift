// swift-tools-version: 6.2
import PackageDescription

// libFuzzer targets over the core, XML and all content codings, without SwiftNIO. `Fuzz/run` builds and runs
// them: the fuzzer needs flags that a manifest cannot carry.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func fuzzer(_ name: String, of libraries: String...) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "Stagecoach", package: "stagecoach"),
      .product(name: "StagecoachCore", package: "stagecoach"),
      .product(name: "StagecoachSerializers", package: "stagecoach"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
    ] + libraries.map { .product(name: $0, package: "stagecoach") },
    swiftSettings: settings
  )
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      name: "stagecoach",
      path: "..",
      traits: ["Brotli", "Images", "PublicSuffixes", "Redis", "SQLite", "StructuredFields", "Zstandard"]
    ),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
  ],
  targets: [
    fuzzer("FuzzURI"), fuzzer("FuzzFields"), fuzzer("FuzzJSON"), fuzzer("FuzzQuery"), fuzzer("FuzzSSE"),
    fuzzer("FuzzContentCoding", of: "StagecoachContentCoding"),
    fuzzer("FuzzCache", of: "StagecoachCache", "StagecoachFormats"),
    fuzzer("FuzzCacheStores", of: "StagecoachCache"),
    fuzzer("FuzzHTML", of: "StagecoachXML"),
    fuzzer("FuzzImage", of: "StagecoachImages", "StagecoachFormats"),
    fuzzer("FuzzMultipart"), fuzzer("FuzzContentDisposition"), fuzzer("FuzzMedia"), fuzzer("FuzzLink"),
    fuzzer("FuzzCertificate"), fuzzer("FuzzLocation"),
    fuzzer("FuzzSetCookie"),
    fuzzer("FuzzRetryAfter"),
    fuzzer("FuzzChallenge"), fuzzer("FuzzNetrc", of: "StagecoachSystem"),
    fuzzer("FuzzScenario", of: "StagecoachFixtures"), fuzzer("FuzzImport", of: "StagecoachFixtures"),
    fuzzer("FuzzPact", of: "StagecoachFixtures"), fuzzer("FuzzPattern", of: "StagecoachFixtures"),
    fuzzer("FuzzTransfers", of: "StagecoachTransfers", "StagecoachFormats"),
    fuzzer("FuzzXML", of: "StagecoachXML"), fuzzer("FuzzXMLDecoder", of: "StagecoachXML"),
  ]
)
