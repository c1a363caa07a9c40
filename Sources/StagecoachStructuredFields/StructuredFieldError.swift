#if StructuredFields
  public import HTTPTypes
  import RawStructuredFieldValues

  /// An error of reading or writing a structured field.
  public struct StructuredFieldError: Error, CustomStringConvertible {
    /// The reason of the error.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
      /// The value violates the syntax of items, lists or dictionaries, and must be ignored as a whole (RFC 9651 4.2).
      case malformed
      /// The syntax is valid, but the value does not match the type: another kind of item, a missing member, a number
      /// out of range.
      case mismatch
      /// The lines of the field are larger than the limit.
      case tooLarge(limit: Int)
      /// The value cannot be written: a number out of range, a string that is not ASCII (RFC 9651 4.1).
      case unwritable
    }

    /// The name of the field.
    public var field: HTTPField.Name

    /// The reason of the error.
    public var reason: Reason

    /// The error of the parser, the serializer or the type; `nil` for a field that is too large.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(_ reason: Reason, in field: HTTPField.Name, underlying: (any Error)? = nil) {
      self.reason = reason
      self.field = field
      self.underlying = underlying
    }

    /// A description with the name of the field.
    public var description: String {
      let detail = underlying.map { ": \($0)" } ?? ""
      return switch reason {
      case .malformed: "malformed structured field \(field)\(detail)"
      case .mismatch: "the content of \(field) does not match the type\(detail)"
      case .tooLarge(let limit): "\(field) is larger than \(limit) bytes"
      case .unwritable: "the value of \(field) cannot be represented\(detail)"
      }
    }
  }

  extension StructuredFieldError {
    /// A failure to read a field.
    init(reading field: HTTPField.Name, _ error: any Error) {
      let isMismatch =
        switch error {
        case let error as StructuredHeaderError: Self.mismatches.contains(error)
        default: true
        }
      self.init(isMismatch ? .mismatch : .malformed, in: field, underlying: error)
    }

    /// Errors of the decoder; the parser throws the others.
    private static let mismatches: Set<StructuredHeaderError> = [
      .missingKey, .invalidTypeForItem, .integerOutOfRange, .indexOutOfRange,
    ]
  }
#endif
