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
