// swift-tools-version: 6.2
import PackageDescription

// A client and a service that agree on fixtures, as a package of its own. CI copies and builds it as it stands.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "ContractTests",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "stagecoach", path: "../..", traits: [])],
  targets: [
    .target(
      name: "UsersAPI",
      dependencies: [.product(name: "Stagecoach", package: "stagecoach")],
      swiftSettings: settings
    ),
    .target(
      name: "UsersService",
      dependencies: [.product(name: "Stagecoach", package: "stagecoach")],
      swiftSettings: settings
    ),
    // The fixtures as a target: what changes in its folder is noticed by the next build.
    .target(
      name: "UsersFixtures",
      dependencies: [.product(name: "StagecoachFixtures", package: "stagecoach")],
      path: "Fixtures",
      sources: ["UsersFixtures.swift"],
      resources: [.copy("users")],
      swiftSettings: settings,
      plugins: [.plugin(name: "FixtureAccessors", package: "stagecoach")]
    ),
    // The client replays the fixtures.
    .testTarget(
      name: "UsersAPITests",
      dependencies: [
        "UsersAPI", "UsersService", "UsersFixtures",
        .product(name: "StagecoachTesting", package: "stagecoach"),
      ],
      swiftSettings: settings
    ),
    // The service is verified against them: one test for each exchange is generated.
    .testTarget(
      name: "UsersServiceTests",
      dependencies: [
        "UsersService", "UsersFixtures", .product(name: "StagecoachTesting", package: "stagecoach"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "FixtureContractTests", package: "stagecoach")]
    ),
  ]
)
