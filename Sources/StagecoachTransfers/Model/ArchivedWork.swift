#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The archived work of a transfer: its request, and the destination of the response.
struct ArchivedWork: Codable, Sendable, Equatable {
  var request: ArchivedRequest
  /// The name of the serializer.
  var serializer: String
  var accepts: ArchivedAcceptance
  /// Whether the request was sent, so that sending it again is a repetition.
  var wasSent: Bool
  /// Set if the response is collected in memory.
  var memory: ArchivedBytes?
  /// Set if the response is written to a file.
  var file: ArchivedDestination?

  /// The reason that it contradicts itself; `nil` if it does not.
  var contradiction: String? {
    if let reason = request.contradiction ?? accepts.contradiction { return reason }
    guard (memory == nil) != (file == nil) else { return "a transfer goes either to memory or to a file" }
    return memory?.contradiction ?? file?.contradiction
  }
}

/// The received bytes of content collected in memory.
struct ArchivedBytes: Codable, Sendable, Equatable {
  var content: PartialContent?
  var bytes = Data()

  /// Bytes without a validator are of no use.
  init(_ content: PartialContent?, _ bytes: [UInt8]) {
    guard var content, content.validator != nil, content.spans.count == 1 else { return }
    // The bytes come first, then the note of how many there are.
    let count = min(Int64(bytes.count), content.spans[0].end ?? .max)
    content.spans[0].next = count
    self.content = content
    self.bytes = Data(bytes.prefix(Int(count)))
  }

  var contradiction: String? {
    guard let content else { return bytes.isEmpty ? nil : "there are bytes and no validator" }
    guard content.isConsistent, content.spans.count == 1, content.count == Int64(bytes.count),
      content.validator != nil
    else { return "the bytes are not those that it describes" }
    return nil
  }
}
