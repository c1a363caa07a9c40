extension MediaType {
  private init(_ type: String, _ subtype: String) {
    self.init(checkedType: type, subtype: subtype)
  }

  /// `application/json` (RFC 8259).
  public static let json = MediaType("application", "json")
  /// `text/json`, which some servers send for JSON.
  public static let textJSON = MediaType("text", "json")
  /// `application/problem+json` (RFC 9457).
  public static let problemJSON = MediaType("application", "problem+json")
  /// `text/javascript` (RFC 9239).
  public static let javaScript = MediaType("text", "javascript")
  /// `application/xml` (RFC 7303).
  public static let xml = MediaType("application", "xml")
  /// `text/xml` (RFC 7303).
  public static let textXML = MediaType("text", "xml")
  /// `application/xhtml+xml` (RFC 3236).
  public static let xhtml = MediaType("application", "xhtml+xml")
  /// `text/html` (RFC 2854).
  public static let html = MediaType("text", "html")
  /// `text/plain` (RFC 2046 4.1.3).
  public static let plainText = MediaType("text", "plain")
  /// `text/csv` (RFC 4180).
  public static let csv = MediaType("text", "csv")
  /// `text/event-stream`, server-sent events.
  public static let eventStream = MediaType("text", "event-stream")
  /// `application/octet-stream`, generic octets (RFC 2046 4.5.1).
  public static let octetStream = MediaType("application", "octet-stream")
  /// `application/x-www-form-urlencoded`, the body of an HTML form.
  public static let form = MediaType("application", "x-www-form-urlencoded")
  /// `multipart/form-data`; sent with a `boundary` (RFC 7578).
  public static let multipartForm = MediaType("multipart", "form-data")
  /// `multipart/byteranges`; sent with a `boundary` (RFC 9110 14.6).
  public static let multipartByteRanges = MediaType("multipart", "byteranges")
  /// `application/x-plist`, a property list.
  public static let propertyList = MediaType("application", "x-plist")
  /// `image/png` (RFC 2083).
  public static let png = MediaType("image", "png")
  /// `image/jpeg` (RFC 2046 4.2).
  public static let jpeg = MediaType("image", "jpeg")
  /// `image/gif` (RFC 2046 4.2).
  public static let gif = MediaType("image", "gif")
  /// `image/webp` (RFC 9649).
  public static let webP = MediaType("image", "webp")
}
