/// How much of a response may come beside its body, so that no peer fills the memory without one.
///
/// ```swift
/// request.options.responseHeadLimits.fields = 1_000
/// ```
///
/// What goes beyond fails with ``ExchangeError`` of kind `limit(.responseHead)`. Engines have limits of their own
/// behind these, which a larger value here does not raise: the documentation of each transport tells.
public struct ResponseHeadLimits: Sendable, Hashable {
  /// The most bytes of all header fields together; 64 KiB by default.
  public var bytes = 64 * 1024
  /// The most header fields; 256 by default.
  public var fields = 256
  /// The most bytes of one field, header or trailer, with its name, and of the status line; 16 KiB by default.
  public var fieldBytes = 16 * 1024
  /// The most bytes of all trailer fields together; 16 KiB by default.
  public var trailerBytes = 16 * 1024
  /// The most informational responses (RFC 9110 15.2) before the one that answers; 8 by default.
  public var informationalResponses = 8

  /// The defaults.
  public init() {}
}

extension RequestOptions {
  package static let responseHeadLimits = RequestOption<ResponseHeadLimits>(
    "responseHeadLimits",
    default: ResponseHeadLimits()
  )

  /// How much of a response may come beside its body: ``ResponseHeadLimits`` with its defaults.
  public var responseHeadLimits: ResponseHeadLimits {
    get { self[Self.responseHeadLimits] }
    set { self[Self.responseHeadLimits] = newValue }
  }
}

extension ResponseHeadLimits {
  /// Adds up the fields of a head, or of trailers, as a transport reads them.
  package struct Meter {
    private let limits: ResponseHeadLimits
    private let areTrailers: Bool
    private var bytes = 0
    private var fields = 0

    /// - Parameters:
    ///   - limits: What may come.
    ///   - areTrailers: Whether the fields follow the body.
    package init(_ limits: ResponseHeadLimits, areTrailers: Bool = false) {
      self.limits = limits
      self.areTrailers = areTrailers
    }

    /// Counts a line.
    ///
    /// - Parameters:
    ///   - size: Its bytes.
    ///   - isField: Whether it is a field, and not the status line.
    /// - Throws: ``ExchangeError`` of kind `limit(.responseHead)`.
    package mutating func add(_ size: Int, isField: Bool = true) throws {
      bytes += size
      if isField { fields += 1 }
      if size > limits.fieldBytes {
        let what = isField ? "one field" : "the status line"
        throw limits.exceeded(what, "fieldBytes", limits.fieldBytes, "bytes")
      }
      if areTrailers {
        guard bytes > limits.trailerBytes else { return }
        throw limits.exceeded("the trailers", "trailerBytes", limits.trailerBytes, "bytes")
      }
      if bytes > limits.bytes { throw limits.exceeded("the head", "bytes", limits.bytes, "bytes") }
      if fields > limits.fields { throw limits.exceeded("the head", "fields", limits.fields, "fields") }
    }
  }

  /// Judges another informational response.
  ///
  /// - Parameter number: Its number, from 1.
  /// - Throws: ``ExchangeError`` of kind `limit(.responseHead)`.
  package func checkInformational(number: Int) throws {
    guard number > informationalResponses else { return }
    throw exceeded(
      "what came before it",
      "informationalResponses",
      informationalResponses,
      "informational responses"
    )
  }

  private func exceeded(_ what: String, _ name: String, _ limit: Int, _ unit: String) -> ExchangeError {
    let option = "\(RequestOptions.responseHeadLimits.name).\(name)"
    return ExchangeError(
      .limit(.responseHead),
      "of the response \(what) has more than \(limit) \(unit)",
      advice: "raise options.\(option) if the server is trusted",
      limit: ExchangeError.Limit(option: option, value: "\(limit) \(unit)")
    )
  }
}
