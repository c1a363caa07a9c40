#if StructuredFields
  public import HTTPTypes
  import RawStructuredFieldValues

  /// Why a field is not the structured field that it is taken for, or a value cannot become one.
  public struct StructuredFieldError: Error, CustomStringConvertible {
    /// What kind of failure it is.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
      /// The value breaks the syntax of items, lists or dictionaries (RFC 9651 4.2), and is to be ignored as a
      /// whole.
      case malformed
      /// The syntax is good, the value is not what the type wants: another kind of item, a missing member, a
      /// number out of range.
      case mismatch
      /// The lines of the field have more bytes together than the limit.
      case tooLarge(limit: Int)
      /// The value cannot be written (RFC 9651 4.1): a number out of range, a string that is not ASCII.
      case unwritable
    }

    /// The field.
    public var field: HTTPField.Name

    /// What kind of failure it is.
    public var reason: Reason

    /// What the parser, the serializer or the type said; nil for a field that is too large.
    public var underlying: (any Error)?

    /// A failure.
    public init(_ reason: Reason, in field: HTTPField.Name, underlying: (any Error)? = nil) {
      self.reason = reason
      self.field = field
      self.underlying = underlying
    }

    /// The field, and what is wrong with it.
    public var description: String {
      let detail = underlying.map { ": \($0)" } ?? ""
      return switch reason {
      case .malformed: "\(field) is no structured field of its type\(detail)"
      case .mismatch: "\(field) has other content than was asked for\(detail)"
      case .tooLarge(let limit): "\(field) has more than \(limit) bytes"
      case .unwritable: "the value cannot be written into \(field)\(detail)"
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

    /// What the library's decoder throws; its parser throws the others.
    private static let mismatches: Set<StructuredHeaderError> = [
      .missingKey, .invalidTypeForItem, .integerOutOfRange, .indexOutOfRange,
    ]
  }
#endif
