/// The path to a value in a message, during a comparison.
struct ValuePath {
  /// A step to a value.
  enum Step: Hashable {
    case key(String)
    case index(Int)
    /// A child element, with all spellings of its name, and its position among the elements of its parent.
    case element(names: [String], position: Int)

    var isElement: Bool { if case .element = self { true } else { false } }
  }

  private(set) var steps: [Step] = []

  static let root = ValuePath()

  func appending(_ step: Step) -> ValuePath {
    var copy = self
    copy.steps.append(step)
    return copy
  }

  func key(_ key: String) -> ValuePath { appending(.key(key)) }

  func index(_ index: Int) -> ValuePath { appending(.index(index)) }
}

extension ValuePath: CustomStringConvertible {
  var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .key(let key): text.appendMember(key)
      case .index(let index): text += "[\(index)]"
      case .element(let names, _): text.appendKey(names.first ?? "")
      }
    }
  }
}

extension String {
  /// Appends the key of a member to the path of a value: as Pact writes it, a number like a position.
  mutating func appendMember(_ key: String) {
    let isNumber =
      !key.isEmpty && key.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if isNumber {
      self += "[\(key)]"
    } else {
      appendKey(key)
    }
  }
}
