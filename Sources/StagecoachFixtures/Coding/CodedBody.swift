import HTTPTypes
import StagecoachCore

#if ContentCoding
  import StagecoachContentCoding
#endif

/// Removes the content codings of recorded bodies, so that they can be reviewed and searched for secrets.
enum CodedBody {
  /// Returns the body without its codings, which a replay applies again. What cannot be decoded is left out.
  static func decoded(_ body: Scenario.Body, _ fields: HTTPFields, isComplete: Bool) async -> Scenario.Body {
    let codings = fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
      .map { $0.drop { $0 == " " }.lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
    guard !codings.isEmpty, body.omission == nil else { return body }
    var copy = body
    if let bytes = await decode(body.bytes, fields, isComplete: isComplete),
      codings.allSatisfy({ StoredCoding.encode([], as: $0) != nil })
    {
      (copy.bytes, copy.codings) = (bytes, codings)
    } else {
      let names = codings.joined(separator: ", ")
      copy.omission = Scenario.Body.Omission(
        bytes: body.bytes.count,
        reason: "coded with \(names), which cannot be searched for secrets"
      )
      copy.bytes = Bytes()
    }
    // The chunks had other lengths.
    copy.chunks = []
    return copy
  }

  /// Returns the content of a request without its codings; as it is if it cannot be decoded.
  static func decoded(_ content: Bytes, _ fields: HTTPFields) async -> Bytes {
    guard fields.contains(.contentEncoding), !content.isEmpty else { return content }
    let body = await decoded(Scenario.Body(content), fields, isComplete: true)
    return body.omission == nil ? body.bytes : content
  }

  private static func decode(_ bytes: Bytes, _ fields: HTTPFields, isComplete: Bool) async -> Bytes? {
    #if ContentCoding
      let coded = HTTPFields(fields.filter { $0.name == .contentEncoding })
      let source = HandlerTransport { _ in Response(.ok, fields: coded, body: .bytes(bytes)) }
      let pipeline = Pipeline(over: source) { ContentDecoding() }
      var decoded: [UInt8] = []
      do {
        for try await chunk in try await pipeline.send(.get("http://localhost/")).body {
          chunk.withUnsafeBytes { decoded += $0 }
        }
      } catch {
        // Of a reply that was cut off there is a part.
        guard !isComplete else { return nil }
      }
      return Bytes(decoded)
    #else
      return nil
    #endif
  }
}
