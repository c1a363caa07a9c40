import HTTPTypes
import StagecoachCore

/// Compares multipart bodies part by part. Parts are found by the name of their form field, or else by position.
///
/// The rules for a part are those below its name or position, such as `$.photo` or `$[0]`.
struct MultipartComparison {
  let rules: RuleTable
  let isStrict: Bool
  let level: Int

  private static let greatestLevel = 8

  func mismatches(
    _ expected: Bytes,
    _ expectedType: MediaType,
    _ actual: Bytes,
    _ actualType: MediaType
  ) -> [Mismatch] {
    guard level < Self.greatestLevel else { return [problem("The multipart bodies are nested too deep")] }
    let wanted: [MultipartPart<Bytes>]
    do throws(MultipartError) {
      wanted = try MultipartPart.all(in: expected, of: expectedType)
    } catch {
      return [problem("Failed to parse the expected body as a MIME multipart body: '\(error)'")]
    }
    let received: [MultipartPart<Bytes>]
    do throws(MultipartError) {
      received = try MultipartPart.all(in: actual, of: actualType)
    } catch {
      return [problem("Failed to parse the actual body as a MIME multipart body: '\(error)'")]
    }
    return mismatches(wanted, received)
  }

  private func mismatches(_ expected: [MultipartPart<Bytes>], _ actual: [MultipartPart<Bytes>]) -> [Mismatch]
  {
    var mismatches: [Mismatch] = []
    var used: Set<Int> = []
    for (index, part) in expected.enumerated() {
      let label = part.name ?? String(index)
      let place = part.name.map { ValuePath.root.key($0) } ?? ValuePath.root.index(index)
      let found = actual.indices.first {
        !used.contains($0)
          && (part.name == nil ? $0 == index && actual[$0].name == nil : actual[$0].name == part.name)
      }
      guard let found else {
        mismatches.append(problem("Expected a MIME part '\(label)' but was missing", at: place))
        continue
      }
      used.insert(found)
      mismatches += compare(part, actual[found], below: label, at: place)
    }
    guard isStrict else { return mismatches }
    for index in actual.indices where !used.contains(index) {
      let label = actual[index].name ?? String(index)
      mismatches.append(problem("Unexpected MIME part '\(label)' received"))
    }
    return mismatches
  }

  private func compare(
    _ expected: MultipartPart<Bytes>,
    _ actual: MultipartPart<Bytes>,
    below label: String,
    at place: ValuePath
  ) -> [Mismatch] {
    let comparison = BodyComparison(rules: rules.below(label), isStrict: isStrict, level: level + 1)
    return comparison.mismatches(
      ComparedBody(.bytes(expected.decoded)),
      expected.mediaType ?? .plainText,
      ComparedBody(.bytes(actual.decoded)),
      actual.mediaType ?? .plainText
    )
    .map { mismatch in
      var mismatch = mismatch
      mismatch.path = place.description + mismatch.path.dropFirst()
      return mismatch
    }
  }

  private func problem(_ text: String, at place: ValuePath = .root) -> Mismatch {
    Mismatch(.body, path: place.description, expected: nil, actual: nil, message: text)
  }
}

extension MultipartPart where Content == Bytes {
  /// The content without its transfer encoding, which HTTP does not use but some writers declare.
  fileprivate var decoded: Bytes {
    guard let name = HTTPField.Name("Content-Transfer-Encoding"), let encoding = fields[name],
      encoding.lowercased() == "base64"
    else { return content }
    return Bytes(base64: String(decoding: content)) ?? content
  }
}
