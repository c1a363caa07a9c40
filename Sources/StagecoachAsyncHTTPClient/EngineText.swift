#if AsyncHTTPClient
  /// The text of an engine's error, without places in the engine's sources.
  struct EngineText {
    let text: String
    /// Whether the engine's own text names places in its sources.
    let hasSources: Bool

    init(_ error: any Error) {
      let whole = String(describing: error)
      let places = /(, )?(location: [^,)]*|file: [^,)]*, line: [0-9]+)| at [^ ]+\.(swift|h|c|cc):[0-9]+/
      let shown = whole.replacing(places, with: "")
      hasSources = shown != whole
      // The name in a text of BoringSSL, such as error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED.
      let names = shown.matches(of: /OPENSSL_internal:([A-Za-z0-9_]+)/).map { String($0.1) }
      text = names.isEmpty ? shown : names.joined(separator: ", ")
    }
  }
#endif
