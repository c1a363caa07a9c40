/// Finds the secrets of a text that are recognized without its syntax.
struct TextFindings: Sendable {
  let naming: SecretNaming
  let detector: (@Sendable (String) -> [String])?
  /// Finds the values of the options.
  let knownValues: SecretFinder
  let known: [[UInt8]]

  init(_ options: RedactionOptions) {
    naming = SecretNaming(additional: options.secretNames, allowed: options.allowedNames)
    detector = options.detector
    known = options.secretValues.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    knownValues = SecretFinder(known.map { ($0, []) })
  }

  /// Returns the secrets of a text and of its decoded forms.
  ///
  /// - Parameter areCredentials: Whether the text is a field with credentials, which are found by their place.
  func values(in text: [UInt8], areCredentials: Bool = false) -> [Findings.Value] {
    var reader = SiteReader(text, naming)
    for match in knownValues.matches(in: text) { reader.learn(known[match.secret], "VALUE") }
    for view in TextView.all(of: text, depth: 1) {
      for finding in SecretShapes.all(in: view.octets) where !areCredentials || finding.kind != .credentials {
        let octets = Array(view.octets[finding.range])
        reader.learn(octets, finding.kind.placeholderName)
        if finding.kind == .cardNumber {
          reader.learn(octets.filter(\.isDigit), finding.kind.placeholderName)
        }
      }
      var decoded = SiteReader(view.octets, naming)
      decoded.learnAssignments()
      if !view.escapings.isEmpty { decoded.readURLs() }
      reader.findings.values += decoded.findings.searchedValues
      for secret in detector?(String(decoding: view.octets, as: UTF8.self)) ?? [] {
        reader.learn(Array(secret.utf8), SecretKind.custom.placeholderName)
      }
    }
    // What a placeholder replaces has been found before.
    return reader.findings.values.filter { $0.octets.firstOffset(of: Placeholder.start) == nil }
  }
}
