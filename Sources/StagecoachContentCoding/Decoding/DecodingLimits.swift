public import StagecoachCore

extension RequestOptions {
  static let decodedBodyLimit = RequestOption<Int64?>("decodedBodyLimit", default: 1024 * 1024 * 1024)

  /// The most bytes that a response body may have once a content coding is undone; 1 GiB by default, nil for no
  /// limit. Each coding of several counts by itself.
  public var decodedBodyLimit: Int64? {
    get { self[Self.decodedBodyLimit] }
    set { self[Self.decodedBodyLimit] = newValue }
  }

  static let decodingRatioLimit = RequestOption<Int?>("decodingRatioLimit", default: 200)

  /// How many decoded bytes a coded byte may stand for, on the average of all so far; 200 by default, nil for no
  /// limit. Each coding of several counts by itself.
  ///
  /// The first MiB of decoded bytes is free, since small bodies compress very well for honest reasons. gzip and
  /// deflate reach about 1032 with data made for it.
  ///
  /// It holds the other way round too: coded bytes that stand for nothing, such as empty members, end with an error
  /// once they are a MiB more than so many for each decoded byte. Honest content takes about 20 at the worst.
  public var decodingRatioLimit: Int? {
    get { self[Self.decodingRatioLimit] }
    set { self[Self.decodingRatioLimit] = newValue }
  }

  static let contentCodingLimit = RequestOption<Int>("contentCodingLimit", default: 3)

  /// The most codings that Content-Encoding may list, `identity` not counted; 3 by default.
  public var contentCodingLimit: Int {
    get { self[Self.contentCodingLimit] }
    set { self[Self.contentCodingLimit] = newValue }
  }

  static let refusesUnknownCodings = RequestOption<Bool>("refusesUnknownCodings", default: false)

  /// Whether a coding that ``ContentDecoding`` does not know is an error; false by default: the body is handed on
  /// as it came, with its Content-Encoding.
  public var refusesUnknownCodings: Bool {
    get { self[Self.refusesUnknownCodings] }
    set { self[Self.refusesUnknownCodings] = newValue }
  }
}
