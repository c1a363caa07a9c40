import StagecoachCore

/// Decodes successive lines of text.
struct LineText: PieceReader, Sendable {
  /// The charset, which must encode LF and CR as ASCII does.
  private(set) var charset: Charset
  let mode: Charset.Mode
  /// Whether a UTF-8 byte order mark overrides the charset.
  let heedsMark: Bool
  /// The number of lines read.
  private(set) var count = 0

  init(charset: Charset, mode: Charset.Mode, heedsMark: Bool) {
    self.charset = charset
    self.mode = mode
    self.heedsMark = heedsMark
  }

  mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int64) throws -> String? {
    var line = line
    if count == 0, heedsMark, line.startsWithUTF8Mark {
      charset = .utf8
      line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3))
    }
    do throws(CharsetError) {
      let text = try charset.decode(line, mode: mode)
      count += 1
      return text
    } catch {
      throw ElementError(.notText(error), index: count, offset: offset, bytes: line)
    }
  }

  /// A last line that contains only a byte order mark is skipped.
  mutating func readRest(_ line: UnsafeRawBufferPointer, at offset: Int64) throws -> String? {
    let text = try read(line, at: offset)
    return text == "" ? nil : text
  }
}
