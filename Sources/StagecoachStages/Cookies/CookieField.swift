import HTTPTypes
import StagecoachCore

/// The one `Cookie` field of a request (RFC 6265bis 5.8.3).
struct CookieField {
  private var value: [UInt8] = []
  /// The names that the caller uses.
  private var names: Set<[UInt8]> = []

  /// Reads the explicit cookies, which may be in several fields.
  init(_ fields: HTTPFields) {
    guard fields.first(of: .cookie) != nil else { return }
    for field in fields where field.name == .cookie {
      field.withUnsafeBytesOfValue { appendPair($0) }
      for pair in field.octets.split(separator: UInt8(ascii: ";")) {
        guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
        names.insert(Array(pair[..<sign].trimmed))
      }
    }
  }

  /// Adds cookies of a jar, but for those whose name the caller uses.
  mutating func append(_ cookies: [Cookie], limits: CookieJar.Limits) -> (sent: Int, omitted: Int) {
    var sent = 0
    var omitted = 0
    var size = 0
    for cookie in cookies where names.isEmpty || !names.contains(Array(cookie.pair.name)) {
      let count = cookie.pair.octets.count + (size > 0 ? 2 : 0)
      guard sent < limits.perRequest, size + count <= limits.fieldSize else {
        omitted += 1
        continue
      }
      size += count
      sent += 1
      cookie.pair.octets.withUnsafeBufferPointer { appendPair($0) }
    }
    return (sent, omitted)
  }

  private mutating func appendPair(_ octets: UnsafeBufferPointer<UInt8>) {
    if !value.isEmpty { value.append(contentsOf: "; ".utf8) }
    value.append(contentsOf: octets)
  }

  /// Puts the field in the place of the first one of the caller, or behind all others.
  func write(to fields: inout HTTPFields) {
    let field = HTTPField(name: .cookie, lenientValue: value)
    let place = fields.firstIndex { $0.name == .cookie }
    guard let place else { return fields.append(field) }
    fields[place] = field
    var index = place + 1
    while index < fields.endIndex {
      if fields[index].name == .cookie { fields.remove(at: index) } else { index += 1 }
    }
  }
}
