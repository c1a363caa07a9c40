#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A chunk of immutable bytes, such as a chunk of a body.
///
/// A chunk either holds a slice of an array or borrows memory of another owner (a buffer of the network engine), which
/// it keeps alive, so chunks pass from the wire to a serializer without copying. It is deliberately not a
/// `Collection`: byte-by-byte access through a generic subscript is many times slower than ``withUnsafeBytes(_:)``.
///
/// `@unchecked Sendable` is safe: an array slice is `Sendable`, and the memory of `foreign` is never written after the
/// chunk was created (as the caller of ``init(unsafeOwner:buffer:)`` promises) and lives as long as its owner, which
/// the chunk retains.
public struct Bytes: @unchecked Sendable {
  private enum Storage {
    case array(ArraySlice<UInt8>)
    case foreign(owner: any AnyObject & Sendable, buffer: UnsafeRawBufferPointer)
  }

  private let storage: Storage

  /// Creates an empty chunk.
  public init() {
    storage = .array([])
  }

  /// Creates a chunk from an array without copying it.
  public init(_ array: [UInt8]) {
    storage = .array(array[...])
  }

  /// Creates a chunk from an array slice without copying it.
  public init(_ slice: ArraySlice<UInt8>) {
    storage = .array(slice)
  }

  /// Creates a chunk with the UTF-8 encoding of a string.
  public init(_ string: String) {
    storage = .array(Array(string.utf8)[...])
  }

  /// Creates a chunk by copying Foundation's data.
  public init(_ data: Data) {
    storage = .array(Array(data)[...])
  }

  /// Creates a chunk of memory that another object owns, without copying it.
  ///
  /// This is unsafe, because the promises of the caller cannot be checked: `buffer` stays valid as long as `owner`
  /// lives, and is not written to from now on. Otherwise readers of the chunk, on any thread, read memory that has
  /// been reused.
  ///
  /// - Parameters:
  ///   - owner: Keeps `buffer` valid. The chunk and all slices of it retain the owner, and the last of them may
  ///     release it on any thread, which is why it must be `Sendable`.
  ///   - buffer: The bytes.
  public init(unsafeOwner owner: any AnyObject & Sendable, buffer: UnsafeRawBufferPointer) {
    storage = .foreign(owner: owner, buffer: buffer)
  }

  /// The number of bytes.
  public var count: Int {
    switch storage {
    case .array(let slice): slice.count
    case .foreign(_, let buffer): buffer.count
    }
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Calls a closure with the bytes, which are only valid during the call.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .array(let slice):
      // The standard library's method does not support typed throws.
      let result: Swift.Result<Result, Failure> = slice.withUnsafeBytes { buffer in
        do throws(Failure) { return .success(try body(buffer)) } catch { return .failure(error) }
      }
      return try result.get()
    case .foreign(let owner, let buffer):
      defer { withExtendedLifetime(owner) {} }
      return try body(buffer)
    }
  }

  /// Calls a closure with a bounds-checked view of the bytes, which is only valid during the call.
  public func withSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes { (buffer) throws(Failure) in try body(buffer.bytes) }
  }

  /// The bytes as an array.
  package var array: [UInt8] {
    switch storage {
    case .array(let slice): Array(slice)
    case .foreign: withUnsafeBytes { Array($0) }
    }
  }

  /// Returns the first bytes, at most `maximum`, sharing the memory.
  public func prefix(_ maximum: Int) -> Bytes {
    guard maximum < count else { return self }
    let maximum = Swift.max(0, maximum)
    switch storage {
    case .array(let slice): return Bytes(slice.prefix(maximum))
    case .foreign(let owner, let buffer):
      return Bytes(unsafeOwner: owner, buffer: UnsafeRawBufferPointer(rebasing: buffer.prefix(maximum)))
    }
  }

  /// Returns the bytes after the first `count` bytes, sharing the memory.
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
  /// Returns whether both chunks contain the same bytes, wherever they are stored.
  public static func == (left: Bytes, right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension Bytes: CustomStringConvertible, CustomReflectable, ExpressibleByStringLiteral {
  /// The number of bytes, without the content.
  public var description: String { "\(count) bytes" }

  /// The number of bytes, without the content, which may be secret.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }

  /// Creates a chunk with the UTF-8 encoding of a string literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension String {
  /// Creates a string from bytes in UTF-8; ill-formed sequences become U+FFFD.
  public init(decoding bytes: Bytes) {
    self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Creates an array with the bytes of a chunk, without copying if the chunk was created from exactly such an array.
  public init(_ bytes: Bytes) {
    self = bytes.array
  }
}

extension Data {
  /// Creates Foundation's data by copying a chunk.
  public init(_ bytes: Bytes) {
    self = bytes.withUnsafeBytes { Data($0) }
  }
}
