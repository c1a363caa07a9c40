public import HTTPTypes

extension HTTPFields {
  /// The first Content-Type field (RFC 9110 8.3); nil if there is none or it is unreadable. Setting it replaces
  /// all of them.
  public var contentType: MediaType? {
    get { first(of: .contentType).flatMap { MediaType($0) } }
    set { self[.contentType] = newValue?.description }
  }

  /// All Accept fields as one (RFC 9110 12.5.1); nil if there is none or they are unreadable. Setting it replaces
  /// all of them.
  public var accept: Accept? {
    get { self[.accept].flatMap { Accept($0) } }
    set { self[.accept] = newValue?.description }
  }
}
