import HTTPTypes
import StagecoachCore
import StagecoachResilience
import StagecoachSerializers
import StagecoachStages

/// The options of a request that an archive keeps; those of other types are named in it.
enum ArchivedOptions {
  private typealias Path<Value> = WritableKeyPath<RequestOptions, Value> & Sendable

  private struct Form: Sendable {
    let read: @Sendable (RequestOptions) -> OptionValue
    /// Returns false if the value is not one of the option.
    let write: @Sendable (OptionValue, inout RequestOptions) -> Bool
  }

  /// The forms of the options, by their names.
  private static let forms: [String: Form] = [
    "connectTimeout": time(\.connectTimeout),
    "poolTimeout": time(\.poolTimeout),
    "headTimeout": time(\.headTimeout),
    "idleTimeout": time(\.idleTimeout),
    "totalTimeout": time(\.totalTimeout),
    "bodyLimit": number(\.bodyLimit),
    "errorBodyLimit": number(\.errorBodyLimit),
    "requestHeadLimit": number(\.requestHeadLimit),
    "elementLimit": number(\.elementLimit),
    "authenticationAttempts": number(\.authenticationAttempts),
    "fileBodyLimit": optional(\.fileBodyLimit),
    "redirectLimit": optional(\.redirectLimit),
    "coalesces": flag(\.coalesces),
    "usesStoredCredentials": flag(\.usesStoredCredentials),
    "usesCircuitBreaker": flag(\.usesCircuitBreaker),
    "isIdempotent": Form(
      read: { $0.isIdempotent.map { .flag($0) } ?? .none },
      write: { value, options in
        switch value {
        case .none: options.isIdempotent = nil
        case .flag(let flag): options.isIdempotent = flag
        default: return false
        }
        return true
      }
    ),
    "priority": Form(
      read: { .number(Int64($0.priority.rawValue)) },
      write: { value, options in
        guard case .number(let number) = value, let rank = Int(exactly: number),
          let priority = RequestPriority(rawValue: rank)
        else { return false }
        options.priority = priority
        return true
      }
    ),
    "sensitiveFields": Form(
      read: { .list($0.sensitiveFields.map(\.rawName).sorted()) },
      write: { value, options in
        guard case .list(let list) = value else { return false }
        let names = list.compactMap { HTTPField.Name($0) }
        options.sensitiveFields = Set(names)
        return names.count == list.count
      }
    ),
  ]

  /// Returns the values that are set in options, and the names of those that cannot be kept.
  static func values(of options: RequestOptions) -> (kept: [String: OptionValue], omitted: [String]) {
    var kept: [String: OptionValue] = [:]
    var omitted: Set<String> = []
    for name in options.namesSetHere {
      if let form = forms[name] { kept[name] = form.read(options) } else { omitted.insert(name) }
    }
    return (kept, omitted.sorted())
  }

  /// Sets the values that are known.
  static func set(_ values: [String: OptionValue], in options: inout RequestOptions) {
    for (name, value) in values { _ = forms[name]?.write(value, &options) }
  }

  static func contradiction(in values: [String: OptionValue]) -> String? {
    var options = RequestOptions()
    for (name, value) in values {
      guard let form = forms[name] else { return "it has an unknown option" }
      guard form.write(value, &options) else { return "the option \(name) has another type" }
    }
    return nil
  }

  // MARK: Forms

  private static func flag(_ path: any Path<Bool>) -> Form {
    Form(read: { .flag($0[keyPath: path]) }) { value, options in
      guard case .flag(let flag) = value else { return false }
      options[keyPath: path] = flag
      return true
    }
  }

  private static func number(_ path: any Path<Int>) -> Form {
    Form(read: { .number(Int64($0[keyPath: path])) }) { value, options in
      guard case .number(let number) = value, number >= 0, let number = Int(exactly: number) else {
        return false
      }
      options[keyPath: path] = number
      return true
    }
  }

  private static func optional<Number: FixedWidthInteger & SendableMetatype>(_ path: any Path<Number?>)
    -> Form
  {
    Form(read: { $0[keyPath: path].map { .number(Int64($0)) } ?? .none }) { value, options in
      switch value {
      case .none: options[keyPath: path] = nil
      case .number(let number):
        guard number >= 0, let number = Number(exactly: number) else { return false }
        options[keyPath: path] = number
      default: return false
      }
      return true
    }
  }

  /// A time in nanoseconds.
  private static func time(_ path: any Path<Duration?>) -> Form {
    Form(read: { $0[keyPath: path].map { .number(nanoseconds($0)) } ?? .none }) { value, options in
      switch value {
      case .none: options[keyPath: path] = nil
      case .number(let number):
        guard number >= 0 else { return false }
        options[keyPath: path] = .nanoseconds(number)
      default: return false
      }
      return true
    }
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflow2 ? .max : max(sum, 0)
  }
}
