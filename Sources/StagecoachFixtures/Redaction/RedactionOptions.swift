/// Which values of a recording are secret, in addition to those that are found by themselves.
///
/// ```swift
/// var options = RedactionOptions()
/// options.secretNames = ["X-Tenant", "invoiceNumber"]
/// options.allowedNames = ["code"]
/// options.secretValues = ["correct horse battery"]
/// options.detector = { text in text.matches(of: /EMP-\d{6}/).map { String($0.output) } }
/// ```
///
/// Names are compared without regard to case and word separators.
public struct RedactionOptions: Sendable {
  /// More names of fields, parameters, members and elements whose values are secret.
  public var secretNames: Set<String> = []

  /// The names whose values are no secrets, also of cookies. They override all other rules for names, but not
  /// detectors and ``secretValues``.
  public var allowedNames: Set<String> = []

  /// Values that are known to be secret, wherever they occur; at least 6 bytes long, shorter ones are ignored.
  public var secretValues: Set<String> = []

  /// Whether bodies are redacted. If not, they are written as they were received; a known secret in one is still
  /// reported before a recording is kept.
  public var redactsBodies = true

  /// A custom detector: returns the secrets that occur in a text. It is called with each target, field value and body,
  /// and with these after their escapes were decoded.
  public var detector: (@Sendable (_ text: String) -> [String])?

  /// Creates the default options: no additional names and values, and redacted bodies.
  public init() {}
}

extension RedactionOptions: CustomStringConvertible, CustomReflectable {
  /// The names and the number of values, without the values.
  public var description: String {
    "redaction with \(secretNames.count) names, \(allowedNames.count) allowed names, \(secretValues.count) values"
  }

  /// The names and the number of values, without the values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "secretNames": secretNames, "allowedNames": allowedNames, "secretValues": secretValues.count,
        "redactsBodies": redactsBodies, "hasDetector": detector != nil,
      ]
    )
  }
}
