import StagecoachFormats

extension SiteReader {
  /// Reads the value of a field.
  mutating func readField(_ name: String) {
    let lowercased = name.lowercased()
    guard !naming.allows(name) else { return readURLs() }
    switch lowercased {
    case "authorization", "proxy-authorization": readCredentials(lowercased)
    case "authentication-info", "proxy-authentication-info": readDigest("rspauth", lowercased, 0..<text.count)
    case "cookie": readCookies(0..<text.count)
    case "set-cookie":
      readCookies(0..<(text.firstIndex(of: UInt8(ascii: ";")) ?? text.count))
    case "location", "content-location", "referer": readTarget()
    default:
      if naming.isSecret(name) {
        let range = text.trimmed(text.indices)
        add(
          Site(
            range: range,
            value: Array(text[range]),
            name: Placeholder.name(from: name),
            label: name,
            position: "field \(lowercased)"
          )
        )
      } else {
        readURLs()
      }
    }
  }

  /// Reads `scheme credentials` (RFC 9110 11.4). Only the scheme stays, and of Digest all that is not secret.
  private mutating func readCredentials(_ field: String) {
    let whole = text.trimmed(text.indices)
    let scheme = text[whole].prefix { $0.isTokenOctet }
    let rest = text.trimmed(scheme.endIndex..<whole.upperBound)
    guard !rest.isEmpty, text.has(scheme.endIndex, \.isSpace) else {
      return addCredentials(
        whole,
        Array(text[whole]),
        name: Placeholder.name(from: field),
        label: field,
        field
      )
    }
    let label = String(decoding: scheme, as: UTF8.self)
    switch label.lowercased() {
    case "digest":
      readDigest("response", field, rest)
    case "basic":
      let pair = Base64.decode(text[rest])
      let colon = pair.firstIndex(of: UInt8(ascii: ":"))
      addCredentials(rest, colon == nil ? Array(text[rest]) : pair, name: "BASIC", label: label, field)
      // An API key may take either place.
      guard let colon else { return }
      let password = Array(pair[(colon + 1)...])
      learn(password.isEmpty ? Array(pair[..<colon]) : password, "BASIC_PASSWORD")
    default:
      addCredentials(rest, Array(text[rest]), name: Placeholder.name(from: field), label: label, field)
      for (name, range) in parameters(rest) where naming.isSecret(parameter: name) {
        learn(Array(text[range]), Placeholder.name(from: name))
      }
    }
  }

  private mutating func addCredentials(
    _ range: Range<Int>,
    _ value: [UInt8],
    name: String,
    label: String,
    _ field: String
  ) {
    deny(Site(range: range, value: value, name: name, label: label, position: "field \(field)"))
  }

  private mutating func readDigest(_ secret: String, _ field: String, _ range: Range<Int>) {
    for (name, range) in parameters(range) where name.lowercased() == secret {
      deny(
        Site(
          range: range,
          value: Array(text[range]),
          name: "DIGEST_\(Placeholder.name(from: name))",
          label: name,
          position: "field \(field) \(name)",
          isOneTime: true
        )
      )
    }
  }

  /// Returns the parameters of a list `name=value, name="value"`, with the ranges of the values without quotes.
  private func parameters(_ range: Range<Int>) -> [(name: String, value: Range<Int>)] {
    var result: [(name: String, value: Range<Int>)] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let name = text[position..<range.upperBound].prefix { $0.isTokenOctet }
      guard !name.isEmpty, text[name.endIndex..<range.upperBound].first == UInt8(ascii: "=") else {
        position = name.endIndex + 1
        continue
      }
      var start = name.endIndex + 1
      var end = start
      if text[start..<range.upperBound].first == UInt8(ascii: "\"") {
        start += 1
        end = start
        while end < range.upperBound, text[end] != UInt8(ascii: "\"") {
          end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, range.upperBound)
        position = end + 1
      } else {
        end =
          text[start..<range.upperBound].firstIndex { $0 == UInt8(ascii: ",") || $0.isSpace }
          ?? range.upperBound
        position = end + 1
      }
      result.append((String(decoding: name, as: UTF8.self), start..<end))
    }
    return result
  }

  /// Reads `name=value; name=value`. A cookie without a name is all value.
  private mutating func readCookies(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = text[position..<range.upperBound].firstIndex(of: UInt8(ascii: ";")) ?? range.upperBound
      let equals = text[position..<end].firstIndex(of: UInt8(ascii: "="))
      let name = text.text(text.trimmed(position..<(equals ?? position)))
      var value = text.trimmed((equals.map { $0 + 1 } ?? position)..<end)
      if value.count >= 2, text[value.lowerBound] == UInt8(ascii: "\""),
        text[value.upperBound - 1] == UInt8(ascii: "\"")
      {
        value = (value.lowerBound + 1)..<(value.upperBound - 1)
      }
      if !naming.allows(name) {
        deny(
          Site(
            range: value,
            value: Array(text[value]),
            name: name.isEmpty ? "COOKIE" : Placeholder.name(from: name),
            label: name,
            position: "cookie \(name)",
            mayBeWord: !naming.isSecret(name)
          )
        )
      }
      position = end + 1
    }
  }
}
