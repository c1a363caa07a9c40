import StagecoachCore

extension MediaType {
  /// Whether contents are JSON: `application/json`, a type with the suffix `+json` and the like.
  var isJSON: Bool {
    suffix == "json" || subtype == "json" || ["json-rpc", "jsonrequest", "x-json"].contains(subtype)
  }

  /// Whether contents are XML.
  var isXML: Bool { suffix == "xml" || subtype == "xml" }

  /// Whether a Pact file holds contents as they are, and those of other types in Base64.
  var isWrittenAsText: Bool { type == "text" || isJSON || isXML || essence == .form }

  /// Whether contents are octets without a textual form.
  var isBinary: Bool {
    switch type {
    case "image": !isXML
    case "audio", "video", "font": true
    case "application":
      [
        "octet-stream", "pdf", "zip", "gzip", "x-gzip", "x-tar", "x-bzip2", "x-7z-compressed", "java-archive",
        "wasm",
        "msword", "protobuf", "x-protobuf",
      ].contains(subtype)
    default: false
    }
  }

  /// The type that the suffix stands for: `application/json` of `application/hal+json`.
  var base: MediaType {
    guard let suffix else { return essence }
    return MediaType(checkedType: "application", subtype: suffix)
  }
}
