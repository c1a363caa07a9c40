package import StagecoachCore

/// A published verdict case of the Pact specification: an expected and an actual message, and whether they match.
///
/// The version and the kind of the message are only in the path: `version-3/testcases/request/body/matches.json`.
package struct PactCase: Sendable {
  /// The kind of the message.
  package enum Kind: String, Sendable, Hashable {
    case request, response, message
  }

  /// The result of a case.
  package struct Verdict: Sendable, Hashable {
    /// Whether the comparison agrees with the case.
    package var isRight: Bool
    /// The reason: the mismatches that were found, or that there are none.
    package var reason: String
  }

  package let version: PactVersion
  package let kind: Kind
  /// Whether the messages match.
  package let isMatch: Bool
  package let comment: String
  private let expected: JSONValue
  private let actual: JSONValue

  /// Reads a case.
  ///
  /// - Parameters:
  ///   - contents: The contents of the file.
  ///   - path: The path of the file.
  /// - Throws: `JSONSyntaxError`, or ``PactFormatError`` if the path or a member is malformed.
  package init(contents: Bytes, path: String) throws {
    let folders = path.split(separator: "/").map(String.init)
    guard let start = folders.lastIndex(of: "testcases"), start > 0, start + 1 < folders.count,
      folders[start - 1].hasPrefix("version-"),
      let version = PactVersion(rawValue: String(folders[start - 1].dropFirst(8))),
      let kind = Kind(rawValue: folders[start + 1])
    else { throw PactFormatError(path, "the path does not end in version-V/testcases/KIND/...") }
    let value = try JSONValue(parsing: contents.array, limits: .init(depth: JSONValue.pactLimits.depth))
    guard let isMatch = value["match"]?.boolValue else {
      throw PactFormatError("match", "expected a boolean")
    }
    guard let expected = value["expected"], let actual = value["actual"] else {
      throw PactFormatError("expected", "expected two messages")
    }
    self.version = version
    self.kind = kind
    self.isMatch = isMatch
    self.expected = expected
    self.actual = actual
    comment = value["comment"]?.stringValue ?? ""
  }

  /// Compares the messages.
  ///
  /// - Throws: ``PactFormatError`` if a message or a rule is malformed.
  package func mismatches() throws(PactFormatError) -> [Mismatch] {
    let comparison = MessageComparison(
      rules: try PactRulesReader().rules(expected["matchingRules"]),
      comparesQueryText: version.comparesQueryText
    )
    let reader = PactPartsReader(version: version)
    switch kind {
    case .request:
      return comparison.mismatches(
        try reader.request(expected, at: "expected"),
        try reader.request(actual, at: "actual")
      )
    case .response:
      return comparison.mismatches(
        try reader.response(expected, at: "expected"),
        try reader.response(actual, at: "actual")
      )
    case .message:
      return comparison.mismatches(
        try reader.message(expected, at: "expected"),
        try reader.message(actual, at: "actual")
      )
    }
  }

  /// Judges the case.
  package var verdict: Verdict {
    do throws(PactFormatError) {
      let mismatches = try mismatches()
      let found = mismatches.isEmpty ? "no mismatches" : mismatches.map(\.description).joined(separator: "; ")
      return Verdict(
        isRight: mismatches.isEmpty == isMatch,
        reason: "\(comment) (expected to \(isMatch ? "match" : "differ")): \(found)"
      )
    } catch {
      return Verdict(isRight: false, reason: "\(comment): \(error)")
    }
  }
}
