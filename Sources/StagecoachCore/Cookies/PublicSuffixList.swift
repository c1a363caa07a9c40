import CPublicSuffixes

/// The domains under which anyone can register a name, such as `com`, `co.uk` and `github.io`: whoever could set
/// a cookie for one of them would set it for strangers.
///
/// It holds the rules of a list in the format of <https://publicsuffix.org>, those of registries and those of
/// private companies alike. A domain that no rule is about ends in a public suffix of one label.
///
/// ```swift
/// PublicSuffixList.bundled.registrableDomain(of: "www.example.co.uk")  // example.co.uk
/// ```
public struct PublicSuffixList: Sendable {
  /// What the list says about a name.
  struct Kind: OptionSet {
    let rawValue: UInt8
    /// The name is a suffix.
    static let suffix = Kind(rawValue: 1)
    /// Each name with one label more is a suffix.
    static let wildcard = Kind(rawValue: 2)
    /// The name is none, although a wildcard covers it.
    static let exception = Kind(rawValue: 4)
  }

  /// A name in `text`, and what the list says about it.
  struct Rule {
    var start: UInt32
    var count: UInt8
    var kind: Kind
  }

  /// Ascending by the octets of their names.
  private let rules: [Rule]
  /// The names, in ASCII and lower-cased, without anything between them.
  private let text: [UInt8]
  /// The most labels that a suffix of the list has.
  private let depth: Int

  /// The list that is part of the library; it is read when it is first asked for.
  public static let bundled: PublicSuffixList = {
    var count = 0
    let start = stagecoach_public_suffixes(&count)
    return PublicSuffixList(octets: UnsafeBufferPointer(start: start, count: count))
  }()

  /// Reads a list, such as `/usr/share/publicsuffix/public_suffix_list.dat`, in UTF-8.
  ///
  /// A line is a rule up to its first white space; an empty one and one that starts with `//` are none, nor is
  /// one that can be no domain or has an asterisk behind its first label.
  public init(parsing octets: [UInt8]) {
    self = octets.withUnsafeBufferPointer { PublicSuffixList(octets: $0) }
  }

  private init(octets: UnsafeBufferPointer<UInt8>) {
    var reader = PublicSuffixReader()
    reader.read(octets)
    (rules, text, depth) = reader.finish()
  }

  /// How many rules there are.
  public var count: Int { rules.count }

  /// The public suffix of a host and the label before it: what one owner has registered, and all of whose hosts
  /// may share cookies.
  ///
  /// - Parameter host: A name in ASCII (`xn--` for anything else), in any case.
  /// - Returns: The domain, lower-cased; nil for a public suffix, an IP address and what is no name.
  public func registrableDomain(of host: String) -> String? {
    var host = host.lowercased()
    let start = host.withUTF8 { $0.first == UInt8(ascii: ".") ? nil : registrableStart($0) }
    return start.map { String(Substring(host.utf8.dropFirst($0))) }
  }

  /// Whether a host is a public suffix: by a rule, or because it has one label alone.
  public func isPublicSuffix(_ host: String) -> Bool {
    var host = host.lowercased()
    return host.withUTF8 { !$0.isEmpty && !CookieHost.isAddress($0) && suffixStart($0) == 0 }
  }

  /// The registrable domain of a host, and where there is none the host: whose cookies are kept together.
  ///
  /// - Parameter host: As ``TargetURI`` has it: in ASCII and lower-cased.
  func site(of host: String) -> String {
    var host = host
    guard let start = host.withUTF8({ registrableStart($0) }), start > 0 else { return host }
    return String(Substring(host.utf8.dropFirst(start)))
  }

  /// Where the registrable domain of a lower-cased host starts.
  func registrableStart(_ host: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !CookieHost.isAddress(host) else { return nil }
    let suffix = suffixStart(host)
    guard suffix > 1 else { return nil }
    let start = Self.labelStart(host, before: suffix - 1)
    return start < suffix - 1 ? start : nil
  }

  /// Where the public suffix of a lower-cased host starts. The dot behind a complete name is part of no label.
  private func suffixStart(_ host: UnsafeBufferPointer<UInt8>) -> Int {
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

  /// Where the label starts that ends before a position.
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
