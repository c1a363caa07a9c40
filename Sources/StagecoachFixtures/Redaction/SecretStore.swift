import StagecoachFormats

/// The secrets of a scenario and the placeholders that replace them.
struct SecretStore: Sendable {
  struct Secret: Sendable {
    let value: [UInt8]
    let placeholder: Placeholder
    /// What comes before a value that is not searched elsewhere. Empty if the name means nothing in other places:
    /// the language in a cookie may be the same as in a query.
    let label: String?
  }

  private struct ShortKey: Hashable {
    let name: String
    let value: [UInt8]
  }

  /// The secrets in the order in which they were found.
  private(set) var secrets: [Secret] = []
  private var searched: [[UInt8]: Placeholder] = [:]
  private var short: [ShortKey: Placeholder] = [:]
  /// The placeholders that were read or made.
  private(set) var placeholders: [Placeholder] = []
  private var known: Set<Placeholder> = []
  private var highestNumbers: [String: Int] = [:]
  /// The placeholders that were read, by their position.
  private var recorded: [String: Set<Placeholder>] = [:]

  /// Notes that a placeholder occurs in a recording.
  mutating func note(_ placeholder: Placeholder) {
    guard known.insert(placeholder).inserted else { return }
    placeholders.append(placeholder)
    highestNumbers[placeholder.name] = max(highestNumbers[placeholder.name] ?? 0, placeholder.number)
  }

  /// Returns the placeholder for the value at a site. Learns the value if it is new.
  ///
  /// - Parameter exchange: The method and the path of a request, which distinguish sites with the same position.
  mutating func placeholder(for site: Site, exchange: String?) -> Placeholder {
    let positions = [exchange.map { "\($0) \(site.position)" }, site.position].compactMap(\.self)
    if let placeholder = Placeholder(exactly: site.value) {
      note(placeholder)
      for position in positions { recorded[position, default: []].insert(placeholder) }
      return placeholder
    }
    if let placeholder = searched[site.value] { return placeholder }
    // Cookies and fields may contain escapes that their syntax does not know.
    let decoded = site.value.percentDecoded
    if let placeholder = searched[decoded], site.isSearched {
      remember(site.value, placeholder)
      return placeholder
    }
    let key = ShortKey(name: site.name, value: site.value)
    if !site.isSearched, let placeholder = short[key] { return placeholder }
    let isSearched = site.isSearched
    var sameName: Placeholder?
    for position in positions where sameName == nil {
      sameName = only(recorded[position] ?? [], named: site.name)
    }
    let placeholder =
      sameName
      ?? (site.isOneTime ? Placeholder(name: site.name, number: 1) : next(site.name))
    note(placeholder)
    if isSearched {
      remember(site.value, placeholder)
      if decoded != site.value, decoded.count >= PatternSet.minLength { remember(decoded, placeholder) }
    } else {
      short[key] = placeholder
      let label = site.mayBeWord || SecretValues.isTrivial(site.value) ? "" : site.label
      secrets.append(Secret(value: site.value, placeholder: placeholder, label: label))
    }
    return placeholder
  }

  /// Learns a value that is replaced wherever it occurs.
  mutating func learn(_ value: Findings.Value) {
    guard searched[value.octets] == nil, Placeholder(exactly: value.octets) == nil else { return }
    let placeholder = only(recorded["name \(value.name)"] ?? [], named: value.name) ?? next(value.name)
    note(placeholder)
    remember(value.octets, placeholder)
  }

  private mutating func remember(_ value: [UInt8], _ placeholder: Placeholder) {
    searched[value] = placeholder
    secrets.append(Secret(value: value, placeholder: placeholder, label: nil))
  }

  /// Returns whether a value that is searched was found.
  func contains(_ value: [UInt8]) -> Bool { searched[value] != nil }

  /// Notes the placeholders of a text, wherever they are in it.
  mutating func noteAll(in text: [UInt8]) {
    for found in Placeholder.all(in: text) {
      note(found.placeholder)
      recorded["name \(found.placeholder.name)", default: []].insert(found.placeholder)
    }
  }

  /// Finds the secrets in a text, and the placeholders, in any encoding as well. The secrets have the numbers after the
  /// placeholders.
  var finder: SecretFinder {
    SecretFinder(
      placeholders.map { (Array($0.text.utf8), Array($0.text.utf8)) }
        + secrets.map { ($0.value, Array($0.placeholder.text.utf8)) },
      named: secrets.enumerated().compactMap { index, secret in
        secret.label.map { label in
          SecretFinder.Named(name: Array(label.lowercased().utf8), secret: placeholders.count + index)
        }
      }
    )
  }

  /// The only placeholder with a name; `nil` if there are several.
  private func only(_ placeholders: Set<Placeholder>, named name: String) -> Placeholder? {
    let candidates = placeholders.filter { $0.name == name }
    return candidates.count == 1 ? candidates.first : nil
  }

  private func next(_ name: String) -> Placeholder {
    Placeholder(name: name, number: (highestNumbers[name] ?? 0) + 1)
  }
}
