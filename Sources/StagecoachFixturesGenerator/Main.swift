import StagecoachScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes Swift for the fixtures in a folder. The build-tool plug-ins run it:
///
/// ```text
/// StagecoachFixturesGenerator accessors FOLDER OUTPUT
/// StagecoachFixturesGenerator contract-tests FOLDER OUTPUT
/// ```
@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let product = Product(rawValue: arguments[0]) else {
      let products = Product.allCases.map(\.rawValue).joined(separator: " | ")
      report("usage: StagecoachFixturesGenerator \(products) FOLDER OUTPUT")
      exit(2)
    }
    do {
      let source = try product.source(of: arguments[1])
      try Data(source.utf8).write(to: URL(filePath: arguments[2]))
    } catch let failure as GeneratorFailure {
      for line in failure.lines { report(line) }
      exit(1)
    } catch {
      report("\(arguments[2]): error: \(error)")
      exit(1)
    }
  }

  private static func report(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }
}

/// The kinds of generated files.
enum Product: String, CaseIterable {
  case accessors
  case contractTests = "contract-tests"

  /// - Throws: ``GeneratorFailure``.
  func source(of folder: String) throws -> String {
    let fixtures = try FixtureFolder(folder)
    switch self {
    case .accessors: return try AccessorSource(fixtures).text
    case .contractTests: return ContractTestSource(fixtures).text
    }
  }
}
