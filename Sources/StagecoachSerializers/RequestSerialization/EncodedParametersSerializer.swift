import StagecoachCore

/// Lets a serializer of parameters take an `Encodable` value.
struct EncodedParametersSerializer<Input: Encodable & Sendable, Base: RequestSerializer<Parameters>>:
  RequestSerializer
{
  let base: Base
  let encoder: QueryEncoder

  var name: String { base.name }

  func serialize(_ input: Input, into request: inout Request) throws {
    try base.serialize(encoder.parameters(encoding: input), into: &request)
  }
}
