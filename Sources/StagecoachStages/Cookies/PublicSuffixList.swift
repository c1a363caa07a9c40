import StagecoachCore

#if PublicSuffixes
  import CPublicSuffixes
#endif

/// A list of public suffixes: domains under which anyone can register a name, such as `com`, `co.uk` and `github.io`,
/// and for which no cookies may be set.
///
/// It contains the rules of a list in the format of <https://publicsuffix.org>, of registries and of private
/// companies. For a domain without a rule, the last label is the public suffix.
///
/// ```swift
/// PublicSuffixList.bundled.registrableDomain(of: "www.example.co.uk")  // example.co.uk
/// ```
public struct PublicSuffixList: Sendable {
  /// The rules for a name.
  struct Kind: OptionSet {
    let rawValue: UInt8
    /// The name is a public suffix.
    static let suffix = Kind(rawValue: 1)
    /// Each name with one more label is a public suffix.
    static let wildcard = Kind(rawValue: 2)
    /// The name is not a public suffix, although a wildcard matches it.
    static let exception = Kind(rawValue: 4)
  }

  /// A name in `text` with its rules.
  struct Rule {
    var start: UInt32
    var count: UInt8
    var kind: Kind
  }

  /// Ascending by the octets of their names.
  private let rules: [Rule]
  /// The names, in ASCII and lower-cased, without anything between them.
  private let text: [UInt8]
  /// The most labels that a suffix of the list has; `nil` where each name is a suffix.
  private let depth: Int?

  /// The list that is compiled in with the trait `PublicSuffixes`, which is on by default; read when it is first used.
  ///
  /// Without the trait nothing is known of any domain, and each name is a public suffix: cookies with a `Domain` are
  /// refused, unless the jar has a list of its own.
  public static let bundled: PublicSuffixList = {
    #if PublicSuffixes
      var count = 0
      let start = stagecoach_public_suffixes(&count)
      return PublicSuffixList(octets: UnsafeBufferPointer(start: start, count: count))
    #else
      return PublicSuffixList()
    #endif
  }()

  #if !PublicSuffixes
    /// A list by which each name is a public suffix.
    private init() {
      (rules, text, depth) = ([], [], nil)
    }
  #endif

  /// Parses a list, such as `/usr/share/publicsuffix/public_suffix_list.dat`, in UTF-8.
  ///
  /// A line is a rule up to its first white space. Empty lines, comments that start with `//`, invalid domains and
  /// rules with an asterisk after the first label are ignored.
  public init(parsing octets: [UInt8]) {
    self = octets.withUnsafeBufferPointer { PublicSuffixList(octets: $0) }
  }

  private init(octets: UnsafeBufferPointer<UInt8>) {
    var reader = PublicSuffixReader()
    reader.read(octets)
    (rules, text, depth) = reader.finish()
  }

  /// The number of rules.
  public var count: Int { rules.count }

  /// Returns the registrable domain of a host: its public suffix with one more label. All hosts of a registrable
  /// domain may share cookies.
  ///
  /// - Parameter host: A name in ASCII (`xn--` for anything else), in any case.
  /// - Returns: The domain in lower case; `nil` for a public suffix, an IP address or an invalid name.
  public func registrableDomain(of host: String) -> String? {
    var host = host.lowercased()
    let start = host.withUTF8 { $0.first == UInt8(ascii: ".") ? nil : registrableStart($0) }
    return start.map { String(Substring(host.utf8.dropFirst($0))) }
  }

  /// Returns whether a host is a public suffix: by a rule, or because it has only one label.
  public func isPublicSuffix(_ host: String) -> Bool {
    var host = host.lowercased()
    return host.withUTF8 { !$0.isEmpty && !CookieHost.isAddress($0) && suffixStart($0) == 0 }
  }

  /// Returns the registrable domain of a host, or the host if there is none. Cookies are grouped by it.
  ///
  /// - Parameter host: The host in the form of ``TargetURI``: in lower-case ASCII.
  func site(of host: String) -> String {
    var host = host
    guard let start = host.withUTF8({ registrableStart($0) }), start > 0 else { return host }
    return String(Substring(host.utf8.dropFirst(start)))
  }

  /// Returns the start of the registrable domain of a lower-case host.
  func registrableStart(_ host: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !CookieHost.isAddress(host) else { return nil }
    let suffix = suffixStart(host)
    guard suffix > 1 else { return nil }
    let start = Self.labelStart(host, before: suffix - 1)
    return start < suffix - 1 ? start : nil
  }

  /// Returns the start of the public suffix of a lower-case host. A trailing dot belongs to no label.
  private func suffixStart(_ host: UnsafeBufferPointer<UInt8>) -> Int {
    guard let depth else { return 0 }
    let end = host.last == UInt8(ascii: ".") ? host.count - 1 : host.count
    var start = Self.labelStart(host, before: end)
    var suffix = start
    var isCovered = false
    for _ in 0..<max(depth, 1) {
      let kind = kind(UnsafeBufferPointer(rebasing: host[start..<end]))
      if kind.contains(.exception) { return Self.behindLabel(host, at: start, end: end) }
      if isCovered || kind.contains(.suffix) { suffix = start }
      isCovered = kind.contains(.wildcard)
      guard start > 0 else { break }
      start = Self.labelStart(host, before: start - 1)
    }
    return suffix
  }

  /// Returns the start of the label that ends before a position.
  private static func labelStart(_ host: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
    var start = end
    while start > 0, host[start - 1] != UInt8(ascii: ".") { start -= 1 }
    return start
  }

  /// The start of the label behind the one at a position, which for the last one is that itself.
  private static func behindLabel(_ host: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Int {
    host[start..<end].firstIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? start
  }

  private func kind(_ name: UnsafeBufferPointer<UInt8>) -> Kind {
    text.withUnsafeBufferPointer { text in
      var range = 0..<rules.count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        let rule = rules[middle]
        let start = Int(rule.start)
        let order = OctetOrder.compare(
          name,
          UnsafeBufferPointer(rebasing: text[start..<start + Int(rule.count)])
        )
        if order == 0 { return rule.kind }
        range = order < 0 ? range.lowerBound..<middle : middle + 1..<range.upperBound
      }
      return []
    }
  }
}
