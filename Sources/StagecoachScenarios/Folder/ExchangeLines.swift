/// The lines of the exchanges in a manifest.
package struct ExchangeLines: Sendable {
  private let lines: [Int]

  /// - Parameter manifest: The content of a manifest that was read before.
  package init(in manifest: [UInt8]) {
    lines = ManifestLines.lines(ofElementsOf: "exchanges", in: manifest)
  }

  /// The line of an exchange, starting at 1.
  package subscript(index: Int) -> Int { lines.indices.contains(index) ? lines[index] : 1 }
}
