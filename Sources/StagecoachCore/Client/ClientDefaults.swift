public import HTTPTypes

extension Client {
  /// The fields and options that requests inherit. Each request takes a snapshot when it is sent.
  public struct Defaults: Sendable {
    /// Fields for requests that have no field of the same name.
    public var fields: HTTPFields

    /// Options for requests that do not set them.
    public var options: RequestOptions

    /// Creates the defaults.
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
