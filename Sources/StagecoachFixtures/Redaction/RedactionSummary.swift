/// What became of the secrets of a recording. It holds names and places, and no value.
public struct RedactionSummary: Sendable, Hashable {
  /// A secret that was replaced.
  public struct Entry: Sendable, Hashable {
    /// The name and the number, such as `ACCESS_TOKEN-1`.
    public let name: String
    /// Where it stood, such as `reply.body $.access_token`.
    public let place: String
    /// What stands in its place: `text`, or the kind of a made-up value.
    public let kind: String

    init(_ name: String, _ place: String, _ kind: String) {
      self.name = name
      self.place = place
      self.kind = kind
    }
  }

  /// What was replaced, in the order of the exchanges.
  public internal(set) var replaced: [Entry] = []
  /// The places with a value that may be a secret and was not replaced, a line each.
  public internal(set) var reported: [String] = []
  /// The places that stay because the options say so.
  public internal(set) var kept: [String] = []
  /// The exchanges of which only method and path were recorded, and why.
  public internal(set) var omitted: [String] = []

  /// The summary, a line for each secret and each place.
  public var lines: [String] {
    var names: [String] = []
    var places: [String: [String]] = [:]
    for entry in replaced {
      let name =
        entry.kind == "text" || entry.kind == "in a text" ? entry.name : "\(entry.name) (\(entry.kind))"
      if places[name] == nil { names.append(name) }
      if places[name]?.contains(entry.place) != true { places[name, default: []].append(entry.place) }
    }
    return names.map { name in
      let all = places[name] ?? []
      let others = all.count > Self.shownPlaces ? " and \(all.count - Self.shownPlaces) more places" : ""
      return "replaced \(name): \(all.prefix(Self.shownPlaces).joined(separator: ", "))\(others)"
    }
      + Set(kept).sorted().map { "kept: \($0)" }
      + reported.map { "may be a secret, not replaced: \($0)" }
      + omitted.map { "not recorded: \($0)" }
  }

  /// Adds what became of further secrets.
  mutating func add(_ other: RedactionSummary) {
    replaced += other.replaced
    reported += other.reported
    kept += other.kept
    omitted += other.omitted
  }

  /// The number of places that are listed for a secret.
  private static let shownPlaces = 3

  /// Creates an empty summary.
  public init() {}
}
