/// A place in a text where a secret is expected because of a name.
struct Site: Sendable {
  /// How the placeholder is written.
  enum Style: Sendable { case plain, quoted }

  /// The range of the value in the text.
  var range: Range<Int>
  /// The decoded value.
  var value: [UInt8]
  /// The name for the placeholder.
  var name: String
  /// What comes before the value in a text, as it is written: the name of a parameter or an authentication scheme.
  var label: String
  /// The kind of place and the path to the value, by which values of other messages in the same place are recognized.
  var position: String
  var style = Style.plain
  /// Whether a value that is an ordinary word is only a secret here.
  var mayBeWord = false
  /// Whether the value differs from request to request, such as the response of a digest.
  var isOneTime = false
}

/// The secrets that were found in a text.
struct Findings: Sendable {
  struct Value: Sendable {
    var octets: [UInt8]
    var name: String
  }

  var sites: [Site] = []
  /// Secrets that are replaced wherever they occur.
  var values: [Value] = []

  mutating func add(_ other: Findings) {
    sites += other.sites
    values += other.values
  }
}

/// Finds the sites of one text.
struct SiteReader {
  let text: [UInt8]
  let naming: SecretNaming
  /// The number of texts around this one.
  let depth: Int
  var findings = Findings()

  /// How deep multipart content and JSON in strings are followed.
  static let maxDepth = 4

  init(_ text: [UInt8], _ naming: SecretNaming, depth: Int = 0) {
    self.text = text
    self.naming = naming
    self.depth = depth
  }

  /// Adds a site unless its value is trivial: `"token": "none"`.
  mutating func add(_ site: Site) {
    if !SecretValues.isTrivial(site.value) { deny(site) }
  }

  /// Adds a site in a position where any value is secret.
  mutating func deny(_ site: Site) {
    if !site.range.isEmpty { findings.sites.append(site) }
  }

  mutating func learn(_ octets: [UInt8], _ name: String) {
    guard octets.count >= PatternSet.minLength, !SecretValues.isTrivial(octets) else { return }
    findings.values.append(Findings.Value(octets: octets, name: name))
  }

  /// Learns the secrets of JSON in a decoded value, such as `payload={"token":"..."}`.
  mutating func learnNested(_ value: [UInt8]) {
    guard depth < Self.maxDepth, value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "["),
      Placeholder.parse(value, at: 0) == nil
    else { return }
    var reader = SiteReader(value, naming, depth: depth + 1)
    reader.readJSON(value.indices)
    findings.values += reader.findings.searchedValues
  }
}

extension Site {
  /// Whether the value is searched in other places. Short values and words occur by chance, for other reasons.
  var isSearched: Bool {
    value.count >= PatternSet.minLength && !SecretValues.isTrivial(value)
      && !(mayBeWord && SecretValues.isWord(value))
  }
}

extension Findings {
  /// The values together with those of the sites, as far as they are searched in other places.
  var searchedValues: [Value] {
    values + sites.filter(\.isSearched).map { Value(octets: $0.value, name: $0.name) }
  }
}
