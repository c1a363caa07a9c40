#if Tool
  import ArgumentParser
  import Stagecoach

  /// Translates what errors of the library advise: names of its API become options of a command.
  ///
  /// The clauses of an advice are translated one by one. A clause about something that the command has no option for is
  /// left out; if that was a limit, the advice says so.
  struct Advice {
    /// The tool's counterpart of a name of the library.
    enum Counterpart: Hashable {
      /// An option, which replaces the name.
      case option(String)
      /// Options, in a text that replaces the clause.
      case clause(String)
      /// No option.
      case missing
    }

    /// The name of the command.
    let command: String
    /// The options that it has.
    private let options: Set<Substring>

    init(of command: any ParsableCommand.Type) {
      self.command = command.configuration.commandName ?? "stagecoach"
      options = Self.options(in: command.helpMessage(columns: 1000))
    }

    /// The error with the options of the command in its message, its limit and its advice.
    func translated(_ error: ExchangeError) -> ExchangeError {
      var error = error
      if error.kind == .unsupported { error.message = replacingOptions(in: error.message) }
      let isAboutLimit = error.limit.map { $0.option != "engine" } ?? false
      error.advice = error.advice.flatMap { translated($0, isAboutLimit: isAboutLimit) }
      error.limit = error.limit.map(shown)
      return error
    }

    /// The limit with the option that changes it, or a note that there is none.
    func shown(_ limit: ExchangeError.Limit) -> ExchangeError.Limit {
      guard limit.option != "engine" else { return limit }
      var limit = limit
      if case .option(let option) = counterpart(of: "options.\(limit.option)") {
        limit.option = option
      } else {
        limit.option += " (no option of stagecoach)"
      }
      return limit
    }

    /// Returns an advice of the library in terms of the command; `nil` if nothing is left of it.
    ///
    /// - Parameter isAboutLimit: Whether an option of the library sets the limit of the error.
    func translated(_ advice: String, isAboutLimit: Bool = false) -> String? {
      var result = ""
      var isCut = false
      for (separator, clause) in Self.clauses(of: advice) {
        guard let text = translated(clause: clause) else {
          isCut = true
          continue
        }
        result += result.isEmpty ? text : separator + text
      }
      if isCut, isAboutLimit, !result.contains("--") {
        result += (result.isEmpty ? "" : "; ") + "stagecoach has no option for this limit"
      }
      return result.isEmpty ? nil : result
    }

    private func translated(clause: Substring) -> String? {
      var text = String(clause)
      for name in Self.names(in: clause) {
        switch counterpart(of: name) {
        case .option(let option): text = text.replacing(name, with: option)
        case .clause(let other): return other
        case .missing: return nil
        }
      }
      return text
    }

    private func replacingOptions(in message: String) -> String {
      Self.names(in: message[...]).reduce(message) { text, name in
        guard case .option(let option) = counterpart(of: name) else { return text }
        return text.replacing(name, with: option)
      }
    }

    /// Returns what the command has in place of a name, or of the value that the name is a member of.
    private func counterpart(of name: String) -> Counterpart {
      if let option = Self.upstreamOptions[name], hasOptions(of: option) { return .option(option) }
      guard let found = Self.known(name) else { return .missing }
      switch found {
      case .option(let text), .clause(let text): return hasOptions(of: text) ? found : .missing
      case .missing: return .missing
      }
    }

    /// Whether the command has all options that a text names.
    func hasOptions(of text: String) -> Bool { Self.options(in: text).isSubset(of: options) }

    /// Returns the entry of the table for a name, or for the value that the name is a member of; `nil` for a name that
    /// the table does not list.
    static func known(_ name: String) -> Counterpart? {
      if let found = counterparts[name] { return found }
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
      return known(String(name[..<dot]))
    }

    private static func options(in text: String) -> Set<Substring> {
      Set(text.matches(of: /--[a-z]+(?:-[a-z]+)*/).map(\.output))
    }

    /// The clauses of an advice, each with the text between it and the one before it.
    private static func clauses(of advice: String) -> [(separator: String, text: Substring)] {
      var (clauses, rest, separator) = ([(separator: String, text: Substring)](), advice[...], "")
      while let mark = rest.firstMatch(of: #/, or |; /#) {
        clauses.append((separator, rest[..<mark.range.lowerBound]))
        (separator, rest) = (String(mark.output), rest[mark.range.upperBound...])
      }
      return clauses + [(separator, rest)]
    }

    /// The names of the library's API in a text: the phrases of the table, and words that only occur in code, such as
    /// `options.bodyLimit`, `.file`, `send(_:)`, `isIdempotent` or `CacheEvent`.
    static func names(in text: Substring) -> [String] {
      let phrases = counterparts.keys.filter { $0.contains(" ") && text.contains($0) }
      let words = text.split(separator: " ").map { word in
        String(word.trimmingPrefix(/["(]+/).replacing(/[,;:.")]*$/, with: ""))
      }
      let code = words.filter { word in
        word.contains(
          /^\.[a-z]|^(options|connections|trust|limits)\.|^[A-Z][A-Za-z]*\.[A-Za-z]|^[A-Za-z]*[a-z][A-Z]|.\(/
        ) && !TransportName.allCases.contains { $0.rawValue == word }
      }
      return phrases + code.filter { word in !phrases.contains { $0.contains(word) } }
    }
  }
#endif
