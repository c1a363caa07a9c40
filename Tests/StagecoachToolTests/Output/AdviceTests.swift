#if Tool
  import Foundation
  import Stagecoach
  import Testing

  @testable import StagecoachTool

  /// What the tool says in place of the library's advice.
  @Suite struct AdviceTests {
    private static var fetch: Advice { Advice(of: FetchCommand.self) }

    /// The targets whose errors no command shows.
    private static let foreign: Set = [
      "StagecoachImages", "StagecoachTesting", "StagecoachTool", "StagecoachConformance",
      "ConformanceSubjects",
    ]

    /// The advice in the sources of the library, each with its file; `§` stands for a value that is put in.
    private static let sources: [(file: String, text: String)] = {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
      let files = FileManager.default.enumerator(at: folder.standardized, includingPropertiesForKeys: nil)
      return (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { file in
        file.pathExtension == "swift" && foreign.isDisjoint(with: file.pathComponents)
      }.flatMap { file in
        let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return AdviceReader.advice(in: source).map { (file.lastPathComponent, $0) }
      }
    }()

    @Test func everyNameThatTheLibraryAdvisesIsKnown() {
      // Fewer would mean that they are not found any more.
      #expect(Self.sources.count > 60)
      for (file, text) in Self.sources {
        for name in Advice.names(in: text[...]) where !name.contains("§") {
          #expect(Advice.known(name) != nil, "\(name) in \(file): \(text)")
        }
      }
    }

    @Test func nothingOfTheLibraryIsAdvised() {
      for (file, text) in Self.sources {
        guard let translated = Self.fetch.translated(text) else { continue }
        let names = Advice.names(in: translated[...]).filter { !$0.contains("--") }
        #expect(names.isEmpty, "\(names) in \(file): \(translated)")
        for word in ["serializer", "closure", "predicate", "initializer", "handler", "options."] {
          #expect(!translated.contains(word), "\(word) in \(file): \(translated)")
        }
      }
    }

    @Test func everyCounterpartIsAnOptionOfFetch() {
      let fetch = Self.fetch
      for (name, counterpart) in Advice.counterparts {
        switch counterpart {
        case .option(let text): #expect(fetch.translated("use \(name)") == "use \(text)")
        case .clause(let text): #expect(fetch.translated("use \(name)") == text)
        case .missing: #expect(fetch.translated("use \(name)") == nil)
        }
      }
    }

    private static let translations: [(String, String?)] = [
      (
        "raise options.bodyLimit, or read the body as a stream",
        "raise --limit, or use --as data or --output to stream the body"
      ),
      ("send large values in the body, or raise options.requestHeadLimit", "send large values in the body"),
      ("use options.redirectPolicy = .refuse to get the response", "use --no-follow to get the response"),
      ("use http, or a transport that can", "use http, or a --transport that can"),
      ("accept the status with options.expectedContent.statuses", nil),
      ("check the network, the proxy and the firewall", "check the network, the proxy and the firewall"),
    ]

    @Test(arguments: translations)
    func namesBecomeOptions(advice: String, translated: String?) {
      #expect(Self.fetch.translated(advice) == translated)
    }

    @Test func aCommandAdvisesOnlyOptionsThatItHas() {
      let advice = "raise options.bodyLimit, or read the body as a stream"
      #expect(Advice(of: UploadCommand.self).translated(advice) == "raise --limit")
      #expect(Advice(of: CacheListCommand.self).translated(advice) == nil)
    }

    @Test(arguments: [ExchangeError.Phase.pool, .connect, .head, .idle, .total])
    func everyTimeoutHasAnOption(phase: ExchangeError.Phase) {
      let error = Self.fetch.translated(.timeout(phase, after: .seconds(3)))
      #expect(error.advice == "raise --timeout if the peer is expected to take longer")
      #expect(error.limit?.description == "--timeout = 3 s")
    }

    @Test func aLimitWithoutAnOptionSaysSo() {
      let error = Self.fetch.translated(
        .limit(
          .responseHead,
          "the response head has more than 256 fields",
          advice: "raise options.responseHeadLimits.fields if the server is trusted",
          limit: ("responseHeadLimits.fields", "256 fields")
        )
      )
      #expect(error.advice == "stagecoach has no option for this limit")
      #expect(error.limit?.description == "responseHeadLimits.fields (no option of stagecoach) = 256 fields")
      let structure = Self.fetch.translated(
        .limit(.structure, "too deep", limit: ("XML.Limits.depth", "256"))
      )
      #expect(structure.advice == "stagecoach has no option for this limit")
    }

    @Test func whatATransportCannotDoIsNamedByItsOption() {
      let error = Self.fetch.translated(
        ExchangeError(.unsupported, "Engine cannot do what trust.pins asks for", advice: "leave it out")
      )
      #expect(error.message == "Engine cannot do what --pin asks for")
    }
  }

  /// Reads the string literals that sources pass as advice.
  private enum AdviceReader {
    /// What follows the name of an advice where its text is given, and whether a block with texts begins there.
    private static let marks = [
      (": String? {", true), (": String {", true), ("(for response: Response) -> String {", true),
      (" =", false), (":", false),
    ]

    static func advice(in source: String) -> [String] {
      var found: [String] = []
      for name in ["advice", "remark"] {
        for rest in source.components(separatedBy: name).dropFirst() {
          // Three spaces follow in the text that shows an advice.
          guard let mark = marks.first(where: { rest.hasPrefix($0.0) }), !rest.hasPrefix(":  ") else {
            continue
          }
          var scanner = Scanner(rest.dropFirst(mark.0.count), isBlock: mark.1)
          found += scanner.literals()
        }
      }
      return found
    }

    private struct Scanner {
      private var rest: Substring
      private var depth: Int

      init(_ rest: Substring, isBlock: Bool) {
        self.rest = rest
        depth = isBlock ? 1 : 0
      }

      /// The literals up to the end of the argument, of the statement or of the block.
      mutating func literals() -> [String] {
        let isBlock = depth > 0
        var literals: [String] = []
        var isJoined = false
        while let character = rest.popFirst() {
          switch character {
          case "\"":
            let text = literal()
            if isJoined { literals[literals.count - 1] += text } else { literals.append(text) }
            isJoined = false
          case "+": isJoined = !literals.isEmpty
          case "(", "[", "{": depth += 1
          case ")", "]", "}":
            depth -= 1
            if depth < (isBlock ? 1 : 0) { return literals }
          case ",": if depth == 0 { return literals }
          case "\n":
            let next = rest.first { $0 != " " && $0 != "\n" }
            if depth == 0, !literals.isEmpty, let next, !"?:+\"".contains(next) { return literals }
          default: break
          }
        }
        return literals
      }

      /// The rest of a literal whose quotation mark was read. Names of options that are put in are kept.
      private mutating func literal() -> String {
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
          guard character == "\\" else {
            text.append(character)
            continue
          }
          guard rest.popFirst() == "(" else { continue }
          var (value, open) = ("", 1)
          while open > 0, let inner = rest.popFirst() {
            if inner == "(" { open += 1 } else if inner == ")" { open -= 1 }
            value.append(inner)
          }
          text += value.wholeMatch(of: /RequestOptions\.(\w+)\.name\)/).map { String($0.1) } ?? "§"
        }
        return text
      }
    }
  }
#endif
