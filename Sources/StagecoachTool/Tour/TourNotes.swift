#if Tool
  import Stagecoach
  import Synchronization

  /// The lines of a step, in the order of what happened: `→` sent, `←` received, `=` a result, others by stages.
  final class TourNotes: EventMonitor {
    private struct State {
      var lines: [String] = []
      /// The stages that each exchange is in, the innermost last.
      var stages: [Exchange.ID: [String]] = [:]
      /// The names of the stages by the types of their events, for those that come with a body.
      var names: [ObjectIdentifier: String] = [:]
    }

    private let state = Mutex(State())
    private let url: String
    private let showsStages: Bool

    /// - Parameters:
    ///   - url: The URL of the service, which is left out of the lines.
    ///   - showsStages: Whether stages are noted as they are entered and left.
    init(url: String, showsStages: Bool) {
      self.url = url
      self.showsStages = showsStages
    }

    var lines: [String] { state.withLock(\.lines) }

    func add(_ line: String) {
      state.withLock { $0.lines.append(line.replacing(url, with: "").oneLine) }
    }

    func receive(_ event: Event) {
      if let line = line(for: event) { add(line) }
    }

    private func line(for event: Event) -> String? {
      state.withLock { state in
        switch event.kind {
        case .stageEntered(let name):
          defer { state.stages[event.exchange, default: []].append(name) }
          return entry("▸ \(name)", in: state.stages[event.exchange])
        case .stageReturned(let name, _), .stageFailed(let name, _):
          _ = state.stages[event.exchange]?.popLast()
          return entry("◂ \(name)", in: state.stages[event.exchange])
        case .stage(let note):
          let type = ObjectIdentifier(Swift.type(of: note))
          let name = state.stages[event.exchange]?.last ?? state.names[type] ?? "Transfer"
          state.names[type] = name
          let (text, prefix) = ("\(note)", "\(name.lowercased()): ")
          return name.padded(to: 17) + (text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...])
        default: return nil
        }
      }
    }

    private func entry(_ text: String, in stages: [String]?) -> String? {
      showsStages ? String(repeating: "  ", count: stages?.count ?? 0) + text : nil
    }
  }

  /// A transport that notes what is sent and received.
  struct TourWire: TransportWrapper {
    let transport: any Transport
    let notes: TourNotes
    /// The fields that are noted.
    let fields: [HTTPField.Name]

    func send(_ request: Request) async throws -> Response {
      let path = request.head.path ?? ""
      notes.add("→ \(request.method.rawValue) \(path)" + shown(of: request.fields))
      let response = try await transport.send(request)
      notes.add("← \(response.status.text)" + shown(of: response.fields))
      return response
    }

    private func shown(of fields: HTTPFields) -> String {
      self.fields.flatMap { name in fields[values: name].map { "  \(name.rawName): \($0)" } }.joined()
    }
  }
#endif
