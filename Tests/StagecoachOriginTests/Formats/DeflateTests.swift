#if Tool
  import Testing

  @testable import StagecoachOrigin

  struct DeflateTests {
    @Test func anyInputComesBack() throws {
      var generator = SystemRandomNumberGenerator()
      let random = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // A repetition further away than the window, which must not become a match.
      let far = Array(random.prefix(100)) + random.dropFirst(100).prefix(40_000) + random.prefix(100)
      let inputs: [[UInt8]] = [
        [], [0], [255, 255], Array(repeating: 7, count: 1000), Array("abcabcabcabc".utf8), random, far,
      ]
      for input in inputs {
        let coded = Deflate.compress(input)
        #expect(try Inflater.inflate(coded) == input)
      }
      #expect(Deflate.compress(Array(repeating: 7, count: 1000)).count < 20)
    }
  }
#endif
