import HTTPTypes
import StagecoachCore

/// The method of the next request after a redirect, and whether it keeps the content (RFC 9110 15.4).
///
/// The rules are those of the Fetch standard. Method names are case-sensitive: `post` is not POST (RFC 9110 9.1).
struct RedirectMethod: Equatable {
  let method: HTTPRequest.Method
  let keepsContent: Bool

  /// Nil if the status is not one to follow: 300 offers a choice, 304 is the cache's, 305 and 306 are unsafe, and
  /// others are read as 300 (RFC 9110 15).
  init?(after status: HTTPResponse.Status, to method: HTTPRequest.Method) {
    switch status.code {
    case 301, 302:
      self.method = method == .post ? .get : method
      keepsContent = method != .post
    case 303:
      self.method = method == .head ? .head : .get
      keepsContent = false
    case 307, 308:
      self.method = method
      keepsContent = true
    default:
      return nil
    }
  }
}
