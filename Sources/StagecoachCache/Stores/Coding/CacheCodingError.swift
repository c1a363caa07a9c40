/// The binary form of a stored response cannot be read, or written.
package enum CacheCodingError: Error, Hashable, CustomStringConvertible {
  /// The bytes end too early.
  case truncated
  /// The form is of another version of the library.
  case unknownVersion(UInt8)
  /// The form is larger than ``CachedResponse/maxEncodedSize``.
  case tooLarge(Int)
  /// There are more fields than ``CachedResponse/maxEncodedFields``.
  case tooManyFields(Int)
  /// The part of the form with this name is malformed.
  case invalid(String)

  /// A description of the error.
  package var description: String {
    switch self {
    case .truncated: "The stored response is truncated."
    case .unknownVersion(let version): "The stored response has the unknown form \(version)."
    case .tooLarge(let count):
      "The head has \(count) bytes, more than the \(CachedResponse.maxEncodedSize) that a store takes."
    case .tooManyFields(let count):
      "The head has \(count) fields, more than the \(CachedResponse.maxEncodedFields) that a store takes."
    case .invalid(let part): "The stored response is malformed: \(part)."
    }
  }
}
