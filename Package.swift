// swift-tools-version: 6.2
import PackageDescription

// One target per cost, every dependency but swift-http-types behind a trait: SwiftPM prunes a
// package whose every use is guarded by a trait that is off, and looks for no such system library.
let package = Package(
  name: "stagecoach",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  traits: [
    .trait("ContentCoding", "Content codings (gzip, deflate) in the standard chain, over the system's zlib."),
    .trait("AsyncHTTPClient", "The transport over AsyncHTTPClient.", enables: ["ContentCoding"]),
    .trait(
      "Tool",
      "The command-line tool and the origin server; needs AsyncHTTPClient.",
      enables: ["AsyncHTTPClient", "StructuredFields"]
    ),
    .trait(
      "PublicSuffixes",
      "The Public Suffix List (246 KB), without which cookies with a Domain are refused."
    ),
    .trait("Brotli", "The content coding br, over the system's Brotli."),
    .trait("Zstandard", "The content coding zstd, over the system's Zstandard."),
    .trait("CURL", "The transport over the system's libcurl.", enables: ["ContentCoding"]),
    .trait("Images", "Decoding of images, over the system's libpng, libjpeg-turbo and libwebp."),
    .trait("SQLite", "The disk store of the cache, over the system's SQLite."),
    .trait("Redis", "The cache's store for a fleet, over the system's hiredis."),
    .trait("Logging", "The monitor over swift-log."),
    .trait("Metrics", "The monitor over swift-metrics."),
    .trait("Tracing", "The spans over swift-distributed-tracing."),
    .trait("ServiceLifecycle", "Queues of transfers as services of swift-service-lifecycle."),
    .trait("StructuredFields", "Structured field values (RFC 9651)."),
    .default(enabledTraits: ["AsyncHTTPClient", "PublicSuffixes", "Tool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.44.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ]
)

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let argumentParser = products("ArgumentParser", of: "swift-argument-parser", if: "Tool")
let rawFieldValues =
  products("RawStructuredFieldValues", of: "swift-http-structured-headers", if: "StructuredFields")
let fieldValues =
  products("StructuredFieldValues", of: "swift-http-structured-headers", if: "StructuredFields")
  + rawFieldValues

// --- Libraries, each with what it depends on, lower layers first.

let libraries: Targets = [
  "StagecoachCore": ["StagecoachFormats", httpTypes],
  // What transports over engines share.
  "StagecoachTransportKit": ["StagecoachCore", httpTypes],
  "StagecoachStages": ["StagecoachCore", .target("CPublicSuffixes", if: "PublicSuffixes"), httpTypes],
  "StagecoachSerializers": ["StagecoachCore", httpTypes],
  "StagecoachResilience": ["StagecoachStages", "StagecoachSerializers", "StagecoachCore", httpTypes],
  // Transfers: pause, resume, queue, archive.
  "StagecoachTransfers": [
    "StagecoachResilience", "StagecoachStages", "StagecoachSerializers", "StagecoachCore", httpTypes,
  ] + products("ServiceLifecycle", of: "swift-service-lifecycle", if: "ServiceLifecycle"),
  // An HTTP cache: RFC 9111 as a stage, over a store.
  "StagecoachCache": ["StagecoachStages", "StagecoachCore", httpTypes] + rawFieldValues + [
    .target("StagecoachStructuredFields", if: "StructuredFields"), .target("CSQLite", if: "SQLite"),
    .target("CHiredis", if: "Redis"),
  ],
  // Changes of the network, and .netrc files.
  "StagecoachSystem": ["StagecoachStages", "StagecoachCore", httpTypes],
  "StagecoachContentCoding": [
    "StagecoachCore", "CZlib", httpTypes, .target("CBrotli", if: "Brotli"), .target("CZstd", if: "Zstandard"),
  ],
  "StagecoachStructuredFields": [httpTypes] + fieldValues,
  "StagecoachAsyncHTTPClient": ["StagecoachCore", "StagecoachTransportKit", httpTypes]
    + products("AsyncHTTPClient", of: "async-http-client", if: "AsyncHTTPClient")
    + products("NIOCore", "NIOPosix", "NIOHTTP1", of: "swift-nio", if: "AsyncHTTPClient")
    + products("NIOHTTP2", "NIOHPACK", of: "swift-nio-http2", if: "AsyncHTTPClient")
    + products("NIOSSL", of: "swift-nio-ssl", if: "AsyncHTTPClient"),
  "StagecoachCURL": ["StagecoachCore", "StagecoachTransportKit", httpTypes, .target("CCurl", if: "CURL")],
  // The only target that links FoundationNetworking, and with it libcurl.
  "StagecoachURLSession": ["StagecoachCore", "StagecoachTransportKit", httpTypes],
  "StagecoachImages": ["StagecoachStages", "StagecoachCore", httpTypes, .target("CImages", if: "Images")],
  // The one import: the core, content coding and a transport, as far as the traits allow.
  "Stagecoach": [
    "StagecoachCore", "StagecoachStages", "StagecoachSerializers", httpTypes,
    .target("StagecoachContentCoding", if: "ContentCoding"),
    .target(
      name: "StagecoachAsyncHTTPClient",
      condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])
    ),
    .target("StagecoachCURL", if: "CURL"),
    .target(name: "StagecoachURLSession", condition: .when(platforms: applePlatforms)),
  ],
  "StagecoachObservability": ["StagecoachCore", httpTypes]
    + products("Logging", of: "swift-log", if: "Logging")
    + products("CoreMetrics", of: "swift-metrics", if: "Metrics")
    + products("Instrumentation", "Tracing", of: "swift-distributed-tracing", if: "Tracing"),
  // The format alone: what the generator of the plug-in links.
  "StagecoachScenarios": ["StagecoachFormats", httpTypes],
  "StagecoachFixtures": [
    "StagecoachScenarios", "StagecoachCore", "StagecoachXML", httpTypes,
    .target("StagecoachContentCoding", if: "ContentCoding"), .target("StagecoachOrigin", if: "Tool"),
  ],
  // The only target that imports Swift Testing, which cannot be linked statically.
  "StagecoachTesting": ["StagecoachFixtures", "StagecoachCore"],
  "StagecoachOrigin": ["StagecoachCore", "StagecoachStages"]
    + products("NIOCore", "NIOPosix", "NIOHTTP1", of: "swift-nio", if: "Tool")
    + products("NIOSSL", of: "swift-nio-ssl", if: "Tool")
    + products("NIOTLS", of: "swift-nio", if: "Tool"),
  "StagecoachConformance": [
    "StagecoachCore", "StagecoachStages", "StagecoachSerializers", "StagecoachOrigin", "WireScripts",
    httpTypes,
  ],
  "ConformanceSubjects": [
    "Stagecoach", "StagecoachConformance", "StagecoachFixtures", "StagecoachAsyncHTTPClient",
    "StagecoachCURL", "StagecoachURLSession",
  ],
]

let executables: Targets = [
  "StagecoachFixturesGenerator": ["StagecoachScenarios", "StagecoachFormats", httpTypes],
  "StagecoachTool": [
    "Stagecoach", "StagecoachXML", "StagecoachContentCoding", "StagecoachFixtures",
    "StagecoachAsyncHTTPClient", "StagecoachOrigin", "StagecoachConformance", "ConformanceSubjects",
    "StagecoachURLSession", "StagecoachCURL", "StagecoachResilience", "StagecoachSystem",
    "StagecoachTransfers", "StagecoachTransportKit", "StagecoachCache", httpTypes,
  ] + argumentParser,
]

// --- Targets with settings of their own.

let special: [Target] = [
  // The Public Suffix List as octets, compiled in: the core reads no files of its own.
  .target(name: "CPublicSuffixes", exclude: ["public_suffix_list.dat", "NOTICE"]),
  .target(
    name: "StagecoachFormats",
    dependencies: [httpTypes],
    swiftSettings: settings,
    // Charsets beyond the built-in ones: part of the C library on Linux, a library of its own on Apple's systems.
    linkerSettings: [.linkedLibrary("iconv", .when(platforms: applePlatforms))]
  ),
  .target(
    name: "StagecoachXML",
    dependencies: ["StagecoachSerializers", "StagecoachCore", "CLibXML2", httpTypes],
    // The lifetimes of views that cannot escape; nothing that a client has to enable.
    swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]
  ),
  // The decoders report errors by longjmp, which must not pass through Swift.
  .target(
    name: "CImages",
    dependencies: ["CPNG", "CJPEG", "CWebP"].map { .target($0, if: "Images") },
    cSettings: [.define("STAGECOACH_IMAGES", .when(traits: ["Images"]))]
  ),
  // The samples and the wire scripts are files that other languages can use as well.
  .target(
    name: "StagecoachSampleFixtures",
    dependencies: ["StagecoachFixtures"],
    path: "Fixtures/Scenarios",
    exclude: ["README.md"],
    sources: ["SampleFixtures.swift"],
    resources: [.copy("catalog"), .copy("users")],
    swiftSettings: settings,
    plugins: ["FixtureAccessors"]
  ),
  .target(
    name: "WireScripts",
    path: "Fixtures/Wire",
    exclude: ["README.md"],
    resources: [.copy("Scripts"), .copy("Certificates")],
    swiftSettings: settings
  ),
]

let systemLibraries: [Target] = [
  .system("CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
  .system("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
  .system("CBrotli", "libbrotlidec", apt: "libbrotli-dev", brew: "brotli"),
  .system("CZstd", "libzstd", apt: "libzstd-dev", brew: "zstd"),
  .system("CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
  .system("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
  .system("CJPEG", "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
  .system("CWebP", "libwebp", apt: "libwebp-dev", brew: "webp"),
  .system("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
  // Not through pkg-config, whose flags for it SwiftPM warns of.
  .system("CHiredis", nil, apt: "libhiredis-dev", brew: "hiredis"),
]

// --- Plug-ins.

let buildPlugins: [Target] = ["FixtureAccessors", "FixtureContractTests"].map {
  .plugin(name: $0, capability: .buildTool(), dependencies: ["StagecoachFixturesGenerator"])
}

// Permissions belong to a plug-in and not to its verbs, so verbs that need the network have a plug-in of their own.
// Neither depends on the tool, which would be compiled twice in every build.
let commandPlugins: [Target] = [
  .plugin(
    name: "ContractCommand",
    capability: .command(
      intent: .custom(verb: "contract", description: "Check and convert the fixtures of a package."),
      permissions: [.writeToPackageDirectory(reason: "Fixtures are converted and formatted in place.")]
    )
  ),
  .plugin(
    name: "ContractLiveCommand",
    capability: .command(
      intent: .custom(
        verb: "contract-live",
        description: "Record fixtures, and verify a service against them."
      ),
      permissions: [
        .allowNetworkConnections(scope: .all(), reason: "The service that is recorded or verified is asked."),
        .writeToPackageDirectory(reason: "Recordings are written to the package."),
      ]
    )
  ),
]

// --- Programs to read and to fuzz with; no products.

let programs: [Target] =
  ["JSONAPIClient", "FeedReader", "MixedAnswers"].map { name in
    .executableTarget(
      name: name,
      dependencies: ["Stagecoach", "StagecoachXML", "StagecoachOrigin"],
      path: "Examples/\(name)",
      swiftSettings: settings
    )
  } + [
    // The first example of the README as a program, which gets its URL as an argument.
    .executableTarget(
      name: "FirstExample",
      dependencies: ["Stagecoach"],
      path: "Examples/FirstExample",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    ),
    // Mutated replies on the wire, for `Fuzz/run-wire`.
    .executableTarget(
      name: "WireFuzz",
      dependencies: [
        "Stagecoach", "StagecoachConformance", "StagecoachOrigin", "WireScripts", "StagecoachAsyncHTTPClient",
        "StagecoachCURL", "StagecoachURLSession", httpTypes,
      ] + argumentParser,
      path: "Fuzz/Wire",
      swiftSettings: settings
    ),
  ]

// --- Tests, and what they share.

let testSupport: [Target] = [
  // How many tests run at a time, for the one program that all of them are linked to.
  .target(name: "CTestWidth", path: "Tests/CTestWidth"),
  // What the tests of several targets use, among it programs of the system's packages that they talk to.
  .target(
    name: "TestSupport",
    dependencies: ["StagecoachFormats", "StagecoachCore", "StagecoachStages", httpTypes],
    path: "Tests/TestSupport",
    swiftSettings: settings
  ),
  // Encoders, for images that the decoders of the library read.
  .target(
    name: "CImageEncoders",
    dependencies: [.target("CJPEG", if: "Images"), .target("CWebP", if: "Images")],
    path: "Tests/CImageEncoders",
    cSettings: [.define("STAGECOACH_IMAGES", .when(traits: ["Images"]))]
  ),
]

let tests: Targets = [
  "StagecoachFormatsTests": ["StagecoachFormats", "TestSupport", httpTypes],
  "StagecoachTests": ["Stagecoach", "StagecoachResilience", "StagecoachOrigin", "TestSupport", httpTypes],
  "StagecoachCoreTests": [
    "Stagecoach", "StagecoachSystem", "StagecoachResilience", "CTestWidth", "TestSupport", httpTypes,
  ],
  "StagecoachTransportKitTests": ["Stagecoach", "StagecoachTransportKit", "TestSupport", httpTypes],
  "StagecoachStagesTests": ["Stagecoach", "StagecoachResilience", "TestSupport", httpTypes],
  "StagecoachSerializersTests": ["Stagecoach", "TestSupport", httpTypes],
  "StagecoachResilienceTests": ["Stagecoach", "StagecoachResilience", "TestSupport", httpTypes],
  "StagecoachTransfersTests": [
    "Stagecoach", "StagecoachTransfers", "StagecoachResilience", "StagecoachContentCoding",
    "StagecoachOrigin", "TestSupport", httpTypes,
  ]
    + products("ServiceLifecycle", of: "swift-service-lifecycle", if: "ServiceLifecycle")
    + products("ServiceLifecycleTestKit", of: "swift-service-lifecycle", if: "ServiceLifecycle"),
  "StagecoachCacheTests": [
    "Stagecoach", "StagecoachCache", "StagecoachOrigin", "TestSupport", httpTypes,
    .target("CSQLite", if: "SQLite"),
  ],
  "StagecoachSystemTests": ["Stagecoach", "StagecoachSystem", "TestSupport", httpTypes],
  "StagecoachXMLTests": ["Stagecoach", "StagecoachXML", "StagecoachConformance", "TestSupport", httpTypes],
  "StagecoachContentCodingTests": ["Stagecoach", "StagecoachContentCoding", httpTypes],
  "StagecoachStructuredFieldsTests": ["StagecoachStructuredFields", httpTypes] + fieldValues,
  "StagecoachAsyncHTTPClientTests": [
    "Stagecoach", "StagecoachXML", "StagecoachAsyncHTTPClient", "StagecoachOrigin", "StagecoachConformance",
    "TestSupport", httpTypes,
  ] + products("AsyncHTTPClient", of: "async-http-client", if: "AsyncHTTPClient")
    + products("NIOCore", of: "swift-nio", if: "AsyncHTTPClient")
    + products("NIOSSL", of: "swift-nio-ssl", if: "Tool"),
  "StagecoachObservabilityTests": ["Stagecoach", "StagecoachObservability", httpTypes]
    + products("Logging", "InMemoryLogging", of: "swift-log", if: "Logging")
    + products("CoreMetrics", "MetricsTestKit", of: "swift-metrics", if: "Metrics")
    + products("Instrumentation", "Tracing", of: "swift-distributed-tracing", if: "Tracing")
    + products("InMemoryTracing", of: "swift-distributed-tracing", if: "Tracing"),
  "StagecoachScenariosTests": ["StagecoachScenarios", "StagecoachFormats", "TestSupport", httpTypes],
  "StagecoachFixturesTests": [
    "Stagecoach", "StagecoachFixtures", "StagecoachScenarios", "StagecoachXML", "StagecoachContentCoding",
    "TestSupport", httpTypes,
  ],
  "StagecoachTestingTests": [
    "Stagecoach", "StagecoachTesting", "StagecoachFixtures", "StagecoachScenarios",
    "StagecoachSampleFixtures", "TestSupport", httpTypes,
  ],
  "StagecoachFixturesGeneratorTests": [
    "StagecoachFixturesGenerator", "StagecoachScenarios", "StagecoachFormats", "TestSupport", httpTypes,
  ],
  "StagecoachConformanceTests": [
    "Stagecoach", "StagecoachConformance", "ConformanceSubjects", "StagecoachFixtures", "StagecoachOrigin",
    httpTypes,
  ],
  "StagecoachCURLTests": ["Stagecoach", "StagecoachCURL", "StagecoachConformance", "TestSupport", httpTypes],
  "StagecoachImagesTests": [
    "Stagecoach", "StagecoachImages", "StagecoachSerializers", "StagecoachStages", "StagecoachCore",
    "StagecoachFormats", "StagecoachOrigin", "StagecoachAsyncHTTPClient", "TestSupport", httpTypes,
    .target("CImageEncoders", if: "Images"),
  ],
  "StagecoachURLSessionTests": ["Stagecoach", "StagecoachURLSession", "StagecoachConformance", httpTypes],
  "StagecoachOriginTests": ["StagecoachOrigin", "StagecoachCore", httpTypes],
  "StagecoachToolTests": [
    "StagecoachTool", "StagecoachOrigin", "StagecoachConformance", "Stagecoach", "StagecoachFixtures",
    "TestSupport", httpTypes,
  ],
]

// --- The package: its targets in layers, and as products those that a user can name.

package.targets =
  libraries.map { .target(name: $0, dependencies: $1, swiftSettings: settings) }
  + executables.map { .executableTarget(name: $0, dependencies: $1, swiftSettings: settings) }
  + special + systemLibraries + buildPlugins + commandPlugins + programs + testSupport
  + tests.map { .testTarget(name: $0, dependencies: $1, swiftSettings: settings) }

let internalLibraries: Set = ["StagecoachScenarios", "ConformanceSubjects"]
package.products =
  (libraries.map(\.key) + ["StagecoachFormats", "StagecoachXML"])
  .filter { !internalLibraries.contains($0) }.map { .library(name: $0, targets: [$0]) }
  + (buildPlugins + commandPlugins).map { .plugin(name: $0.name, targets: [$0.name]) }
  + [.executable(name: "stagecoach", targets: ["StagecoachTool"])]

// --- The words of the tables above.

/// Targets with what each depends on.
typealias Targets = KeyValuePairs<String, [Target.Dependency]>

/// Fails for a trait that the package does not declare.
@MainActor func when(_ trait: String) -> TargetDependencyCondition? {
  precondition(package.traits.contains { $0.name == trait }, "there is no trait \(trait)")
  return .when(traits: [trait])
}

extension Trait {
  static func trait(_ name: String, _ description: String, enables: Set<String> = []) -> Trait {
    .trait(name: name, description: description, enabledTraits: enables)
  }
}

extension Target {
  static func system(_ name: String, _ pkgConfig: String?, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
  }
}

@MainActor extension Target.Dependency {
  static func target(_ name: String, if trait: String) -> Self {
    .target(name: name, condition: when(trait))
  }
}

@MainActor func products(_ names: String..., of package: String, if trait: String) -> [Target.Dependency] {
  names.map { .product(name: $0, package: package, condition: when(trait)) }
}
