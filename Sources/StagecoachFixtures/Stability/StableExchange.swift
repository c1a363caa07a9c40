import HTTPTypes
import StagecoachCore

extension Scenario.Exchange {
  /// The exchange as it is written over an older recording of it: what is volatile stays as it was, and so does what was
  /// written by hand. The target and the cause are those of the new one.
  func stable(over old: Scenario.Exchange) -> Scenario.Exchange {
    var copy = self
    (copy.id, copy.times, copy.isOptional) = (old.id, old.times, old.isOptional)
    (copy.requires, copy.sets, copy.match, copy.expect) = (old.requires, old.sets, old.match, old.expect)
    copy.request = request.stable(over: old.request, old.match)
    copy.reply = reply.stable(over: old.reply, old.expect)
    return copy
  }
}

extension Scenario.Request {
  fileprivate func stable(over old: Scenario.Request, _ rules: [Scenario.Rule]) -> Scenario.Request {
    var copy = self
    copy.version = old.version ?? version
    copy.body = body?.stable(over: old.body, rules)
    let contentDiffers = copy.body?.bytes != body?.bytes
    copy.fields = fields.stable(over: old.fields, contentDiffers: contentDiffers)
    copy.trailers = trailers.map { $0.stable(over: old.trailers ?? [:], contentDiffers: contentDiffers) }
    return copy
  }
}

extension Scenario.Reply {
  fileprivate func stable(over old: Scenario.Reply, _ rules: [Scenario.Rule]) -> Scenario.Reply {
    guard outcome == old.outcome else { return self }
    var copy = self
    copy.end = old.end
    copy.body = body?.stable(over: old.body, rules)
    let contentDiffers = copy.body?.bytes != body?.bytes
    if let head, let old = old.head { copy.head = head.stable(over: old, contentDiffers: contentDiffers) }
    if informational.count == old.informational.count {
      copy.informational = zip(informational, old.informational).map { $0.stable(over: $1) }
    }
    copy.trailers = trailers.map { $0.stable(over: old.trailers ?? [:], contentDiffers: contentDiffers) }
    return copy
  }
}

extension Scenario.Head {
  fileprivate func stable(over old: Scenario.Head, contentDiffers: Bool = false) -> Scenario.Head {
    var copy = self
    copy.time = old.time
    copy.response.headerFields = response.headerFields.stable(
      over: old.response.headerFields,
      contentDiffers: contentDiffers
    )
    return copy
  }
}

extension Scenario.Body {
  /// - Parameter rules: What may differ in the content.
  fileprivate func stable(over old: Scenario.Body?, _ rules: [Scenario.Rule]) -> Scenario.Body {
    if let old, Self.isEqual(self, old) || differs(from: old, by: rules) { return old }
    var copy = self
    // The file keeps a name that somebody may have chosen.
    if let old, old.type == type, old.form == form { copy.file = old.file }
    return copy
  }
}

extension Scenario.Body {
  /// Whether the content differs from another one in nothing but what rules let differ.
  private func differs(from old: Scenario.Body, by rules: [Scenario.Rule]) -> Bool {
    guard !rules.isEmpty, omission == nil, old.omission == nil, codings == old.codings else { return false }
    let rules = rules.compactMap { try? MatchRule($0, of: "", in: "expect") }.filter { $0.part == .body }
    guard !rules.isEmpty else { return false }
    return MessageComparison(rules: MatchRules(rules)).mismatches(old.compared, compared).isEmpty
  }

  /// The content, compared as that of a request: as strictly as can be.
  var compared: ComparedRequest {
    ComparedRequest(
      method: "",
      path: "",
      query: .none,
      fields: [],
      body: ComparedBody(.bytes(bytes), mediaType: type.flatMap { MediaType($0) })
    )
  }
}

extension HTTPFields {
  /// The fields with the old values of those that are equal to a recording.
  fileprivate func stable(over old: HTTPFields, contentDiffers: Bool) -> HTTPFields {
    guard self != old else { return old }
    var left = Array(old)
    return HTTPFields(
      map { field in
        guard
          let index = left.firstIndex(where: {
            VolatileFields.isEqual($0, field, contentDiffers: contentDiffers)
          })
        else { return field }
        return left.remove(at: index)
      }
    )
  }
}
