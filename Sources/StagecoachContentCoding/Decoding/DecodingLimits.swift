public import StagecoachCore

extension RequestOptions {
  static let decodedBodyLimit = RequestOption<Int64?>("decodedBodyLimit", default: 1024 * 1024 * 1024)

  /// The maximum size of a response body after decoding, in bytes; 1 GiB by default, `nil` for no limit. It applies to
  /// each coding separately.
  public var decodedBodyLimit: Int64? {
    get { self[Self.decodedBodyLimit] }
    set { self[Self.decodedBodyLimit] = newValue }
  }

  static let decodingRatioLimit = RequestOption<Int?>("decodingRatioLimit", default: 200)

  /// The maximum average ratio of decoded to encoded bytes; 200 by default, `nil` for no limit. It applies to each
  /// coding separately.
  ///
  /// The first MiB of decoded bytes is exempt, because small bodies can legitimately compress very well. gzip and
  /// deflate can reach a ratio of about 1032 with crafted data.
  ///
  /// It also limits the reverse: encoded bytes without output, such as empty members, are an error once they exceed
  /// the ratio by more than a MiB. Legitimate content needs a ratio of about 20 at most. More than a MiB of bytes after
  /// the end of the encoded data is an error too, whatever the ratio.
  public var decodingRatioLimit: Int? {
    get { self[Self.decodingRatioLimit] }
    set { self[Self.decodingRatioLimit] = newValue }
  }

  static let contentCodingLimit = RequestOption<Int>("contentCodingLimit", default: 3)

  /// The maximum number of codings in Content-Encoding, not counting `identity`; 3 by default.
  public var contentCodingLimit: Int {
    get { self[Self.contentCodingLimit] }
    set { self[Self.contentCodingLimit] = newValue }
  }

  static let refusesUnknownCodings = RequestOption<Bool>("refusesUnknownCodings", default: false)

  /// Whether a coding that ``ContentDecoding`` does not know is an error; `false` by default: the body is passed on
  /// undecoded, with its Content-Encoding.
  public var refusesUnknownCodings: Bool {
    get { self[Self.refusesUnknownCodings] }
    set { self[Self.refusesUnknownCodings] = newValue }
  }
}
