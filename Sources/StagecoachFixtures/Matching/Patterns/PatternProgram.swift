/// The instructions for a regular expression.
struct PatternProgram {
  enum Instruction {
    /// Takes a character of a set.
    case set(Int32)
    /// Goes on at two places; the first one is preferred.
    case split(Int32, Int32)
    case jump(Int32)
    case assertion(PatternExpression.Assertion)
    case startOfGroup, endOfGroup
    case match
  }

  private(set) var instructions: [Instruction] = []

  init(_ expression: PatternExpression) {
    instructions.reserveCapacity(expression.size + 1)
    append(expression.root)
    instructions.append(.match)
  }

  private var end: Int32 { Int32(instructions.count) }

  private mutating func append(_ node: PatternExpression.Node) {
    switch node {
    case .set(let set): instructions.append(.set(Int32(set)))
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { append(node) }
    case .firstGroup(let node):
      instructions.append(.startOfGroup)
      append(node)
      instructions.append(.endOfGroup)
    case .alternatives(let nodes):
      var ends: [Int] = []
      for node in nodes.dropLast() {
        let split = reserve()
        append(node)
        ends.append(reserve())
        instructions[split] = .split(Int32(split) + 1, end)
      }
      if let last = nodes.last { append(last) }
      for place in ends { instructions[place] = .jump(end) }
    case .repeated(let node, let min, let max, let isLazy):
      for _ in 0..<min { append(node) }
      if let max {
        let splits = (min..<Swift.max(min, max)).map { _ in
          let split = reserve()
          append(node)
          return split
        }
        for split in splits { instructions[split] = Self.split(Int32(split) + 1, end, isLazy) }
      } else {
        let split = reserve()
        append(node)
        instructions.append(.jump(Int32(split)))
        instructions[split] = Self.split(Int32(split) + 1, end, isLazy)
      }
    }
  }

  /// A place that is filled in later.
  private mutating func reserve() -> Int {
    instructions.append(.match)
    return instructions.count - 1
  }

  private static func split(_ into: Int32, _ past: Int32, _ isLazy: Bool) -> Instruction {
    isLazy ? .split(past, into) : .split(into, past)
  }
}
