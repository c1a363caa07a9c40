/// Which values of a recording are secret, in addition to those that are found by themselves.
///
/// ```swift
/// var options = RedactionOptions()
/// options.secretNames = ["X-Tenant", "invoiceNumber"]
/// options.allowedNames = ["code"]
/// options.secrets["PASSPHRASE"] = "correct horse battery"
/// options.detector = { text in text.matches(of: /EMP-\d{6}/).map { String($0.output) } }
/// ```
///
/// Names are compared without regard to case and word separators.
public struct RedactionOptions: Sendable {
  /// More names of fields, parameters, members and elements whose values are secret.
  public var secretNames: Set<String> = []

  /// The names whose values are no secrets, also of cookies. They override all other rules, but not detectors and
  /// ``secrets``: a value that is a secret elsewhere is replaced under these names as well.
  public var allowedNames: Set<String> = []

  /// The paths of more leaves that are secret, such as `$.user.pin`, `query.code` or `/login/password/#text`; `[*]` stands
  /// for any position.
  public var secretPaths: Set<String> = []

  /// The paths of leaves that are no secrets, with all that is in them.
  public var allowedPaths: Set<String> = []

  /// Values that are known to be secret, by names such as `API_TOKEN` for `SECRET-API_TOKEN-1`, or `API_TOKEN-2` for one of
  /// several.
  ///
  /// In a recording they are replaced wherever they stand as a word, in every ``SecretEncoding``; those of less than 6 bytes
  /// where they are the whole value. A ``Verification`` sends them where the recording has the placeholder: a name without a
  /// number stands for all of that name.
  public var secrets: [String: String] = [:]

  /// A custom detector: returns the secrets that occur in a text. It is called with each target, field value and body,
  /// and with these after their escapes were decoded.
  public var detector: (@Sendable (_ text: String) -> [String])?

  /// Creates the default options: no additional names and values.
  public init() {}
}

extension RedactionOptions: CustomStringConvertible, CustomReflectable {
  /// The names and the number of values, without the values.
  public var description: String {
    "redaction with \(secretNames.count) names, \(allowedNames.count) allowed names, \(secrets.count) values"
  }

  /// The names and the number of values, without the values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "secretNames": secretNames, "allowedNames": allowedNames, "secrets": secrets.count,
        "hasDetector": detector != nil,
      ]
    )
  }
}
