#if Tool
  import Stagecoach

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The result of a body.
  enum FetchOutput: Sendable {
    case json(JSONValue)
    case text(String)
    /// An XML document, written anew in UTF-8.
    case xml(String)
    /// The result of an XPath expression: one scalar value.
    case scalar(JSONValue)
    /// The result of an XPath expression: the string value of each node.
    case nodes([String])
    /// The body as it came.
    case bytes(Bytes)
    /// Nothing is left to be printed: that many bytes have gone to the sink as they came.
    case passedOn(Int64)
    /// The path of a file and the number of bytes written to it.
    case saved(String, Int64)

    /// Writes the text output.
    func write(to sink: any Sink) async throws {
      switch self {
      case .json(let value): try await sink.write(value.pretty, endsLine: true)
      case .text(let text): try await sink.write(text, endsLine: false)
      case .xml(let text): try await sink.write(text, endsLine: true)
      case .scalar(.string(let text)): try await sink.write(text, endsLine: true)
      case .scalar(let value): try await sink.write(value.description, endsLine: true)
      case .nodes(let nodes):
        let buffer = LineBuffer(sink)
        for node in nodes { _ = try await buffer.append(Array(node.normalizingSpace.utf8)) }
        try await buffer.flush()
      case .bytes(let bytes): try await sink.write(bytes)
      case .passedOn, .saved: break
      }
    }

    /// The members `value`, or `body` and `bodyEncoding`, of a report. The body of a file is where it is, and how
    /// many bytes it has.
    var reportMembers: [JSONObject.Member] {
      switch self {
      case .json(let value), .scalar(let value): [JSONObject.Member(key: "value", value: value)]
      case .text(let text), .xml(let text): [JSONObject.Member(key: "value", value: .string(text))]
      case .nodes(let nodes): [JSONObject.Member(key: "value", value: .array(nodes.map { .string($0) }))]
      case .bytes(let bytes): bytes.reportMembers
      case .passedOn: []
      case .saved(let path, let count):
        [
          JSONObject.Member(
            key: "body",
            value: ["file": .string(path), "bytes": .number(JSONNumber(Int(count)))]
          )
        ]
      }
    }
  }

  extension JSONValue {
    /// One member a line.
    var pretty: String {
      String(decoding: serialized(WritingOptions(isPretty: true)), as: UTF8.self)
    }
  }

  extension Bytes {
    /// The members `body` and `bodyEncoding` of a report: text where the bytes are UTF-8, else base64.
    var reportMembers: [JSONObject.Member] {
      let text = withUnsafeBytes { String(validating: $0, as: UTF8.self) }
      return [
        JSONObject.Member(key: "body", value: .string(text ?? base64)),
        JSONObject.Member(key: "bodyEncoding", value: text == nil ? "base64" : "text"),
      ]
    }

    /// RFC 4648 section 4.
    private var base64: String {
      Data(self).base64EncodedString()
    }
  }

  extension String {
    /// As `normalize-space` of XPath: a node of several lines becomes one line.
    fileprivate var normalizingSpace: String {
      split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.joined(separator: " ")
    }
  }
#endif
