#if Images
  import HTTPTypes
  import StagecoachCore

  /// The identity of a download: the URL, the fields, and the options that affect how a request is sent.
  struct DownloadKey: Hashable, Sendable {
    /// The request with a resolved URL.
    let request: Request
    let url: String
    private let fields: [HTTPField]

    /// - Throws: `ExchangeError` of kind `invalidRequest` if the URL is invalid.
    init(_ request: Request, base: TargetURI?) throws {
      var request = request
      // A fragment is never sent, and an image has no parts.
      if let reference = request.reference { request.reference = String(reference.prefix { $0 != "#" }) }
      try request.resolve(against: base)
      guard let scheme = request.head.scheme, let authority = request.head.authority,
        let path = request.head.path
      else {
        throw ExchangeError(
          .invalidRequest,
          "the request for an image has no URL",
          advice: "set scheme, authority and path of its head"
        )
      }
      self.request = request
      url = "\(scheme)://\(authority)\(path)"
      fields = Array(request.fields)
    }

    static func == (left: DownloadKey, right: DownloadKey) -> Bool {
      left.url == right.url && left.fields == right.fields
        && left.request.options.agrees(with: right.request.options)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(url)
    }
  }
#endif
