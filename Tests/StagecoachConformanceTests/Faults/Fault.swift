#if AsyncHTTPClient
  import ConformanceSubjects
  import Stagecoach
  import Testing

  @testable import StagecoachConformance

  /// A fault planted in a transport that has none, and the checks that must notice it.
  struct Fault: Sendable, CustomTestStringConvertible {
    /// Sends a request.
    typealias Send = @Sendable (Request) async throws -> Response

    /// The fault, in one sentence.
    let name: String
    /// The numbers of the checks that must notice it, each with a part of the text that it must fail with.
    let checks: KeyValuePairs<String, String>
    /// How long a check may take: one that hangs has noticed the fault too.
    var patience: Duration = .seconds(60)
    /// Changes what the transport is made with.
    var setUp: @Sendable (inout Subject.Setup) -> Void = { _ in }
    /// Changes what the transport declares.
    var declare: @Sendable (inout TransportCapabilities) -> Void = { _ in }
    /// Makes the closure that sends the requests of one transport.
    var makeSend: @Sendable (FaultyTransport.Parts) -> Send = { parts in { try await parts.inner.send($0) } }
    /// Shuts the transport down.
    var shutdown: @Sendable (FaultyTransport.Parts) async -> Void = { await $0.inner.shutdown() }

    init(_ name: String, noticedBy checks: KeyValuePairs<String, String>) {
      self.name = name
      self.checks = checks
    }

    var testDescription: String { name }

    /// The transport with the fault.
    var subject: Subject {
      let fault = self
      return Subject("Faulty") { setup in
        guard case .wire(let make) = Subjects.asyncHTTPClient.kind else { throw CheckFailure("no wire") }
        var setup = setup
        fault.setUp(&setup)
        return try FaultyTransport(fault, FaultyTransport.Parts(setup, make))
      }
    }
  }

  extension Fault {
    /// A transport without a fault.
    static let none = Fault("none", noticedBy: [:])

    /// All of them.
    static let all: [Fault] = [
      requestLine, requestFields, requestBodies, responseHeads, responseBodies, framing, errors, timeouts,
      connections, trust, policies, events, cancellation, capabilities,
    ].flatMap { $0 }

    /// A fault in requests.
    static func request(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration = .seconds(60),
      _ change: @escaping @Sendable (inout Request) throws -> Void
    ) -> Fault {
      sending(name, noticedBy: checks, within: patience) { parts in
        { request in
          var request = request
          try change(&request)
          return try await parts.inner.send(request)
        }
      }
    }

    /// A fault in responses.
    static func response(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration = .seconds(60),
      _ change: @escaping @Sendable (inout Response) async throws -> Void
    ) -> Fault {
      sending(name, noticedBy: checks, within: patience) { parts in
        { request in
          var response = try await parts.inner.send(request)
          try await change(&response)
          return response
        }
      }
    }

    /// A fault in errors, including the errors of bodies.
    static func failure(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable (ExchangeError, Request) -> any Error
    ) -> Fault {
      sending(name, noticedBy: checks) { parts in
        { request in
          @Sendable func changed(_ error: any Error) -> any Error {
            (error as? ExchangeError).map { change($0, request) } ?? error
          }
          do {
            var response = try await parts.inner.send(request)
            response.body = response.body.reading { source in
              do { return try await source.next() } catch { throw changed(error) }
            }
            return response
          } catch {
            throw changed(error)
          }
        }
      }
    }

    /// A fault in how requests are sent.
    static func sending(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration = .seconds(60),
      _ makeSend: @escaping @Sendable (FaultyTransport.Parts) -> Send
    ) -> Fault {
      var fault = Fault(name, noticedBy: checks)
      fault.patience = patience
      fault.makeSend = makeSend
      return fault
    }

    /// A fault in what the transport is made with.
    static func setup(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      within patience: Duration = .seconds(60),
      _ change: @escaping @Sendable (inout Subject.Setup) -> Void
    ) -> Fault {
      var fault = Fault(name, noticedBy: checks)
      fault.patience = patience
      fault.setUp = change
      return fault
    }
  }
#endif
