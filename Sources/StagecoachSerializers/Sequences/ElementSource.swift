package import HTTPTypes
package import StagecoachCore

/// A body to be read element by element, with the context for its errors.
package struct ElementSource: Sendable {
  package let body: Response.Body
  package let stage: String
  package let request: Request?
  package let response: HTTPResponse?

  package init(_ response: Response, stage: String) {
    body = response.body
    self.stage = stage
    request = response.request
    self.response = response.head
  }

  /// Creates a source from a body without a response.
  package init(_ body: Response.Body, stage: String) {
    self.body = body
    self.stage = stage
    request = nil
    response = nil
  }
}
