#if Logging || Metrics || Tracing
  import HTTPTypes
  import StagecoachCore

  extension HTTPResponse.Status {
    /// The code, and the phrase if there is one.
    var text: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)".oneLine }
  }

  extension String {
    /// The text with characters that could forge lines replaced by spaces.
    var oneLine: String { Format.oneLine(self) }
  }
#endif
