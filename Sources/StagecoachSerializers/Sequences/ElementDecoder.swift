package import StagecoachCore

/// A decoder of the elements of a body.
package protocol ElementDecoder<Element> {
  associatedtype Element

  /// The number of elements before the one that is read.
  var index: Int { get }

  /// Adds the next chunk, after ``next()`` has returned `nil`.
  mutating func append(_ chunk: Bytes)

  /// Returns the next complete element; `nil` if it needs another chunk.
  mutating func next() throws -> Element?

  /// Returns the element that the end of the body completes, if there is one.
  mutating func finish() throws -> Element?

  /// Whether ``finish()`` has another element.
  var hasRest: Bool { get }
}

extension ElementDecoder {
  package var hasRest: Bool { false }
}

/// A reference to a decoder, which an existential would otherwise copy with its buffers for each element.
package final class DecoderBox<Decoder: ElementDecoder>: ElementDecoder {
  package private(set) var decoder: Decoder

  init(_ decoder: Decoder) { self.decoder = decoder }

  package var index: Int { decoder.index }
  package var hasRest: Bool { decoder.hasRest }

  package func append(_ chunk: Bytes) { decoder.append(chunk) }
  package func next() throws -> Decoder.Element? { try decoder.next() }
  package func finish() throws -> Decoder.Element? { try decoder.finish() }
}
