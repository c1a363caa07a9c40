public import StagecoachCore

/// An event of the stage ``Cookies``. Contains the names of cookies but no values.
@nonexhaustive
public enum CookieEvent: StageEvent, Hashable {
  /// This many cookies of the jar were added to the request.
  case sent(count: Int)
  /// This many cookies of the jar were omitted from the request, because of the limits of the jar.
  case omitted(count: Int)
  /// A cookie was stored.
  case stored(name: String, domain: String)
  /// The server removed a cookie.
  case removed(name: String, domain: String)
  /// A cookie was removed to make room for another one.
  case evicted(name: String, domain: String)
  /// A cookie was not stored.
  case rejected(name: String, reason: CookieRejection)

  /// A description on one line.
  public var description: String {
    switch self {
    case .sent(let count): "cookies: \(count) sent"
    case .omitted(let count): "cookies: \(count) omitted, beyond the limits of the jar"
    case .stored(let name, let domain): "cookies: \(Self.shown(name)) stored for \(domain)"
    case .removed(let name, let domain): "cookies: \(Self.shown(name)) removed for \(domain)"
    case .evicted(let name, let domain): "cookies: \(Self.shown(name)) of \(domain) evicted"
    case .rejected(let name, let reason): "cookies: \(Self.shown(name)) rejected: \(reason)"
    }
  }

  private static func shown(_ name: String) -> String {
    guard !name.isEmpty else { return "one without a name" }
    return Format.oneLine(name.count > 64 ? "\(name.prefix(64))…" : name)
  }
}
