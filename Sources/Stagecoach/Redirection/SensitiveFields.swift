public import HTTPTypes

/// The names of request fields that are secrets for one origin, besides Authorization, Cookie and
/// Proxy-Authorization, and besides those whose name says so: that holds `token`, `secret`, `password`, `api-key`,
/// `auth-key`, `credential`, `signature`, `authorization`, `session` or `jwt`. By default ``presets``.
///
/// A redirect to another origin takes them out of the request, for the rest of the chain; errors, events and
/// histories do not show their values.
///
/// ```swift
/// var request = Request.get("https://api.example.com/report")
/// request.fields[HTTPField.Name("X-Team-Secret")!] = "s"
/// request.options.sensitiveFields.insert(HTTPField.Name("X-Team-Secret")!)
/// ```
///
/// What the defaults of a client mark stays marked, whatever a request marks.
public enum SensitiveFields: RequestOptionKey {
  /// `X-Api-Key`, `X-Auth-Token`, `Api-Key` and `X-Amz-Security-Token`.
  public static let presets = Set(
    ["X-Api-Key", "X-Auth-Token", "Api-Key", "X-Amz-Security-Token"].compactMap { HTTPField.Name($0) }
  )
  /// ``presets``
  public static let defaultValue = presets
  /// `sensitiveFields`
  public static let name = "sensitiveFields"
}

extension RequestOptions {
  /// See ``SensitiveFields``.
  public var sensitiveFields: Set<HTTPField.Name> {
    get { all(SensitiveFields.self).reduce(into: []) { $0.formUnion($1) } }
    set { self[SensitiveFields.self] = newValue }
  }
}
