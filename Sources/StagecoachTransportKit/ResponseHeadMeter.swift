public import StagecoachCore

/// Counts the lines of a response head, or of trailers, against `ResponseHeadLimits` while a transport reads them.
///
/// ```swift
/// let (statusLine, lines) = ("HTTP/1.1 200 OK\r\n", ["ETag: \"a\"\r\n"])
/// var meter = ResponseHeadMeter(request.options.responseHeadLimits)
/// try meter.add(statusLine.utf8.count, isField: false)
/// for line in lines { try meter.add(line.utf8.count) }
/// ```
public struct ResponseHeadMeter: Sendable {
  private let limits: ResponseHeadLimits
  private let areTrailers: Bool
  private var bytes = 0
  private var fields = 0

  /// Creates a meter without any lines.
  ///
  /// - Parameters:
  ///   - limits: The limits of the request.
  ///   - areTrailers: Whether the fields follow the body.
  public init(_ limits: ResponseHeadLimits, areTrailers: Bool = false) {
    self.limits = limits
    self.areTrailers = areTrailers
  }

  /// Counts a line.
  ///
  /// - Parameters:
  ///   - size: Its length in bytes.
  ///   - isField: Whether it is a field line, and not the status line.
  /// - Throws: `ExchangeError` of kind `limit(.responseHead)`.
  public mutating func add(_ size: Int, isField: Bool = true) throws {
    bytes += size
    if isField { fields += 1 }
    if size > limits.fieldBytes {
      let line = isField ? "a field" : "the status line"
      throw limits.exceeded(
        "\(line) of the response is longer than",
        "fieldBytes",
        limits.fieldBytes,
        "bytes"
      )
    }
    if areTrailers {
      guard bytes > limits.trailerBytes else { return }
      throw limits.exceeded(
        "the trailer fields are larger than",
        "trailerBytes",
        limits.trailerBytes,
        "bytes"
      )
    }
    if bytes > limits.bytes {
      throw limits.exceeded("the response head is larger than", "bytes", limits.bytes, "bytes")
    }
    if fields > limits.fields {
      throw limits.exceeded("the response head has more than", "fields", limits.fields, "fields")
    }
  }
}

extension ResponseHeadLimits {
  /// Checks the number of informational responses so far.
  ///
  /// - Throws: `ExchangeError` of kind `limit(.responseHead)`.
  public func check(informationalResponses count: Int) throws {
    guard count > informationalResponses else { return }
    throw exceeded(
      "there were more than",
      "informationalResponses",
      informationalResponses,
      "informational responses"
    )
  }

  fileprivate func exceeded(_ what: String, _ name: String, _ limit: Int, _ unit: String) -> ExchangeError {
    let option = "responseHeadLimits.\(name)"
    return .limit(
      .responseHead,
      "\(what) \(limit) \(unit)",
      advice: "raise options.\(option) if the server is trusted",
      limit: (option, "\(limit) \(unit)")
    )
  }
}

extension ExchangeError {
  /// Says that the limit of the engine was exceeded, which no option raises.
  ///
  /// - Parameter value: The limits of the engine, with their units.
  public mutating func setLimitOfEngine(_ value: String) {
    limit = Limit(option: "engine", value: value)
    advice =
      "no option raises the limits of the engine; use a transport that accepts more, with options.responseHeadLimits "
      + "that allow it"
  }
}
