import HTTPTypes
import StagecoachCore

extension Redactor {
  /// Returns a reply without secrets.
  func redact(_ response: ComparedResponse) throws(RedactionError) -> ComparedResponse {
    var copy = response
    let message = try redact(response.message)
    copy.fields = FieldLine.lines(of: message.fields)
    if case .bytes = response.body.content, let body = message.body { copy.body.content = .bytes(body) }
    return copy
  }

  /// Returns a text without the secrets that are known.
  func redact(text: String) throws(RedactionError) -> String {
    let message = try redact(RedactableMessage(response: [:], body: Bytes(text), mediaType: .plainText))
    return message.body.map { String(decoding: $0) } ?? text
  }
}

extension ComparedResponse {
  /// What is searched for secrets. Lines that no field can have are left out.
  var message: RedactableMessage {
    var fields = HTTPFields()
    for line in self.fields {
      guard let name = HTTPField.Name(line.name), HTTPField.isValidValue(line.value) else { continue }
      fields.append(HTTPField(name: name, value: line.value))
    }
    let bytes: Bytes? = if case .bytes(let bytes) = body.content { bytes } else { nil }
    return RedactableMessage(response: fields, body: bytes, mediaType: fields.contentType ?? body.mediaType)
  }

  /// The texts that may hold placeholders.
  private var texts: [[UInt8]] {
    var texts = fields.map { Array($0.value.utf8) }
    if case .bytes(let bytes) = body.content { texts.append(bytes.array) }
    return texts
  }

  /// The names of the placeholders in it.
  var placeholderNames: Set<String> {
    Set(texts.flatMap { Placeholder.all(in: $0).map(\.placeholder.name) })
  }

  /// Returns the reply with the number 1 in all placeholders of some names.
  func withFirstPlaceholders(of names: Set<String>) -> ComparedResponse {
    guard !names.isEmpty else { return self }
    var copy = self
    for index in copy.fields.indices {
      copy.fields[index].value = String(
        decoding: Placeholder.withFirst(of: names, in: Array(copy.fields[index].value.utf8)),
        as: UTF8.self
      )
    }
    if case .bytes(let bytes) = body.content {
      copy.body.content = .bytes(Bytes(Placeholder.withFirst(of: names, in: bytes.array)))
    }
    return copy
  }
}

extension Placeholder {
  fileprivate static func withFirst(of names: Set<String>, in bytes: [UInt8]) -> [UInt8] {
    var (result, end): ([UInt8], Int) = ([], 0)
    for (range, placeholder) in all(in: bytes) where names.contains(placeholder.name) {
      result += bytes[end..<range.lowerBound]
      result += Placeholder(name: placeholder.name, number: 1).text.utf8
      end = range.upperBound
    }
    return result + bytes[end...]
  }
}
