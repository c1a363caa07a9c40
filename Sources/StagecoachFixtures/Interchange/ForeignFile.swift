import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file of another tool that is read as a scenario.
struct ForeignFile {
  /// The nesting of JSON: what is read of it is compared by recursion.
  private static let limits = JSONValue.Limits(depth: 200)
  /// The exchanges of a file.
  static let maxExchanges = 100_000

  /// Its path, or its name in errors.
  let name: String
  let bytes: [UInt8]
  /// Where the files that it names lie; `nil` if they cannot be read.
  let folder: ScenarioFolder?
  /// The folder of the import that the file belongs to, with `/` in front.
  var project: String?

  init(name: String, bytes: [UInt8], folder: ScenarioFolder?) {
    self.name = name
    // Without the byte order mark that some tools write.
    self.bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    self.folder = folder
  }

  /// - Parameter path: Where the file lies.
  init(path: String, bytes: [UInt8]) {
    let slash = path.lastIndex(of: "/")
    self.init(
      name: path,
      bytes: bytes,
      folder: ScenarioFolder(path: slash.map { String(path[..<$0]) } ?? ".")
    )
  }

  /// The folder of the files that mappings of WireMock name: `__files`, beside this file or further up, as far as beside
  /// the folder `mappings` or in ``project``.
  var folderOfContents: ScenarioFolder? {
    guard let folder else { return nil }
    var path = name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
    var places: [String] = []
    while let slash = path.lastIndex(of: "/") {
      path = String(path[..<slash])
      places.append(path)
    }
    let last = max(
      places.lastIndex { $0.hasSuffix("/mappings") }.map { $0 + 1 } ?? 0,
      project.flatMap(places.firstIndex) ?? 0
    )
    let place = places.prefix(last + 1).first { FileManager.default.fileExists(atPath: $0 + "/__files") }
    return (place.map { ScenarioFolder(path: $0) } ?? folder).inner("__files")
  }

  /// The file as JSON.
  ///
  /// - Throws: ``ScenarioError``, with the line.
  func json() throws -> ManifestNode {
    guard bytes.count <= ScenarioFolder.limit else {
      throw ScenarioError(.limit, file: name, "the file has more than \(ScenarioFolder.limit >> 20) MiB")
    }
    do {
      return ManifestNode(try parsed())
    } catch {
      throw ScenarioError(
        error.isOfLimit ? .limit : .syntax,
        file: name,
        line: error.line,
        Format.describe(error)
      )
    }
  }

  private func parsed() throws(JSONSyntaxError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes, limits: Self.limits)
    } catch  where !error.isOfLimit && JSONComments.areIn(bytes) {
      return try JSONValue(parsing: JSONComments.blanked(in: bytes), limits: Self.limits)
    } catch  where error.reason == .loneSurrogate {
      // Texts of JavaScript may hold half a character, which no octets stand for.
      return try JSONValue(parsing: LoneSurrogates.replaced(in: bytes), limits: Self.limits)
    }
  }

  /// Reads values of the file, and adds the line to an error.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as ManifestNode.Failure {
      let line = ManifestLines.line(of: failure.path, in: bytes)
      throw ScenarioError(.invalid, file: name, line: line, failure.message)
    }
  }

  /// Checks the number of exchanges.
  func check(_ exchanges: [ManifestNode]) throws {
    guard exchanges.count <= Self.maxExchanges else {
      throw ScenarioError(.limit, file: name, "the file has more than \(Self.maxExchanges) exchanges")
    }
  }

  /// Reads a file that this one names.
  ///
  /// - Parameters:
  ///   - attachment: The name, as the file has it.
  ///   - folder: The folder of the file; `nil` if it cannot be read.
  ///   - left: The bytes that may still be read.
  func contents(of attachment: ManifestNode, in folder: ScenarioFolder?, _ left: inout Int) throws -> Bytes {
    let name = try attachment.string()
    guard let folder else {
      throw attachment.failure("the content lies in the file \"\(name)\", which is not here")
    }
    return Bytes(try folder.contents(of: name, &left))
  }
}
