public import HTTPTypes

extension Client {
  /// What requests inherit; a request takes a snapshot when it is sent.
  public struct Defaults: Sendable {
    /// Fields for requests that do not have a field of that name.
    public var fields: HTTPFields

    /// Options for requests that do not set them.
    public var options: RequestOptions

    /// Defaults.
    public init(fields: HTTPFields = DefaultFields.system, options: RequestOptions = RequestOptions()) {
      self.fields = fields
      self.options = options
    }
  }
}

extension Client.Defaults: CustomReflectable, CustomStringConvertible {
  /// The names of the fields and of the options.
  public var description: String {
    "fields \(fields.map(\.name.rawName).joined(separator: ", ")); options \(options)"
  }

  /// The fields without secrets, and the names of the options.
  public var customMirror: Mirror {
    let unmarked = fields.filter { !options.sensitiveFields.contains($0.name) }
    return Mirror(self, children: ["fields": Redaction.fields(HTTPFields(unmarked)), "options": options])
  }
}
