import HTTPTypes
import StagecoachCore

/// The values that replies of a new recording keep from an older one, so that what repeats them repeats these: the
/// If-None-Match of an ETag, the path with the identifier of what was created.
struct VolatilePairs {
  private static let maxCount = 10_000
  private static let validators: Set<HTTPField.Name> = [.eTag, .lastModified]
  private static let conditions: Set<HTTPField.Name> = [
    .ifNoneMatch, .ifMatch, .ifRange, .ifModifiedSince, .ifUnmodifiedSince, .eTag, .lastModified,
  ]

  /// The kept values by the new ones.
  private var kept: [[UInt8]: [UInt8]] = [:]

  /// Learns what a reply keeps.
  mutating func learn(_ new: Scenario.Reply, _ stable: Scenario.Reply) {
    guard new != stable, let new = new.message, let stable = stable.message else { return }
    let (before, after) = (MessageTree(new).parts, MessageTree(stable).parts)
    guard before.count == after.count else { return }
    for (part, keptPart) in zip(before, after) where part.tree.text != keptPart.tree.text {
      let isValidator = new.field(at: part.place).map { Self.validators.contains($0.name) } ?? false
      learn(part.tree, keptPart.tree, isValidator: isValidator)
    }
  }

  private mutating func learn(_ new: TextTree, _ stable: TextTree, isValidator: Bool) {
    for index in new.differences(from: stable) ?? [] {
      guard let leaf = new.nodes[index].leaf, let other = stable.nodes[index].leaf else { continue }
      if isValidator || VolatileText.form(of: String(decoding: leaf.value, as: UTF8.self)) == .uuid {
        if kept.count < Self.maxCount, kept[leaf.value] == nil { kept[leaf.value] = other.value }
      } else if let inner = leaf.inner?.tree, let otherInner = other.inner?.tree {
        learn(inner, otherInner, isValidator: false)
      }
    }
  }

  /// Replaces new values that an exchange repeats by the kept ones.
  func apply(to exchange: inout Scenario.Exchange) {
    guard !kept.isEmpty else { return }
    let request = replaced(exchange.request.message)
    exchange.request.target = request.target ?? exchange.request.target
    exchange.request.fields = request.fields
    if let body = request.body { exchange.request.body?.bytes = body }
    guard let reply = exchange.reply.message.map(replaced) else { return }
    exchange.reply.head?.response.headerFields = reply.fields
    if let body = reply.body { exchange.reply.body?.bytes = body }
  }

  private func replaced(_ message: RedactableMessage) -> RedactableMessage {
    var copy = message
    for part in MessageTree(message).parts {
      let isCondition = message.field(at: part.place).map { Self.conditions.contains($0.name) } ?? false
      let text = part.tree.rewritten { place in
        if isCondition, place.outer == nil { return .value(list(place.leaf.value)) }
        return kept[place.leaf.value].map { .value($0) } ?? .inside
      }
      // What follows from the content stays right only where nothing does.
      if part.place == .body, text.count != part.tree.text.count || message.fields.contains(where: \.isDigest)
      {
        continue
      }
      if text != part.tree.text { copy.set(text, part.place) }
    }
    return copy
  }

  /// Replaces the tags in a list of entity tags, or a date.
  private func list(_ value: [UInt8]) -> [UInt8] {
    if let date = kept[value] { return date }
    let tags = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
      let blanks = part.prefix { $0 == 0x20 }
      let tag = Array(part.dropFirst(blanks.count))
      return blanks + (kept[tag] ?? tag)
    }
    return Array(tags.joined(separator: [UInt8(ascii: ",")]))
  }
}

extension RedactableMessage {
  /// The field at a place in the head.
  fileprivate func field(at place: Place) -> HTTPField? {
    if case .field(let index) = place { fields[index] } else { nil }
  }
}

extension HTTPField {
  fileprivate var isDigest: Bool {
    name.canonicalName.hasSuffix("digest") || name.canonicalName == "content-md5"
  }
}
