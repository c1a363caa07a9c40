@testable import StagecoachFixtures

/// Any text is refused or gives an expression, for which a match ends after a bound of steps. A text that is made of it
/// matches. The input is an expression and, behind a zero, a text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  let parts = octets.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
  let limit = 100_000
  for extent in [TextPattern.Extent.whole, .anywhere] {
    guard let pattern = try? TextPattern(String(decoding: parts[0], as: UTF8.self), extent: extent) else {
      return 0
    }
    var machine = PatternMachine(pattern, greatestSteps: limit)
    _ = try? machine.match(text)
    // What is counted ends between two characters, each of which takes the states and the members of their sets.
    let cost = pattern.expression.sets.map(\.cost).max() ?? 1
    let most =
      limit + PatternMachine.stepsPerByte * text.utf8.count + (pattern.expression.size + 1) * (cost + 1)
    precondition(machine.steps <= most, "a match went on behind its limit")
  }
  return 0
}
