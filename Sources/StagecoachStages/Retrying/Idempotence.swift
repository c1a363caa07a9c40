import HTTPTypes
public import StagecoachCore
import Synchronization

extension RequestOptions {
  static let isIdempotent = RequestOption<Bool?>("isIdempotent", default: nil)

  /// Whether sending the request twice has the same effect as sending it once; `nil`, the default, to decide by its
  /// method and its `Idempotency-Key` (RFC 9110 9.2.2).
  ///
  /// Set it to `true` for a POST that the server recognizes when it is repeated, or a method such as MKCOL; to `false`
  /// for a GET that changes something.
  public var isIdempotent: Bool? {
    get { self[Self.isIdempotent] }
    set { self[Self.isIdempotent] = newValue }
  }
}

extension Request {
  /// Whether sending the request twice has the effect of sending it once.
  package var isIdempotent: Bool {
    if let said = options.isIdempotent { return said }
    return isSafe || method == .put || method == .delete || fields.contains(.idempotencyKey)
  }

  /// Whether the request asks for no change (RFC 9110 9.2.1): two of it at the same time do no harm.
  var isSafe: Bool { options.isIdempotent ?? method.isSafe }

  /// Gives the request a key by which the server recognizes it when it comes again, unless it is idempotent
  /// anyway or has one.
  ///
  /// The key is one of the operation: all attempts of an exchange have the same, and all its hops at one
  /// origin; no other origin sees it.
  mutating func addIdempotencyKey() {
    guard !isIdempotent, options.isIdempotent == nil, let exchange else { return }
    let origin = TargetURI.Origin(head)
    let key = exchange.withState(IdempotencyKey.byOrigin) { keys in
      if let key = keys[origin] { return key }
      let key = IdempotencyKey.make(exchange.randomNumberGenerator)
      keys[origin] = key
      return key
    }
    fields[.idempotencyKey] = key
  }
}

extension HTTPRequest.Method {
  /// Whether the method asks for no change (RFC 9110 9.2.1): IANA's registry of methods lists it as safe.
  package var isSafe: Bool {
    switch rawValue {
    case "GET", "HEAD", "OPTIONS", "PRI", "PROPFIND", "QUERY", "REPORT", "SEARCH", "TRACE": true
    default: false
    }
  }
}

extension HTTPField.Name {
  /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

enum IdempotencyKey {
  /// The keys of an exchange by origin: an operation keeps its key from hop to hop.
  static let byOrigin = ExchangeState<[TargetURI.Origin?: String]>([:])

  /// A random UUID (RFC 9562 5.4) as the string of a structured field (RFC 9651 3.3.3), which the draft
  /// demands.
  static func make(_ random: any RandomSource) -> String {
    let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = (high.bigEndianBytes + low.bigEndianBytes).hexadecimal
    var text = "\""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text + "\""
  }
}
