import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Which stored responses belong to a request: Vary (RFC 9111 4.1).
extension CacheRules {
  /// The fields that a response depends on, with their values in the request; nil if no request can match.
  func nominated(
    by fields: HTTPFields,
    _ request: HTTPRequest,
    conceal: Conceal
  ) -> [CachedResponse.Nominated]? {
    guard let vary = VaryField(fields) else { return nil }
    return nominated(vary.names, request, conceal: conceal)
  }

  /// The values of nominated fields in a request; nil if one is unreadable, so that no response matches.
  func nominated(
    _ names: [String],
    _ request: HTTPRequest,
    conceal: Conceal
  ) -> [CachedResponse.Nominated]? {
    var nominated: [CachedResponse.Nominated] = []
    for name in names {
      switch NominatedValue(of: name, in: request.headerFields).concealed(name, conceal) {
      case .absent: nominated.append(CachedResponse.Nominated(name: name, value: nil))
      case .value(let value): nominated.append(CachedResponse.Nominated(name: name, value: value))
      case .unreadable: return nil
      }
    }
    return nominated
  }

  /// The entries whose nominated fields match a request, the best first: those with Vary before those without, then
  /// the latest Date, then the latest arrival.
  func matching(_ entries: [CacheEntry], _ request: HTTPRequest, conceal: Conceal) -> [CacheEntry] {
    if entries.count == 1, entries[0].response.vary.isEmpty { return entries }
    // The values are the same for all entries, and a hash takes long.
    var values: [String: NominatedValue] = [:]
    let matches = entries.filter { entry in
      entry.response.vary.allSatisfy { nominated in
        let value =
          values[nominated.name]
          ?? NominatedValue(of: nominated.name, in: request.headerFields).concealed(nominated.name, conceal)
        values[nominated.name] = value
        return value.matches(nominated)
      }
    }
    guard matches.count > 1 else { return matches }
    return matches.map { (entry: $0, date: $0.response.date) }.sorted { a, b in
      if a.entry.response.vary.isEmpty != b.entry.response.vary.isEmpty {
        return !a.entry.response.vary.isEmpty
      }
      if a.date != b.date { return a.date > b.date }
      return a.entry.response.responseTime > b.entry.response.responseTime
    }.map(\.entry)
  }

  /// Whether the origin may be asked if a response to another variant is the answer too.
  ///
  /// Not if the requests differ in a sensitive field, so that a weak choice of tags at the origin gives nobody what
  /// is another's, nor in the coding that the caller accepts.
  func isCandidate(_ response: CachedResponse, for request: HTTPRequest, conceal: Conceal) -> Bool {
    guard response.part == nil, response.head.status == .ok, response.strongTag != nil else { return false }
    return response.vary.allSatisfy { nominated in
      let isStrict = nominated.name == "accept-encoding" || conceal(nominated.name, "") != nil
      return !isStrict
        || NominatedValue(of: nominated.name, in: request.headerFields).concealed(nominated.name, conceal)
          .matches(nominated)
    }
  }
}

/// The value of a request field in the form that is compared: its lines joined, without blanks around commas and at
/// the ends; in fields of content negotiation without all blanks, and in lower case.
enum NominatedValue: Hashable {
  case absent
  case value(String)
  /// The value is not UTF-8, so that a string cannot hold it.
  case unreadable

  init(of name: String, in fields: HTTPFields) {
    var octets: [UInt8]?
    let isNegotiation = name == "accept" || name == "accept-encoding" || name == "accept-language"
    for index in fields.startIndex..<fields.endIndex where fields[index].name.canonicalName == name {
      if octets != nil { octets?.append(UInt8(ascii: ",")) }
      octets = octets ?? []
      fields[index].withUnsafeBytesOfValue { octets?.append(contentsOf: $0) }
    }
    guard let octets else {
      self = .absent
      return
    }
    let normalized = Self.normalized(octets, isNegotiation: isNegotiation)
    let text = String(decoding: normalized, as: UTF8.self)
    self = text.utf8.elementsEqual(normalized) ? .value(text) : .unreadable
  }

  /// The value, or the hash of it if the field is sensitive.
  func concealed(_ name: String, _ conceal: CacheRules.Conceal) -> Self {
    guard case .value(let value) = self, let hash = conceal(name, value) else { return self }
    return .value(hash)
  }

  /// Whether a stored value is the same.
  func matches(_ nominated: CachedResponse.Nominated) -> Bool {
    switch (self, nominated.value) {
    case (.absent, nil): true
    // Octets are compared, because Swift's strings are equal if their characters look the same.
    case (.value(let value), let stored?): value.utf8.elementsEqual(stored.utf8)
    default: false
    }
  }

  private static func normalized(_ octets: [UInt8], isNegotiation: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    // The number of blanks at the end of the result that are dropped before a comma and at the end.
    var blanks = 0
    var isQuoted = false
    var isEscaped = false
    for octet in octets {
      if isQuoted {
        result.append(octet)
        if isEscaped {
          isEscaped = false
        } else if octet == UInt8(ascii: "\\") {
          isEscaped = true
        } else if octet == UInt8(ascii: "\"") {
          isQuoted = false
        }
        continue
      }
      if octet.isBlankInField {
        if isNegotiation || result.isEmpty || (blanks == 0 && result.last == UInt8(ascii: ",")) { continue }
        blanks += 1
        result.append(octet)
        continue
      }
      if octet == UInt8(ascii: ",") { result.removeLast(blanks) }
      blanks = 0
      isQuoted = octet == UInt8(ascii: "\"")
      result.append(isNegotiation ? octet.lowercasedInField : octet)
    }
    result.removeLast(blanks)
    return result
  }
}
