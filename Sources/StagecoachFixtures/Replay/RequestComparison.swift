import HTTPTypes
import StagecoachCore

/// Compares requests with a recorded one: method, URL and content are equal, or as the rules say.
/// A class, for it is asked for each request and large to copy.
final class RequestComparison: Sendable {
  let recorded: LiveRequest
  /// The secrets of the recorded request; `nil` if it has none.
  let secrets: RedactedMessage?
  /// Whether nothing but the method and the path was recorded.
  let isOmitted: Bool
  private let rules: MatchRules
  private let expected: ComparedRequest
  /// The fields that rules name, in lower case.
  private let ruledFields: Set<String>

  /// - Parameter hasContent: False if the content was not recorded: any is equal then.
  init(
    _ recorded: LiveRequest,
    _ rules: MatchRules,
    secrets: RedactedMessage? = nil,
    hasContent: Bool,
    isOmitted: Bool = false
  ) {
    self.recorded = recorded
    self.rules = rules
    self.secrets = secrets
    self.isOmitted = isOmitted
    // Fields are compared where a rule names them.
    let names = Set(
      rules.rules.compactMap { rule -> String? in
        guard rule.part == .header, case .key(let name)? = rule.path.steps.first else { return nil }
        return name.lowercased()
      }
    )
    ruledFields = names
    var expected = recorded.compared
    expected.fields.removeAll { !names.contains($0.name.lowercased()) }
    expected.body.mediaType = recorded.fields.contentType
    if !hasContent { expected.body = .absent }
    self.expected = expected
  }

  /// Whether requests with another method or path can be equal.
  var findsOtherPaths: Bool {
    rules.rules.contains { $0.part == .method || $0.part == .path } || secrets?.hidesPath == true
  }

  /// Whether a request is as the recorded one, which has no secrets.
  func accepts(_ live: LiveRequest) -> Bool {
    hasOrigin(of: live) && (isEqual(live) || mismatches(live).isEmpty)
  }

  /// Whether a request is as the recorded one, which has secrets.
  func accepts(_ aligned: AlignedRequest, _ live: LiveRequest) -> Bool {
    guard hasOrigin(of: live) else { return false }
    guard !aligned.faults.contains(where: isOfField) else { return false }
    return isEqual(aligned.request) || mismatches(aligned, live).isEmpty
  }

  private func isEqual(_ live: LiveRequest) -> Bool {
    guard recorded.method == live.method, recorded.path == live.path else { return false }
    return isOmitted || rules.isEmpty && recorded.query == live.query && recorded.body == live.body
  }

  /// Returns a comparison with further rules.
  func adding(_ others: [MatchRule]) -> RequestComparison {
    RequestComparison(
      recorded,
      MatchRules(rules.rules + others),
      secrets: secrets,
      hasContent: expected.body != .absent
    )
  }

  /// Whether a request goes to the same origin.
  func hasOrigin(of other: LiveRequest) -> Bool {
    recorded.scheme == other.scheme && recorded.authority == other.authority
  }

  private func mismatches(_ live: LiveRequest) -> [Mismatch] {
    if isOmitted { return isEqual(live) ? [] : pathMismatches(live) }
    return MessageComparison(rules: rules).mismatches(expected, live.compared)
  }

  private func pathMismatches(_ live: LiveRequest) -> [Mismatch] {
    MessageComparison().mismatches(
      ComparedRequest(method: recorded.method, path: String(recorded.path)),
      ComparedRequest(method: live.method, path: String(live.path))
    )
  }

  /// What differs where a value is neither as the recorded one nor as a rule says.
  private func mismatches(_ aligned: AlignedRequest, _ live: LiveRequest) -> [Mismatch] {
    let found = mismatches(aligned.request)
    // Rules judge the values as they came.
    return found.isEmpty || rules.isEmpty ? found : found.kept(in: mismatches(live))
  }

  /// Whether a fault is in a field. The comparison sees the other parts, and the fields that have a rule.
  private func isOfField(_ fault: RedactedMessage.Fault) -> Bool {
    fault.part.fieldName.map { !ruledFields.contains($0) } ?? false
  }

  /// What differs between a live request and the recorded one.
  struct Differences {
    /// Sentences without secrets.
    var plain: [(part: MessagePart, text: String)] = []
    /// Their texts may have secrets.
    var mismatches: [Mismatch]

    var isEmpty: Bool { plain.isEmpty && mismatches.isEmpty }
  }

  func differences(_ requests: AlignedRequests) -> Differences {
    let live = requests.live
    let aligned = secrets.map { requests.aligned(with: $0) }
    var differences = Differences(mismatches: aligned.map { mismatches($0, live) } ?? mismatches(live))
    if !hasOrigin(of: live) {
      differences.plain.append((.path, "origin: expected \(recorded.origin) but was \(live.origin)"))
    }
    for fault in aligned?.faults.filter(isOfField) ?? [] {
      differences.plain.append((.header, Format.oneLine("header \(fault.path): \(fault.text)")))
    }
    return differences
  }

  /// Returns the sentences about differences.
  ///
  /// - Parameter shown: The live request without secrets.
  func sentences(_ differences: Differences, _ shown: LiveRequest) -> [String] {
    differences.plain.map(\.text) + differences.mismatches.shown(in: mismatches(shown)).map(\.line)
  }

  /// How many fields of the recorded request the live one has too, less those it lacks.
  func score(_ live: HTTPFields) -> Int {
    var score = 0
    // The length is that of the content, which is compared.
    for field in recorded.fields where field.name != .contentLength {
      score += live[values: field.name].contains(field.value) ? 1 : -1
    }
    for field in live where field.name != .contentLength && !recorded.fields.contains(field.name) {
      score -= 1
    }
    return score
  }
}

extension LiveRequest {
  /// The request in the form of all comparisons.
  var compared: ComparedRequest {
    ComparedRequest(
      method: method,
      path: String(path),
      query: query.map { ComparedQuery(parsing: $0) } ?? .none,
      fields: fields.map { FieldLine($0.name.rawName, $0.value) },
      body: ComparedBody(.bytes(body))
    )
  }
}

extension Mismatch {
  /// The place and what differs, on one line.
  fileprivate var line: String {
    Format.oneLine(path.isEmpty ? "\(part.rawValue): \(message)" : "\(part.rawValue) \(path): \(message)")
  }
}
