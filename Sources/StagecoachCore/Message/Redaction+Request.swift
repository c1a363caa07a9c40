package import HTTPTypes

extension Redaction {
  /// Returns the head of a request without secrets, including those named by its ``RequestOptions/sensitiveFields``.
  package static func head(of request: Request) -> HTTPRequest {
    var head = head(request.head)
    // Without a complete target there is nothing else to show.
    if let reference = request.reference { head.path = url(reference) }
    let marked = request.options.sensitiveFields
    for index in head.headerFields.indices where marked.contains(head.headerFields[index].name) {
      head.headerFields[index].value = mark
    }
    return head
  }
}
