import StagecoachFormats

extension TextTree {
  /// Whether the text is UTF-8 without characters that no text has.
  var isText: Bool { !text.contains(0) && String(validating: text, as: UTF8.self) != nil }

  /// Whether the tree is that of a JSON Web Token (RFC 7519).
  var isWebToken: Bool { nodes.first?.step == .parameter("header", 0) && nodes.first?.leaf != nil }
}
