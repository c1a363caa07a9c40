import Foundation
import HTTPTypes
import StagecoachCore

/// The URL of a request, made so that the engine sends the target as it is.
enum EngineTarget {
  /// The URL for a head.
  ///
  /// - Throws: `ExchangeError` of kind `unsupported` for a target that the engine would change.
  static func url(for head: HTTPRequest) throws -> URL {
    let path = head.path ?? "/"
    guard path.utf8.first == UInt8(ascii: "/") else { throw refusal("cannot send the target \(path)") }
    #if canImport(FoundationNetworking)
      if hasDotSegments(path) {
        throw refusal("cannot send the target \(path): it would take the dot segments out")
      }
    #endif
    let text = "\(head.scheme ?? "http")://\(try authority(head.authority ?? ""))\(try escaped(path))"
    guard let url = URL(string: text), url.absoluteString == text else {
      throw ExchangeError(.invalidRequest, "\(head.authority ?? "") is no authority that URLSession can use")
    }
    return url
  }

  private static func refusal(_ what: String) -> ExchangeError {
    ExchangeError(.unsupported, "URLSession \(what)", advice: "use another transport for it")
  }

  /// The engine compares the host of the URL, which has no brackets, with what libcurl makes of it, which has;
  /// percent-encoded brackets are there for both.
  private static func authority(_ authority: String) throws -> String {
    #if canImport(FoundationNetworking)
      guard authority.utf8.first == UInt8(ascii: "[") else { return authority }
      guard let place = HostAndPort(authority) else {
        throw ExchangeError(.invalidRequest, "\(authority) is no valid authority")
      }
      if place.zone != nil { throw refusal("cannot connect to the zone of \(authority)") }
      let port = place.port.map { ":\($0)" } ?? ""
      return "%5B\(place.host.replacing(":", with: "%3A"))%5D\(port)"
    #else
      return authority
    #endif
  }

  /// The path with each character percent-encoded that RFC 3986 does not allow in it, as the engine would do,
  /// which would also encode the percent signs that are there.
  private static func escaped(_ path: String) throws -> String {
    var isClean = true
    var bytes = path.utf8.makeIterator()
    while let byte = bytes.next() {
      if byte == UInt8(ascii: "%") {
        guard isHexadecimal(bytes.next()), isHexadecimal(bytes.next()) else {
          throw refusal("cannot send the target \(path): it has a percent sign that encodes nothing")
        }
      } else if !allowed[Int(byte)] {
        isClean = false
      }
    }
    guard !isClean else { return path }
    var escaped: [UInt8] = []
    for byte in path.utf8 {
      if byte == UInt8(ascii: "%") || allowed[Int(byte)] {
        escaped.append(byte)
      } else {
        escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isHexadecimal(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return Character(UnicodeScalar(byte)).isHexDigit
  }

  private static let allowed: [Bool] = {
    var allowed = [Bool](repeating: false, count: 256)
    let characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?"
    for byte in characters.utf8 { allowed[Int(byte)] = true }
    return allowed
  }()

  /// Whether a segment of the path, without the query, is `.` or `..`.
  private static func hasDotSegments(_ path: String) -> Bool {
    let bytes = path.utf8.prefix { $0 != UInt8(ascii: "?") }
    guard bytes.contains(UInt8(ascii: ".")) else { return false }
    return bytes.split(separator: UInt8(ascii: "/")).contains { segment in
      segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
    }
  }
}
