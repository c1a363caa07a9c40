import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachTransportKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The head of a response, as far as the engine exposes it.
struct EngineHead: Sendable {
  let head: HTTPResponse
  /// The number of bytes that will be delivered, if known.
  let length: Int64?
  /// Whether the message ends with its head, whatever its fields say (RFC 9112 6.3).
  let hasNoContent: Bool
  /// Whether the engine decodes a content coding.
  let isCoded: Bool
  /// Whether the response declares both a length and a transfer coding. Another parser may see its end elsewhere, so
  /// the connection must not be reused (RFC 9112 6.1).
  let isAmbiguous: Bool
  /// Whether the response has the transfer coding `identity`, beside which the engine may ignore a length.
  let isIdentity: Bool

  /// - Throws: `ExchangeError` of kind `limit` for a head that is too large, `protocolViolation` for contradictory
  ///   lengths or an invalid status, `unsupported` for a body with trailer fields or
  ///   an unknown transfer coding.
  init(_ response: HTTPURLResponse, to request: Request) throws {
    let status = response.statusCode
    guard (100...999).contains(status) else {
      throw ExchangeError(.protocolViolation, "invalid status code: \(status)")
    }
    hasNoContent = request.method == .head || status == 204 || status == 304
    var fields = HTTPFields()
    var meter = ResponseHeadMeter(request.options.responseHeadLimits)
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      try meter.add(name.utf8.count + value.utf8.count + 4)
      guard let fieldName = HTTPField.Name(name) else { continue }
      fields.append(FieldText.field(fieldName, value))
    }
    // A transfer coding overrides the length (RFC 9112 6.3), even one of zero.
    let codings = fields.first(of: .transferEncoding)
    let isChunked = try TransferCodings.isChunked(codings.map { [$0] } ?? [], engine: "URLSession")
    isIdentity = codings != nil && !isChunked
    let declared = isChunked ? nil : try Self.length(fields.first(of: .contentLength))
    isAmbiguous = isChunked && fields.first(of: .contentLength) != nil
    let coding = fields.first(of: .contentEncoding)?.lowercased() ?? "identity"
    isCoded = !hasNoContent && Self.isUndone(coding)
    if isCoded {
      // These fields do not describe the decoded content.
      fields[.contentEncoding] = nil
      fields[.contentLength] = nil
    }
    length = isCoded ? nil : declared
    head = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
    #if canImport(FoundationNetworking)
      if !hasNoContent, let announced = fields.first(of: .trailer) {
        throw ExchangeError(
          .unsupported,
          "the response announces the trailer fields \(announced), and URLSession on Linux does not survive any",
          advice: "use another transport for this server"
        )
      }
    #endif
  }

  /// Whether content that ends after a number of bytes is incomplete, although the engine takes it for complete.
  func isCut(after received: Int64) -> Bool {
    guard isIdentity, !hasNoContent, let length else { return false }
    return received < length
  }

  /// Whether the engine decodes a content coding, or fails on it.
  private static func isUndone(_ coding: String) -> Bool {
    #if canImport(Darwin)
      // Unknown codings are delivered unchanged.
      ["gzip", "x-gzip", "deflate", "br"].contains(coding)
    #else
      coding != "identity"
    #endif
  }

  /// Returns the length that a field declares; the engine joins repeated fields with commas.
  private static func length(_ value: String?) throws -> Int64? {
    guard let value else { return nil }
    let lengths = Set(
      value.split(separator: ",").map { text in
        // White space around each value is not a part of it (RFC 9110 5.6.1).
        text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
      }
    )
    guard lengths.count == 1, let text = lengths.first, let length = Int64(text),
      text.utf8.first != UInt8(ascii: "+"), length >= 0
    else {
      throw ExchangeError(.protocolViolation, "malformed Content-Length: \(value)")
    }
    return length
  }
}
