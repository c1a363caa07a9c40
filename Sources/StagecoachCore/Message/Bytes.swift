#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A run of immutable bytes: one chunk of a body.
///
/// A chunk either holds a slice of an array or borrows memory of a foreign owner (a buffer of the
/// network engine) that it keeps alive, so chunks travel from the wire to a serializer uncopied.
/// It is no `Collection` on purpose: byte-by-byte access through a generic subscript is many times
/// slower than ``withUnsafeBytes(_:)``, which is the way in.
///
/// `@unchecked Sendable` is safe: an array slice is `Sendable`, and the memory behind `foreign` is
/// never written after the chunk was made (a promise of ``init(unsafeOwner:buffer:)``'s caller) and lives
/// as long as its owner, which the chunk retains.
public struct Bytes: @unchecked Sendable {
  private enum Storage {
    case array(ArraySlice<UInt8>)
    case foreign(owner: any AnyObject & Sendable, buffer: UnsafeRawBufferPointer)
  }

  private let storage: Storage

  /// No bytes at all.
  public init() {
    storage = .array([])
  }

  /// The bytes of an array, uncopied.
  public init(_ array: [UInt8]) {
    storage = .array(array[...])
  }

  /// The bytes of an array slice, uncopied.
  public init(_ slice: ArraySlice<UInt8>) {
    storage = .array(slice)
  }

  /// The UTF-8 form of a string.
  public init(_ string: String) {
    storage = .array(Array(string.utf8)[...])
  }

  /// A copy of Foundation's data.
  public init(_ data: Data) {
    storage = .array(Array(data)[...])
  }

  /// Memory of a foreign owner, uncopied.
  ///
  /// This is unsafe, since nothing can check what the caller promises: `buffer` stays valid for as long as `owner`
  /// lives, and nobody writes to it from now on. Else whoever reads the chunk, on whatever thread, reads memory that
  /// belongs to somebody else by then.
  ///
  /// - Parameters:
  ///   - owner: Keeps `buffer` valid. The chunk and all that are cut from it retain it, and the last of them may release
  ///     it on any thread, which is why it has to be `Sendable`.
  ///   - buffer: The bytes.
  public init(unsafeOwner owner: any AnyObject & Sendable, buffer: UnsafeRawBufferPointer) {
    storage = .foreign(owner: owner, buffer: buffer)
  }

  /// How many bytes there are.
  public var count: Int {
    switch storage {
    case .array(let slice): slice.count
    case .foreign(_, let buffer): buffer.count
    }
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Calls a closure with the bytes, which are valid only while it runs.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .array(let slice):
      // The standard library's method does not know typed throws.
      let result: Swift.Result<Result, Failure> = slice.withUnsafeBytes { buffer in
        do throws(Failure) { return .success(try body(buffer)) } catch { return .failure(error) }
      }
      return try result.get()
    case .foreign(let owner, let buffer):
      defer { withExtendedLifetime(owner) {} }
      return try body(buffer)
    }
  }

  /// Calls a closure with a bounds-checked view of the bytes, which is valid only while it runs.
  public func withSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes { (buffer) throws(Failure) in try body(buffer.bytes) }
  }

  /// The bytes as an array, as `[UInt8](bytes)` makes it.
  package var array: [UInt8] {
    switch storage {
    case .array(let slice): Array(slice)
    case .foreign: withUnsafeBytes { Array($0) }
    }
  }

  /// The first bytes, at most `maximum`, sharing the memory.
  public func prefix(_ maximum: Int) -> Bytes {
    guard maximum < count else { return self }
    let maximum = Swift.max(0, maximum)
    switch storage {
    case .array(let slice): return Bytes(slice.prefix(maximum))
    case .foreign(let owner, let buffer):
      return Bytes(unsafeOwner: owner, buffer: UnsafeRawBufferPointer(rebasing: buffer.prefix(maximum)))
    }
  }

  /// What follows the first `count` bytes, sharing the memory.
  public func dropFirst(_ count: Int) -> Bytes {
    let count = Swift.max(0, count)
    switch storage {
    case .array(let slice): return Bytes(slice.dropFirst(count))
    case .foreign(let owner, let buffer):
      return Bytes(unsafeOwner: owner, buffer: UnsafeRawBufferPointer(rebasing: buffer.dropFirst(count)))
    }
  }
}

extension Bytes: Hashable {
  /// Whether both hold the same bytes, wherever they are stored.
  public static func == (left: Bytes, right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
  }

  /// Feeds the bytes to a hasher.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension Bytes: CustomStringConvertible, CustomReflectable, ExpressibleByStringLiteral {
  /// The count of bytes, and no content.
  public var description: String { "\(count) bytes" }

  /// The count of bytes, and no content: it may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }

  /// The UTF-8 form of a string literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension String {
  /// The text that the bytes are in UTF-8; ill-formed sequences become U+FFFD.
  public init(decoding bytes: Bytes) {
    self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// The bytes of a chunk; a copy unless the chunk was made of exactly such an array.
  public init(_ bytes: Bytes) {
    self = bytes.array
  }
}

extension Data {
  /// A copy of a chunk.
  public init(_ bytes: Bytes) {
    self = bytes.withUnsafeBytes { Data($0) }
  }
}
