package import StagecoachFormats

/// Media ranges from their text.
package func ranges(_ texts: [String]) -> [MediaRange] {
  texts.map { MediaRange($0)! }
}
