public import HTTPTypes

extension HTTPFields {
  /// The first Content-Type field; `nil` if it is absent or malformed. Setting it replaces all of them (RFC 9110 8.3).
  public var contentType: MediaType? {
    get { first(of: .contentType).flatMap { MediaType($0) } }
    set { self[.contentType] = newValue?.description }
  }

  /// All Accept fields as one; `nil` if they are absent or malformed. Setting it replaces all of them (RFC 9110
  /// 12.5.1).
  public var accept: Accept? {
    get { self[.accept].flatMap { Accept($0) } }
    set { self[.accept] = newValue?.description }
  }
}
