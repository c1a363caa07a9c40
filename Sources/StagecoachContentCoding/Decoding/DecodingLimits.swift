public import StagecoachCore

/// The most bytes that a response body may have once a content coding is undone; 1 GiB by default, nil for no
/// limit. Each coding of several counts by itself.
public enum DecodedBodyLimit: RequestOptionKey {
  /// 1 GiB.
  public static let defaultValue: Int64? = 1024 * 1024 * 1024
  /// `decodedBodyLimit`
  public static let name = "decodedBodyLimit"
}

/// How many decoded bytes a coded byte may stand for, on the average of all so far; 200 by default, nil for no
/// limit. Each coding of several counts by itself.
///
/// The first MiB of decoded bytes is free, since small bodies compress very well for honest reasons. gzip and
/// deflate reach about 1032 with data made for it.
///
/// It holds the other way round too: coded bytes that stand for nothing, such as empty members, end with an error
/// once they are a MiB more than so many for each decoded byte. Honest content takes about 20 at the worst.
public enum DecodingRatioLimit: RequestOptionKey {
  /// 200.
  public static let defaultValue: Int? = 200
  /// `decodingRatioLimit`
  public static let name = "decodingRatioLimit"
}

/// The most codings that Content-Encoding may list, `identity` not counted; 3 by default.
public enum ContentCodingLimit: RequestOptionKey {
  /// 3.
  public static let defaultValue = 3
  /// `contentCodingLimit`
  public static let name = "contentCodingLimit"
}

/// Whether a coding that ``ContentDecoding`` does not know is an error; false by default: the body is handed on
/// as it came, with its Content-Encoding.
public enum RefusesUnknownCodings: RequestOptionKey {
  /// The body is handed on.
  public static let defaultValue = false
  /// `refusesUnknownCodings`
  public static let name = "refusesUnknownCodings"
}

extension RequestOptions {
  /// See ``DecodedBodyLimit``.
  public var decodedBodyLimit: Int64? {
    get { self[DecodedBodyLimit.self] }
    set { self[DecodedBodyLimit.self] = newValue }
  }

  /// See ``DecodingRatioLimit``.
  public var decodingRatioLimit: Int? {
    get { self[DecodingRatioLimit.self] }
    set { self[DecodingRatioLimit.self] = newValue }
  }

  /// See ``ContentCodingLimit``.
  public var contentCodingLimit: Int {
    get { self[ContentCodingLimit.self] }
    set { self[ContentCodingLimit.self] = newValue }
  }

  /// See ``RefusesUnknownCodings``.
  public var refusesUnknownCodings: Bool {
    get { self[RefusesUnknownCodings.self] }
    set { self[RefusesUnknownCodings.self] = newValue }
  }
}
