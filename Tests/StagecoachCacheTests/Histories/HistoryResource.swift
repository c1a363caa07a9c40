import TestSupport

/// What a URL of a history stands for.
struct HistoryResource: Sendable, CustomStringConvertible {
  enum Content: CaseIterable {
    /// The same for everybody.
    case common
    /// Made for whoever asks, whether or not Vary tells so.
    case personal
    /// Made for the values that Vary names.
    case nominated
  }

  enum Tag: CaseIterable {
    case none, weak, strong
  }

  /// The fields that may be nominated. The first two are sensitive.
  static let names = ["cookie", "authorization", "x-user", "accept-language"]

  let path: String
  let content: Content
  /// In turn, each until the next change.
  let statements: [HistoryStatement]
  /// In lower case.
  let vary: [String]
  let tag: Tag
  /// Whether one tag stands for all variants of sensitive fields, as careless origins do.
  let isSloppy: Bool
  let hasDates: Bool
  let length: Int
  let declaresLength: Bool
  let setsCookie: Bool
  let takesRanges: Bool
  let asksForCredentials: Bool
  /// How old Date is, in seconds.
  let delay: Int
  /// The Age that it has on arrival.
  let age: Int?

  init(path: String, using random: inout SplitMix) {
    func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    self.path = path
    content = Content.allCases.randomElement(using: &random) ?? .common
    let expires = one(in: 6)
    let isTargeted = one(in: 3)
    statements = (0..<(one(in: 3) ? 2 : 1)).map { _ in
      HistoryStatement(
        common: .random(expires: expires, using: &random),
        targeted: isTargeted ? .random(using: &random) : nil
      )
    }
    var vary: [String] = []
    if content == .nominated || one(in: 3) {
      vary = Self.names.filter { _ in one(in: 3) }
      if vary.isEmpty, let name = Self.names.randomElement(using: &random) { vary = [name] }
    }
    if one(in: 30) { vary.append("*") }
    self.vary = vary
    tag = one(in: 2) ? .strong : Tag.allCases.randomElement(using: &random) ?? .none
    isSloppy = content == .nominated && vary.allSatisfy(Self.isSensitive) && one(in: 2)
    hasDates = one(in: 2)
    length = Int.random(in: 100...600, using: &random)
    declaresLength = !one(in: 4)
    setsCookie = one(in: 2)
    takesRanges = !one(in: 4)
    asksForCredentials = one(in: 2)
    delay = one(in: 4) ? [3, 30, 200].randomElement(using: &random) ?? 0 : 0
    age = one(in: 6) ? [2, 40].randomElement(using: &random) : nil
  }

  var description: String {
    "\(path) \(content), vary \(vary), \(tag) tag, sloppy \(isSloppy), dates \(hasDates), delay \(delay), "
      + "age \(age ?? 0), \(length) bytes"
  }

  static func isSensitive(_ name: String) -> Bool { name == "cookie" || name == "authorization" }

  /// Whether Location or Content-Location names it.
  func isNamed(by reference: String?) -> Bool {
    [path, String(path.dropFirst()), "https://h" + path].contains(reference)
  }

  // MARK: Marks

  /// Whose content it is, and of which version.
  struct Mark: Sendable, Hashable {
    let owner: String
    let version: Int

    /// Content that only one answer has, in place of what the URL stands for.
    static func own(_ sequence: Int, version: Int) -> Self {
      Self(owner: "-\(sequence)", version: version)
    }
    var isOwn: Bool { owner.hasPrefix("-") }
  }

  func mark(for user: HistoryUser, _ fields: [String: String], version: Int) -> Mark {
    switch content {
    case .common: Mark(owner: "all", version: version)
    case .personal: Mark(owner: user.name, version: version)
    case .nominated: Mark(owner: Self.owner(of: nominated(in: fields)), version: version)
    }
  }

  /// A short name for values, which does not show them.
  private static func owner(of values: [String?]) -> String {
    var hash: UInt32 = 2_166_136_261
    for octet in values.map({ $0.map { "=" + $0 } ?? "-" }).joined(separator: "|").utf8 {
      hash = (hash ^ UInt32(octet)) &* 16_777_619
    }
    return String(hash, radix: 36)
  }

  /// The values of the fields in Vary, as far as their differences count.
  func nominated(in fields: [String: String]) -> [String?] {
    vary.map { name in fields[name].map { $0.filter { $0 != " " }.lowercased() } }
  }

  /// The entity tag, quoted; nil if there is none.
  func tag(of mark: Mark) -> String? {
    let text = "\"\(path.dropFirst()).\(isSloppy && !mark.isOwn ? "any" : mark.owner).\(mark.version)\""
    switch tag {
    case .none: return nil
    case .weak: return "W/" + text
    case .strong: return text
    }
  }

  // MARK: Content

  /// The content, of which any 60 bytes show the whole mark.
  func body(of mark: Mark) -> [UInt8] {
    let unit = Array("[\(mark.owner).\(mark.version)]".utf8)
    return (0..<length).map { unit[$0 % unit.count] }
  }

  /// The mark in some bytes of a body; nil if there is none.
  static func mark(in bytes: [UInt8]) -> Mark? {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "[")) else { return nil }
    let rest = bytes[(start + 1)...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: ".")
    guard words.count == 2, let version = Int(words[1]) else { return nil }
    return Mark(owner: String(words[0]), version: version)
  }
}
