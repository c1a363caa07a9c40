import Foundation
import HTTPTypes
import StagecoachCore

/// Creates the URL of a request such that the engine sends the target unchanged.
enum EngineTarget {
  /// Returns the URL for a head.
  ///
  /// - Throws: `ExchangeError` of kind `unsupported` for a target that the engine would change.
  static func url(for head: HTTPRequest) throws -> URL {
    let path = head.path ?? "/"
    guard path.utf8.first == UInt8(ascii: "/") else { throw refusal("cannot send the target \(path)") }
    #if canImport(FoundationNetworking)
      if hasDotSegments(path) {
        throw refusal("cannot send the target \(path): it would remove the dot segments")
      }
    #endif
    let text = "\(head.scheme ?? "http")://\(try authority(head.authority ?? ""))\(try escaped(path))"
    guard let url = URL(string: text), url.absoluteString == text else {
      throw ExchangeError(
        .invalidRequest,
        "\(head.authority ?? "") is not an authority that URLSession can use"
      )
    }
    return url
  }

  private static func refusal(_ what: String) -> ExchangeError {
    ExchangeError(.unsupported, "URLSession \(what)", advice: "use another transport for it")
  }

  /// The engine compares the host of the URL, without brackets, with libcurl's, which has them. Percent-encoded
  /// brackets are in both.
  private static func authority(_ authority: String) throws -> String {
    #if canImport(FoundationNetworking)
      guard authority.utf8.first == UInt8(ascii: "[") else { return authority }
      guard let place = HostAndPort(authority) else {
        throw ExchangeError(.invalidRequest, "\(authority) is not a valid authority")
      }
      if place.zone != nil { throw refusal("cannot connect to the zone of \(authority)") }
      let port = place.port.map { ":\($0)" } ?? ""
      return "%5B\(place.host.replacing(":", with: "%3A"))%5D\(port)"
    #else
      return authority
    #endif
  }

  /// Percent-encodes the characters of a path that RFC 3986 does not allow. The engine would do so too, but would also
  /// encode existing percent signs.
  private static func escaped(_ path: String) throws -> String {
    guard path.utf8.percentDecoding().malformed == nil else {
      throw refusal("cannot send the target \(path): it has a percent sign that encodes nothing")
    }
    return path.percentEncoded(.target)
  }

  /// Whether a segment of the path, without the query, is `.` or `..`.
  private static func hasDotSegments(_ path: String) -> Bool {
    let bytes = path.utf8.prefix { $0 != UInt8(ascii: "?") }
    guard bytes.contains(UInt8(ascii: ".")) else { return false }
    return bytes.split(separator: UInt8(ascii: "/")).contains { segment in
      segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
    }
  }
}
