import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON format of cookies, which contains all their properties.
///
/// An object with the member `cookies`: an array of objects in order of creation, with the members `name`, `value`,
/// `domain`, `path`, and if they apply `hostOnly`, `secure`, `httpOnly` (all true), `sameSite`, `expires`, `created`,
/// `lastAccessed` (ISO 8601). A name or value that is not UTF-8 is stored as `nameBase64` or `valueBase64`. Other
/// members are ignored.
enum JSONCookies {
  static func write(_ cookies: [Cookie]) -> CookieExport {
    let text = JSONValue.object(["cookies": .array(cookies.map { .object(object($0)) })])
    return CookieExport(bytes: Bytes(text.serialized(.init(isPretty: true)) + "\n".utf8), omitted: [])
  }

  private static func object(_ cookie: Cookie) -> JSONObject {
    var object = JSONObject()
    write(cookie.pair.name, "name", to: &object)
    write(cookie.pair.value, "value", to: &object)
    object["domain"] = .string(cookie.domain)
    if cookie.isHostOnly { object["hostOnly"] = true }
    object["path"] = .string(cookie.path)
    if cookie.isSecure { object["secure"] = true }
    if cookie.isHTTPOnly { object["httpOnly"] = true }
    if cookie.sameSite != .unspecified { object["sameSite"] = .string(cookie.sameSite.rawValue) }
    object["expires"] = cookie.expires.map { .string($0.formatted(.iso8601)) }
    object["created"] = .string(cookie.created.formatted(.iso8601))
    object["lastAccessed"] = .string(cookie.lastAccessed.formatted(.iso8601))
    return object
  }

  private static func write(_ octets: ArraySlice<UInt8>, _ key: String, to object: inout JSONObject) {
    if let text = String(validating: octets, as: UTF8.self) {
      object[key] = .string(text)
    } else {
      object["\(key)Base64"] = .string(Data(octets).base64EncodedString())
    }
  }

  /// Reads the elements, each with its number.
  ///
  /// - Throws: ``ExchangeError`` of kind `file` if it is not a cookie file.
  static func read(_ text: [UInt8]) throws -> [(position: Int, record: Result<CookieRecord, CookieRejection>)]
  {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text, limits: .init(depth: 16))
    } catch {
      throw ExchangeError(.file, "not a cookie file: \(error)", underlying: error)
    }
    guard let cookies = value["cookies"]?.arrayValue else {
      throw ExchangeError(.file, "not a cookie file: it has no array \"cookies\"")
    }
    return cookies.enumerated().map { index, element in
      (index + 1, record(element).map { .success($0) } ?? .failure(.malformed))
    }
  }

  private static func record(_ value: JSONValue) -> CookieRecord? {
    guard let name = octets("name", of: value), let content = octets("value", of: value),
      let domain = value["domain"]?.stringValue, let path = value["path"]?.stringValue,
      let isHostOnly = flag("hostOnly", of: value), let isSecure = flag("secure", of: value),
      let isHTTPOnly = flag("httpOnly", of: value)
    else { return nil }
    var record = CookieRecord(
      name: name,
      value: content,
      domain: domain,
      isHostOnly: isHostOnly,
      path: path,
      isSecure: isSecure,
      isHTTPOnly: isHTTPOnly
    )
    if let sameSite = value["sameSite"] {
      guard let text = sameSite.stringValue else { return nil }
      record.sameSite = Cookie.SameSite(attribute: text)
    }
    if let expires = value["expires"] {
      // Without its end a cookie would live longer than its server said.
      guard let seconds = seconds(expires) else { return nil }
      record.expiry = seconds
    }
    record.creation = value["created"].flatMap(seconds)
    record.lastAccess = value["lastAccessed"].flatMap(seconds)
    return record
  }

  private static func octets(_ key: String, of value: JSONValue) -> [UInt8]? {
    if let text = value[key] { return text.stringValue.map { Array($0.utf8) } }
    return value["\(key)Base64"]?.stringValue.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
  }

  private static func flag(_ key: String, of value: JSONValue) -> Bool? {
    guard let member = value[key] else { return false }
    return member.boolValue
  }

  private static func seconds(_ value: JSONValue) -> Int64? {
    guard let text = value.stringValue, let date = try? Date(text, strategy: .iso8601) else { return nil }
    return date.wholeSeconds
  }
}
