import StagecoachCore
import StagecoachSerializers

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How an archived transfer ended.
enum ArchivedOutcome: Codable, Sendable, Equatable {
  /// A value that is `Codable`, as JSON: a list of it.
  case value(Data)
  case bytes(Data)
  case file(path: String, size: Int64)
  case nothing
  /// A value of a type that cannot be kept.
  case unavailable(type: String)
  case failure(ArchivedFailure)
  case cancelled

  init<Output: Sendable>(_ outcome: Result<Output, any Error>) {
    switch outcome {
    case .success(let value): self = Self.form(of: value)
    case .failure(is CancellationError): self = .cancelled
    case .failure(let error): self = .failure(ArchivedFailure(error))
    }
  }

  private static func form<Output>(of value: Output) -> ArchivedOutcome {
    if let bytes = value as? Bytes { return .bytes(bytes.withUnsafeBytes { Data($0) }) }
    if let file = value as? SavedFile { return .file(path: file.path, size: file.size) }
    if value is Void { return .nothing }
    guard Output.self is any Decodable.Type, let value = value as? any Encodable,
      let data = try? encode(value)
    else { return .unavailable(type: String(describing: Output.self)) }
    return .value(data)
  }

  private static func encode<Value: Encodable>(_ value: Value) throws -> Data {
    try JSONEncoder().encode([value])
  }

  /// Returns the outcome of a restored transfer. A value that is not there is a failure.
  func restored<Output: Sendable>(as type: Output.Type) -> Result<Output, any Error> {
    switch self {
    case .cancelled: .failure(CancellationError())
    case .failure(let failure): .failure(failure.restored)
    case .value(let data):
      Self.result(
        (type as? any Decodable.Type).flatMap { Self.decode($0, data) },
        "the value of another type"
      )
    case .bytes(let data): Self.result(Bytes(data), "bytes")
    case .file(let path, let size): Self.result(SavedFile(path: path, size: size), "a file")
    case .nothing: Self.result((), "nothing")
    case .unavailable(let type): Self.result(nil, "no value, because its type \(type) is not Codable")
    }
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
    let values = try? JSONDecoder().decode([Value].self, from: data)
    return values?.count == 1 ? values?.first : nil
  }

  private static func result<Output: Sendable>(_ value: Any?, _ kept: String) -> Result<Output, any Error> {
    if let value = value as? Output { return .success(value) }
    return .failure(
      ExchangeError(
        .serialization,
        "the snapshot of the finished transfer has \(Format.oneLine(kept)), not a \(Output.self)",
        advice: "restore it with the serializer that it had, or send the request again with makeRetry()"
      )
    )
  }
}

/// Why an archived transfer failed, in words.
struct ArchivedFailure: Codable, Sendable, Equatable, StageFailure {
  /// The stable name of the kind, by which kinds are compared.
  var kind: String
  var message: String
  var advice: String?
  var stage: String
  var response: ArchivedResponse?

  init(_ error: any Error) {
    let known = error as? ExchangeError
    kind = (known?.kind ?? .stage).description
    message = known?.message ?? Format.describe(error)
    advice = known?.advice
    stage = known?.stage ?? ""
    response = known?.response.map { ArchivedResponse($0) }
  }

  var description: String { kind }

  var restored: ExchangeError {
    var error = ExchangeError(.stageFailure(self), message, advice: advice)
    error.stage = stage
    error.response = response?.restored
    return error
  }
}
