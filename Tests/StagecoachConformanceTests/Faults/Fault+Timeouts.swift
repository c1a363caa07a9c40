#if AsyncHTTPClient
  import Stagecoach
  import StagecoachConformance

  extension Fault {
    /// Timeouts and clocks.
    static let timeouts: [Fault] =
      Limit.allCases.flatMap { limit in
        let check: KeyValuePairs = [limit.check: limit.lateness]
        return [
          Fault.request("\(limit)Timeout is three times as long", noticedBy: check) {
            limit.change(&$0) { $0 * 3 }
          },
          Fault.request("\(limit)Timeout is ignored", noticedBy: check) { limit.change(&$0) { _ in nil } },
          Fault.request(
            "\(limit)Timeout is a third as long",
            noticedBy: [limit.check: "after its start, the limit is"]
          ) {
            limit.change(&$0) { $0 / 3 }
          },
        ]
      } + [
        .setup(
          "timeouts run on the clock of the system",
          noticedBy: ["100c": "did not end"],
          within: .seconds(2)
        ) {
          $0.clock = SystemTime()
        },
        .response("the idle timeout is one for all of the body", noticedBy: ["098": "it failed: 200"]) {
          response in
          let start = ContinuousClock.now
          response.body = response.body.reading { source in
            guard let chunk = try await source.next() else { return nil }
            guard ContinuousClock.now - start < .milliseconds(1500) else {
              throw ExchangeError.timeout(.idle, after: .milliseconds(1500))
            }
            return chunk
          }
        },
        .request("the longest timeouts overflow", noticedBy: ["099": "timeout.head"]) { request in
          guard request.options.headTimeout ?? .zero > .seconds(1 << 40) else { return }
          throw ExchangeError.timeout(.head, after: .zero)
        },
      ]

    private enum Limit: String, CaseIterable, CustomStringConvertible {
      case connect, head, idle, pool

      var description: String { rawValue }

      var check: String {
        switch self {
        case .connect: "097a"
        case .head: "097b"
        case .idle: "097c"
        case .pool: "097d"
        }
      }

      /// How a check fails whose peer went on before the timeout.
      var lateness: String {
        switch self {
        case .connect: "it fails as tls.handshake"
        case .head: "it was answered with 200"
        case .idle: "it was 200, 10 bytes"
        case .pool: "it was answered with 200"
        }
      }

      func change(_ request: inout Request, _ change: (Duration) -> Duration?) {
        switch self {
        case .connect: request.options.connectTimeout = request.options.connectTimeout.flatMap(change)
        case .head: request.options.headTimeout = request.options.headTimeout.flatMap(change)
        case .idle: request.options.idleTimeout = request.options.idleTimeout.flatMap(change)
        case .pool: request.options.poolTimeout = request.options.poolTimeout.flatMap(change)
        }
      }
    }
  }
#endif
