import StagecoachFormats

/// Stand-in until branch naming is merged.
struct SecretJudge: Sendable {
  struct Context: Sendable {}
  let naming: SecretNaming
  init(_ options: RedactionOptions) {
    naming = SecretNaming(additional: options.secretNames, allowed: options.allowedNames)
  }
  func context(of message: RedactableMessage, _ trees: MessageTree) -> Context { Context() }
  func keeps(_ place: LeafPlace) -> Bool { false }
  func secretName(of place: LeafPlace, part: MessageTree.Part, fieldName: String?, in context: Context)
    -> String?
  {
    guard !SecretValues.isTrivial(place.leaf.value), !SecretValues.isURL(place.leaf.value) else { return nil }
    for step in place.steps.reversed() {
      switch step {
      case .member(let name), .parameter(let name, _), .element(let name, _), .attribute(let name):
        return naming.isSecret(name) ? name : nil
      case .index, .characters: continue
      }
    }
    return nil
  }
}
