// swift-tools-version: 6.2
import PackageDescription

// One target per cost, every dependency but swift-http-types behind a trait: SwiftPM prunes a
// package whose every use is guarded by a trait that is off, and looks for no such system library.
let asyncHTTPClient: TargetDependencyCondition? = .when(traits: ["AsyncHTTPClient"])
let tool: TargetDependencyCondition? = .when(traits: ["Tool"])
let brotli: TargetDependencyCondition? = .when(traits: ["Brotli"])
let zstandard: TargetDependencyCondition? = .when(traits: ["Zstandard"])
let images: TargetDependencyCondition? = .when(traits: ["Images"])
let curl: TargetDependencyCondition? = .when(traits: ["CURL"])
let structuredFields: TargetDependencyCondition? = .when(traits: ["StructuredFields"])
let publicSuffixes: TargetDependencyCondition? = .when(traits: ["PublicSuffixes"])
let logging: TargetDependencyCondition? = .when(traits: ["Logging"])
let metrics: TargetDependencyCondition? = .when(traits: ["Metrics"])
let tracing: TargetDependencyCondition? = .when(traits: ["Tracing"])
let sqlite: TargetDependencyCondition? = .when(traits: ["SQLite"])
let redis: TargetDependencyCondition? = .when(traits: ["Redis"])
let serviceLifecycle: TargetDependencyCondition? = .when(traits: ["ServiceLifecycle"])

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

let fieldValues: Target.Dependency = .product(
  name: "StructuredFieldValues",
  package: "swift-http-structured-headers",
  condition: structuredFields
)
let rawFieldValues: Target.Dependency = .product(
  name: "RawStructuredFieldValues",
  package: "swift-http-structured-headers",
  condition: structuredFields
)

let libraries: [Target] = [
  // The Public Suffix List as octets, compiled in: the core reads no files of its own.
  .target(name: "CPublicSuffixes", exclude: ["public_suffix_list.dat", "NOTICE"]),
  .target(
    name: "StagecoachFormats",
    dependencies: [httpTypes],
    swiftSettings: settings,
    // Charsets beyond the built-in ones: part of the C library on Linux, a library of its own on Apple's systems.
    linkerSettings: [
      .linkedLibrary("iconv", .when(platforms: applePlatforms))
    ]
  ),
  library("StagecoachCore", ["StagecoachFormats", httpTypes]),
  // What transports over engines share: for whoever writes one.
  library("StagecoachTransportKit", ["StagecoachCore", httpTypes]),
  library(
    "StagecoachStages",
    ["StagecoachCore", .target(name: "CPublicSuffixes", condition: publicSuffixes), httpTypes]
  ),
  library("StagecoachSerializers", ["StagecoachCore", httpTypes]),
  library(
    "StagecoachResilience",
    ["StagecoachStages", "StagecoachSerializers", "StagecoachCore", httpTypes]
  ),
  // Work that can be held in the hand: paused, resumed, queued, archived.
  library(
    "StagecoachTransfers",
    [
      "StagecoachResilience", "StagecoachStages", "StagecoachSerializers", "StagecoachCore", httpTypes,
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: serviceLifecycle),
    ]
  ),
  .systemLibrary(
    name: "CSQLite",
    pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
  ),
  // Not through pkg-config, whose flags for it SwiftPM warns of.
  .systemLibrary(
    name: "CHiredis",
    providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]
  ),
  // An HTTP cache: RFC 9111 as a stage, over a store.
  library(
    "StagecoachCache",
    [
      "StagecoachStages", "StagecoachCore", httpTypes, rawFieldValues,
      .target(name: "StagecoachStructuredFields", condition: structuredFields),
      .target(name: "CSQLite", condition: sqlite), .target(name: "CHiredis", condition: redis),
    ]
  ),
  // What is read of the system and few need: changes of the network, and .netrc files.
  library("StagecoachSystem", ["StagecoachStages", "StagecoachCore", httpTypes]),
  .systemLibrary(
    name: "CLibXML2",
    pkgConfig: "libxml-2.0",
    providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
  ),
  .target(
    name: "StagecoachXML",
    dependencies: ["StagecoachSerializers", "StagecoachCore", "CLibXML2", httpTypes],
    // The lifetimes of views that cannot escape; nothing that a client has to enable.
    swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]
  ),
  .systemLibrary(
    name: "CZlib",
    pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
  ),
  .systemLibrary(
    name: "CBrotli",
    pkgConfig: "libbrotlidec",
    providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
  ),
  .systemLibrary(
    name: "CZstd",
    pkgConfig: "libzstd",
    providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
  ),
  library(
    "StagecoachContentCoding",
    [
      "StagecoachCore", "CZlib", httpTypes, .target(name: "CBrotli", condition: brotli),
      .target(name: "CZstd", condition: zstandard),
    ]
  ),
  library("StagecoachStructuredFields", [httpTypes, fieldValues, rawFieldValues]),
  library(
    "StagecoachAsyncHTTPClient",
    [
      "StagecoachCore", "StagecoachTransportKit", httpTypes,
      .product(name: "AsyncHTTPClient", package: "async-http-client", condition: asyncHTTPClient),
      .product(name: "NIOCore", package: "swift-nio", condition: asyncHTTPClient),
      .product(name: "NIOPosix", package: "swift-nio", condition: asyncHTTPClient),
      .product(name: "NIOHTTP1", package: "swift-nio", condition: asyncHTTPClient),
      .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: asyncHTTPClient),
      .product(name: "NIOHPACK", package: "swift-nio-http2", condition: asyncHTTPClient),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: asyncHTTPClient),
    ]
  ),
  .systemLibrary(
    name: "CCurl",
    pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
  ),
  library(
    "StagecoachCURL",
    ["StagecoachCore", "StagecoachTransportKit", httpTypes, .target(name: "CCurl", condition: curl)]
  ),
  .systemLibrary(
    name: "CPNG",
    pkgConfig: "libpng",
    providers: [.apt(["libpng-dev"]), .brew(["libpng"])]
  ),
  .systemLibrary(
    name: "CJPEG",
    pkgConfig: "libjpeg",
    providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]
  ),
  .systemLibrary(
    name: "CWebP",
    pkgConfig: "libwebp",
    providers: [.apt(["libwebp-dev"]), .brew(["webp"])]
  ),
  // The decoders report errors by longjmp, which must not pass through Swift.
  .target(
    name: "CImages",
    dependencies: [
      .target(name: "CPNG", condition: images),
      .target(name: "CJPEG", condition: images),
      .target(name: "CWebP", condition: images),
    ],
    cSettings: [.define("STAGECOACH_IMAGES", .when(traits: ["Images"]))]
  ),
  library(
    "StagecoachImages",
    ["StagecoachStages", "StagecoachCore", httpTypes, .target(name: "CImages", condition: images)]
  ),
  // Alone links FoundationNetworking, and with it libcurl.
  library("StagecoachURLSession", ["StagecoachCore", "StagecoachTransportKit", httpTypes]),
  library(
    "StagecoachOrigin",
    [
      "StagecoachCore", "StagecoachStages", .product(name: "NIOCore", package: "swift-nio", condition: tool),
      .product(name: "NIOPosix", package: "swift-nio", condition: tool),
      .product(name: "NIOHTTP1", package: "swift-nio", condition: tool),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: tool),
      .product(name: "NIOTLS", package: "swift-nio", condition: tool),
    ]
  ),
  // The one import: the core, content coding and a transport, as far as the traits allow.
  .target(
    name: "Stagecoach",
    dependencies: [
      "StagecoachCore",
      "StagecoachStages",
      "StagecoachSerializers",
      httpTypes,
      .target(name: "StagecoachContentCoding", condition: .when(traits: ["ContentCoding"])),
      .target(
        name: "StagecoachAsyncHTTPClient",
        condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])
      ),
      .target(name: "StagecoachCURL", condition: curl),
      .target(name: "StagecoachURLSession", condition: .when(platforms: applePlatforms)),
    ],
    swiftSettings: settings
  ),
]

let observability: [Target] = [
  library(
    "StagecoachObservability",
    [
      "StagecoachCore", httpTypes, .product(name: "Logging", package: "swift-log", condition: logging),
      .product(name: "CoreMetrics", package: "swift-metrics", condition: metrics),
      .product(name: "Instrumentation", package: "swift-distributed-tracing", condition: tracing),
      .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
    ]
  ),
  tests(
    "StagecoachObservabilityTests",
    [
      "Stagecoach", "StagecoachObservability", httpTypes,
      .product(name: "Logging", package: "swift-log", condition: logging),
      .product(name: "InMemoryLogging", package: "swift-log", condition: logging),
      .product(name: "CoreMetrics", package: "swift-metrics", condition: metrics),
      .product(name: "MetricsTestKit", package: "swift-metrics", condition: metrics),
      .product(name: "Instrumentation", package: "swift-distributed-tracing", condition: tracing),
      .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
      .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: tracing),
    ]
  ),
]

let fixtures: [Target] = [
  // The format alone: what the generator of the plug-in links.
  library("StagecoachScenarios", ["StagecoachFormats", httpTypes]),
  .target(
    name: "StagecoachFixtures",
    dependencies: [
      "StagecoachScenarios", "StagecoachCore", "StagecoachXML", httpTypes,
      .target(name: "StagecoachContentCoding", condition: .when(traits: ["ContentCoding"])),
      .target(name: "StagecoachOrigin", condition: tool),
    ],
    swiftSettings: settings
  ),
  // Alone imports Swift Testing, which cannot be linked statically.
  library("StagecoachTesting", ["StagecoachFixtures", "StagecoachCore"]),
  .executableTarget(
    name: "StagecoachFixturesGenerator",
    dependencies: ["StagecoachScenarios", "StagecoachFormats", httpTypes],
    swiftSettings: settings
  ),
  .plugin(
    name: "FixtureAccessors",
    capability: .buildTool(),
    dependencies: ["StagecoachFixturesGenerator"]
  ),
  .plugin(
    name: "FixtureContractTests",
    capability: .buildTool(),
    dependencies: ["StagecoachFixturesGenerator"]
  ),
  // Permissions belong to a plug-in and not to its verbs: those that need the network are a plug-in of their own. Neither
  // depends on the tool, which would be compiled twice in every build.
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
  // The samples are files that other languages can use as well.
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
]

// The wire scripts of the conformance kit are files that other languages can use as well.
let conformance: [Target] = [
  .target(
    name: "WireScripts",
    path: "Fixtures/Wire",
    exclude: ["README.md"],
    resources: [.copy("Scripts"), .copy("Certificates")],
    swiftSettings: settings
  ),
  library(
    "StagecoachConformance",
    [
      "StagecoachCore", "StagecoachStages", "StagecoachSerializers", "StagecoachOrigin", "WireScripts",
      httpTypes,
    ]
  ),
  library(
    "ConformanceSubjects",
    [
      "Stagecoach", "StagecoachConformance", "StagecoachFixtures", "StagecoachAsyncHTTPClient",
      "StagecoachCURL", "StagecoachURLSession",
    ]
  ),
]

let executables: [Target] = [
  .executableTarget(
    name: "StagecoachTool",
    dependencies: [
      "Stagecoach", "StagecoachXML", "StagecoachContentCoding", "StagecoachFixtures",
      "StagecoachAsyncHTTPClient", "StagecoachOrigin", "StagecoachConformance", "ConformanceSubjects",
      "StagecoachURLSession",
      "StagecoachCURL", "StagecoachResilience", "StagecoachSystem", "StagecoachTransfers",
      "StagecoachTransportKit", "StagecoachCache", httpTypes,
      .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
    ],
    swiftSettings: settings
  )
]

// Mutated replies on the wire, for `Fuzz/run-wire`; no product.
let fuzzing: [Target] = [
  .executableTarget(
    name: "WireFuzz",
    dependencies: [
      "Stagecoach", "StagecoachConformance", "StagecoachOrigin", "WireScripts",
      "StagecoachAsyncHTTPClient",
      "StagecoachCURL", "StagecoachURLSession", httpTypes,
      .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
    ],
    path: "Fuzz/Wire",
    swiftSettings: settings
  )
]

// Programs to read; no products.
let examples: [Target] = ["JSONAPIClient", "FeedReader", "MixedAnswers"].map { name in
  .executableTarget(
    name: name,
    dependencies: ["Stagecoach", "StagecoachXML", "StagecoachOrigin"],
    path: "Examples/\(name)",
    swiftSettings: settings
  )
}

// The first example of the README as a program, which gets its URL as an argument.
let firstExample: [Target] = [
  .executableTarget(
    name: "FirstExample",
    dependencies: ["Stagecoach"],
    path: "Examples/FirstExample",
    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
  )
]

let tests: [Target] = [
  // How many tests run at a time, for the one program that all of them are linked to.
  .target(name: "CTestWidth", path: "Tests/CTestWidth"),
  // What the tests of several targets use, among it programs of the system's packages that they talk to.
  .target(
    name: "TestSupport",
    dependencies: ["StagecoachFormats", "StagecoachCore", "StagecoachStages", httpTypes],
    path: "Tests/TestSupport",
    swiftSettings: settings
  ),
  tests("StagecoachFormatsTests", ["StagecoachFormats", "TestSupport", httpTypes]),
  tests(
    "StagecoachTests",
    ["Stagecoach", "StagecoachResilience", "StagecoachOrigin", "TestSupport", httpTypes]
  ),
  tests(
    "StagecoachCoreTests",
    ["Stagecoach", "StagecoachSystem", "StagecoachResilience", "CTestWidth", "TestSupport", httpTypes]
  ),
  tests("StagecoachTransportKitTests", ["Stagecoach", "StagecoachTransportKit", "TestSupport", httpTypes]),
  tests("StagecoachStagesTests", ["Stagecoach", "StagecoachResilience", "TestSupport", httpTypes]),
  tests("StagecoachSerializersTests", ["Stagecoach", "TestSupport", httpTypes]),
  tests("StagecoachResilienceTests", ["Stagecoach", "StagecoachResilience", "TestSupport", httpTypes]),
  tests(
    "StagecoachTransfersTests",
    [
      "Stagecoach", "StagecoachTransfers", "StagecoachResilience", "StagecoachContentCoding",
      "StagecoachOrigin", "TestSupport", httpTypes,
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: serviceLifecycle),
      .product(
        name: "ServiceLifecycleTestKit",
        package: "swift-service-lifecycle",
        condition: serviceLifecycle
      ),
    ]
  ),
  tests(
    "StagecoachCacheTests",
    [
      "Stagecoach", "StagecoachCache", "StagecoachOrigin", "TestSupport", httpTypes,
      .target(name: "CSQLite", condition: sqlite),
    ]
  ),
  tests("StagecoachSystemTests", ["Stagecoach", "StagecoachSystem", "TestSupport", httpTypes]),
  tests(
    "StagecoachXMLTests",
    ["Stagecoach", "StagecoachXML", "StagecoachConformance", "TestSupport", httpTypes]
  ),
  tests("StagecoachContentCodingTests", ["Stagecoach", "StagecoachContentCoding", httpTypes]),
  tests(
    "StagecoachStructuredFieldsTests",
    ["StagecoachStructuredFields", httpTypes, fieldValues, rawFieldValues]
  ),
  tests(
    "StagecoachAsyncHTTPClientTests",
    [
      "Stagecoach", "StagecoachXML", "StagecoachAsyncHTTPClient", "StagecoachOrigin", "StagecoachConformance",
      "TestSupport", httpTypes,
      .product(name: "AsyncHTTPClient", package: "async-http-client", condition: asyncHTTPClient),
      .product(name: "NIOCore", package: "swift-nio", condition: asyncHTTPClient),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: tool),
    ]
  ),
  tests("StagecoachScenariosTests", ["StagecoachScenarios", "StagecoachFormats", "TestSupport", httpTypes]),
  tests(
    "StagecoachFixturesTests",
    [
      "Stagecoach", "StagecoachFixtures", "StagecoachScenarios", "StagecoachXML", "StagecoachContentCoding",
      "TestSupport", httpTypes,
    ]
  ),
  tests(
    "StagecoachTestingTests",
    [
      "Stagecoach", "StagecoachTesting", "StagecoachFixtures", "StagecoachScenarios",
      "StagecoachSampleFixtures", "TestSupport", httpTypes,
    ]
  ),
  tests(
    "StagecoachFixturesGeneratorTests",
    ["StagecoachFixturesGenerator", "StagecoachScenarios", "StagecoachFormats", "TestSupport", httpTypes]
  ),
  tests(
    "StagecoachConformanceTests",
    [
      "Stagecoach", "StagecoachConformance", "ConformanceSubjects", "StagecoachFixtures", "StagecoachOrigin",
      httpTypes,
    ]
  ),
  tests(
    "StagecoachCURLTests",
    ["Stagecoach", "StagecoachCURL", "StagecoachConformance", "TestSupport", httpTypes]
  ),
  // Encoders, for images that the decoders of the library read.
  .target(
    name: "CImageEncoders",
    dependencies: [.target(name: "CJPEG", condition: images), .target(name: "CWebP", condition: images)],
    path: "Tests/CImageEncoders",
    cSettings: [.define("STAGECOACH_IMAGES", .when(traits: ["Images"]))]
  ),
  tests(
    "StagecoachImagesTests",
    [
      "Stagecoach", "StagecoachImages", "StagecoachSerializers", "StagecoachStages", "StagecoachCore",
      "StagecoachFormats",
      "StagecoachOrigin", "StagecoachAsyncHTTPClient", "TestSupport", httpTypes,
      .target(name: "CImageEncoders", condition: images),
    ]
  ),
  tests(
    "StagecoachURLSessionTests",
    ["Stagecoach", "StagecoachURLSession", "StagecoachConformance", httpTypes]
  ),
  tests("StagecoachOriginTests", ["StagecoachOrigin", "StagecoachCore", httpTypes]),
  tests(
    "StagecoachToolTests",
    [
      "StagecoachTool", "StagecoachOrigin", "StagecoachConformance", "Stagecoach", "StagecoachFixtures",
      "TestSupport", httpTypes,
    ]
  ),
]

let package = Package(
  name: "stagecoach",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Stagecoach", targets: ["Stagecoach"]),
    .library(name: "StagecoachCore", targets: ["StagecoachCore"]),
    .library(name: "StagecoachFormats", targets: ["StagecoachFormats"]),
    .library(name: "StagecoachStages", targets: ["StagecoachStages"]),
    .library(name: "StagecoachSerializers", targets: ["StagecoachSerializers"]),
    .library(name: "StagecoachResilience", targets: ["StagecoachResilience"]),
    .library(name: "StagecoachTransfers", targets: ["StagecoachTransfers"]),
    .library(name: "StagecoachCache", targets: ["StagecoachCache"]),
    .library(name: "StagecoachSystem", targets: ["StagecoachSystem"]),
    .library(name: "StagecoachTransportKit", targets: ["StagecoachTransportKit"]),
    .library(name: "StagecoachXML", targets: ["StagecoachXML"]),
    .library(name: "StagecoachContentCoding", targets: ["StagecoachContentCoding"]),
    .library(name: "StagecoachStructuredFields", targets: ["StagecoachStructuredFields"]),
    .library(name: "StagecoachAsyncHTTPClient", targets: ["StagecoachAsyncHTTPClient"]),
    .library(name: "StagecoachObservability", targets: ["StagecoachObservability"]),
    .library(name: "StagecoachFixtures", targets: ["StagecoachFixtures"]),
    .library(name: "StagecoachTesting", targets: ["StagecoachTesting"]),
    .plugin(name: "FixtureAccessors", targets: ["FixtureAccessors"]),
    .plugin(name: "FixtureContractTests", targets: ["FixtureContractTests"]),
    .plugin(name: "ContractCommand", targets: ["ContractCommand"]),
    .plugin(name: "ContractLiveCommand", targets: ["ContractLiveCommand"]),
    .library(name: "StagecoachCURL", targets: ["StagecoachCURL"]),
    .library(name: "StagecoachImages", targets: ["StagecoachImages"]),
    .library(name: "StagecoachURLSession", targets: ["StagecoachURLSession"]),
    .library(name: "StagecoachOrigin", targets: ["StagecoachOrigin"]),
    .library(name: "StagecoachConformance", targets: ["StagecoachConformance"]),
    .executable(name: "stagecoach", targets: ["StagecoachTool"]),
  ],
  traits: [
    .trait(
      name: "ContentCoding",
      description: "Content codings (gzip, deflate) in the standard chain, over the system's zlib."
    ),
    .trait(
      name: "AsyncHTTPClient",
      description: "The transport over AsyncHTTPClient.",
      enabledTraits: ["ContentCoding"]
    ),
    .trait(
      name: "Tool",
      description: "The command-line tool and the origin server; needs AsyncHTTPClient.",
      enabledTraits: ["AsyncHTTPClient", "StructuredFields"]
    ),
    .trait(
      name: "PublicSuffixes",
      description: "The Public Suffix List (246 KB), without which cookies with a Domain are refused."
    ),
    .trait(name: "Brotli", description: "The content coding br, over the system's Brotli."),
    .trait(name: "Zstandard", description: "The content coding zstd, over the system's Zstandard."),
    .trait(
      name: "CURL",
      description: "The transport over the system's libcurl.",
      enabledTraits: ["ContentCoding"]
    ),
    .trait(
      name: "Images",
      description: "Decoding of images, over the system's libpng, libjpeg-turbo and libwebp."
    ),
    .trait(name: "SQLite", description: "The disk store of the cache, over the system's SQLite."),
    .trait(name: "Redis", description: "The cache's store for a fleet, over the system's hiredis."),
    .trait(name: "Logging", description: "The monitor over swift-log."),
    .trait(name: "Metrics", description: "The monitor over swift-metrics."),
    .trait(name: "Tracing", description: "The spans over swift-distributed-tracing."),
    .trait(
      name: "ServiceLifecycle",
      description: "Queues of transfers as services of swift-service-lifecycle."
    ),
    .trait(name: "StructuredFields", description: "Structured field values (RFC 9651)."),
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
  ],
  targets: libraries + observability + fixtures + conformance + executables + fuzzing + examples
    + firstExample + tests
)
