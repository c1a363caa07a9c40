#if Tool
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Colours for a terminal; plain text for everything else.
  struct Palette: Sendable {
    private let isColoured: Bool

    /// Colours if a person is looking and did not say no (no-color.org).
    init(isTerminal: Bool) {
      let refusal = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
      isColoured = isTerminal && refusal.isEmpty
    }

    func bold(_ text: String) -> String { paint(text, 1) }
    func dim(_ text: String) -> String { paint(text, 2) }
    func red(_ text: String) -> String { paint(text, 31) }
    func green(_ text: String) -> String { paint(text, 32) }
    func yellow(_ text: String) -> String { paint(text, 33) }
    func cyan(_ text: String) -> String { paint(text, 36) }

    private func paint(_ text: String, _ code: Int) -> String {
      isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
  }
#endif
