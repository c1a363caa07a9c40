public import HTTPTypes
public import StagecoachCore
public import StagecoachSerializers
import Synchronization

/// A client for code that uses handlers instead of `await`, in the manner of AFNetworking's session manager.
///
/// ```swift
/// let api = try CallbackClient { try Client(base: "https://api.example.com/v1/") }
/// api.get("users", .parameters(["page": 2]), as: .json([User].self)) { _, users in
///   print(users.count)
/// } failure: { transfer, error in
///   print(transfer.response?.status as Any, error)
/// }
/// let form = MultipartBody.form([.text("holiday", name: "album"), try .file("/tmp/beach.jpeg", name: "photo")])
/// api.upload(.post("photos"), .multipart(form)) { _, answer in
///   print(answer["id"] as Any)
/// } failure: { _, error in
///   print(error)
/// } progress: {
///   print($0.sent.fraction ?? 0)
/// }
/// api.cancelAll { $0.method == .get && $0.path == "/v1/users" }
/// ```
///
/// Each call starts a ``Transfer`` and returns it: pause it, resume it, cancel it. Exactly one of the handlers `success`
/// and `failure` is called, once, on the callback queue, and after the last `progress`. Both get the transfer. The error
/// is an `ExchangeError`, or a `CancellationError` after a cancellation; `NSError(bridging:)` converts both.
///
/// A request that cannot be built, because of its URL or its content, fails like any other: later, on the callback
/// queue, and with a transfer. (AFNetworking returned `nil` instead of a task.)
///
/// Transfers that were started run to their end, even without a reference to them or to this client. A paused transfer
/// exists as long as it is referenced or this client exists. Nothing has to be invalidated to be freed.
public final class CallbackClient: Sendable {
  private enum Purpose {
    case data, upload, download
  }

  private struct Entry {
    let purpose: Purpose
    let transfer: any TransferHandle
    let target: HTTPRequest
  }

  private struct State {
    var client: Client
    var isValid = true
    var entries: [TransferID: Entry] = [:]
  }

  /// The queue that the handlers are called on.
  public let callbackQueue: CallbackQueue

  private let makeClient: @Sendable () throws -> Client
  private let state: Mutex<State>

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - callbackQueue: The queue that the handlers are called on.
  ///   - makeClient: Creates the client that sends the requests: now, and anew for ``reset(cancelling:completion:)``. It
  ///     must not return the same client twice, because invalidation shuts it down.
  /// - Throws: Any error of `makeClient`.
  public init(
    callbackQueue: CallbackQueue = .standard,
    _ makeClient: @escaping @Sendable () throws -> Client
  ) throws {
    self.callbackQueue = callbackQueue
    self.makeClient = makeClient
    state = Mutex(State(client: try makeClient()))
  }

  /// The client that sends the requests, whose defaults can be changed.
  public var client: Client { state.withLock { $0.client } }

  // MARK: Lists

  /// The transfers that have not finished, oldest first; also those that are paused.
  public var transfers: [any TransferHandle] { list { _ in true } }

  /// The downloads to files that have not finished, oldest first.
  public var downloads: [any TransferHandle] { list { $0 == .download } }

  /// The uploads that have not finished, oldest first.
  public var uploads: [any TransferHandle] { list { $0 == .upload } }

  private func list(_ isIncluded: (Purpose) -> Bool) -> [any TransferHandle] {
    state.withLock { state in
      state.entries.sorted { $0.key.number < $1.key.number }.map(\.value)
        .filter { isIncluded($0.purpose) }.map(\.transfer)
    }
  }

  /// Cancels the transfers that have not finished. What downloads have received is kept for later downloads to the same
  /// files.
  ///
  /// - Parameter isIncluded: Whether a transfer is cancelled, by the head of its request as it was given: with the
  ///   complete URL, but without what its content adds, such as a query.
  public func cancelAll(where isIncluded: (HTTPRequest) -> Bool = { _ in true }) {
    // Outside of the lock: the closure and the handlers may use this client.
    let entries = state.withLock { Array($0.entries.values) }
    for entry in entries where isIncluded(entry.target) { entry.transfer.cancel() }
  }

  // MARK: Requests

  /// Sends a request and decodes the response.
  ///
  /// - Parameters:
  ///   - request: The request, with its own fields and options.
  ///   - content: The content of the request.
  ///   - serializer: Decodes the response; by default as an untyped JSON value, null if there is no content.
  ///   - success: Gets the value.
  ///   - failure: Gets the error.
  ///   - progress: Gets the progress in both directions, at most ten times a second.
  @discardableResult
  public func send<Serializer: ResponseSerializer>(
    _ request: Request,
    _ content: RequestContent? = nil,
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    start(.data, request, content, success, failure, progress) { client, request, content in
      client.transfer(request, sending: content, as: serializer)
    }
  }

  /// Sends a request with large content and decodes the response. Unlike other transfers, it is one of ``uploads``.
  ///
  /// The content is the body of the request, such as a stream, or `content`, such as data, a file or a multipart form.
  /// The parameters are the same as for ``send(_:_:as:success:failure:progress:)``.
  @discardableResult
  public func upload<Serializer: ResponseSerializer>(
    _ request: Request,
    _ content: RequestContent? = nil,
    as serializer: Serializer = JSONValueResponseSerializer(),
    success: @escaping @Sendable (Transfer<Serializer.Output>, Serializer.Output) -> Void,
    failure: @escaping @Sendable (Transfer<Serializer.Output>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<Serializer.Output> {
    start(.upload, request, content, success, failure, progress) { client, request, content in
      client.transfer(request, sending: content, as: serializer)
    }
  }

  /// Downloads a response to a file, and goes on where an earlier download to the same file stopped.
  ///
  /// - Parameters:
  ///   - request: The request, with its own fields and options.
  ///   - file: The file, and what happens if it exists.
  ///   - checksum: The expected checksum of the file.
  ///   - parts: The maximum number of parts that are fetched at the same time, 1 to 32.
  ///   - success: Gets the file.
  ///   - failure: Gets the error.
  ///   - progress: Gets the progress in both directions, at most ten times a second.
  @discardableResult
  public func download(
    _ request: Request,
    to file: FileResponseSerializer,
    checksum: Checksum? = nil,
    parts: Int = 1,
    success: @escaping @Sendable (Transfer<SavedFile>, SavedFile) -> Void,
    failure: @escaping @Sendable (Transfer<SavedFile>, any Error) -> Void,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) -> Transfer<SavedFile> {
    start(.download, request, nil, success, failure, progress) { client, request, _ in
      client.download(request, to: file, checksum: checksum, parts: parts)
    }
  }

  private func start<Output>(
    _ purpose: Purpose,
    _ request: Request,
    _ content: RequestContent?,
    _ success: @escaping @Sendable (Transfer<Output>, Output) -> Void,
    _ failure: @escaping @Sendable (Transfer<Output>, any Error) -> Void,
    _ progress: (@Sendable (TransferProgress) -> Void)?,
    _ make: (Client, Request, RequestContent?) -> Transfer<Output>
  ) -> Transfer<Output> {
    // In one step, so that an invalidation either prevents the transfer or knows of it.
    let transfer = state.withLock { state in
      var transfer = make(state.client, request, content)
      if !state.isValid { transfer = transfer.ended(with: .failure(Self.wasInvalidated(request))) }
      let target = Self.target(of: request, base: state.client.base)
      state.entries[transfer.id] = Entry(purpose: purpose, transfer: transfer, target: target)
      return transfer
    }
    transfer.outcomes.observe { [weak self, id = transfer.id] outcome in
      if outcome != nil { self?.remove(id) }
    }
    // Also before the handlers, so that they find the transfer gone from the lists.
    transfer.report(
      on: callbackQueue,
      success: { [weak self] transfer, value in
        self?.remove(transfer.id)
        success(transfer, value)
      },
      failure: { [weak self] transfer, error in
        self?.remove(transfer.id)
        failure(transfer, error)
      },
      progress: progress
    )
    transfer.start()
    return transfer
  }

  private static func target(of request: Request, base: TargetURI?) -> HTTPRequest {
    var request = request
    // A reference that is not valid has no path; its transfer fails.
    try? request.resolve(against: base)
    return request.head
  }

  private func remove(_ id: TransferID) {
    // The entry is released outside of the lock.
    _ = state.withLock { $0.entries.removeValue(forKey: id) }
  }

  private static func wasInvalidated(_ request: Request) -> any Error {
    ExchangeError.wrapping(
      ExchangeError(.shutdown, "the client was invalidated", advice: "reset it, or create a new one"),
      stage: "CallbackClient",
      request: request
    )
  }

  // MARK: End

  /// Refuses new requests: they fail with kind `shutdown`. Shuts the client down when all transfers have finished.
  ///
  /// - Parameters:
  ///   - cancelling: Whether all transfers are cancelled; otherwise they continue, and those that are paused can still be
  ///     resumed.
  ///   - completion: Called once on the callback queue, when all transfers have finished and the client is shut down.
  public func invalidate(cancelling: Bool, completion: (@Sendable () -> Void)? = nil) {
    leave(cancelling: cancelling, completion: completion) { $0.isValid = false }
  }

  /// Continues with a new client: new connections, cookies and defaults. Also makes an invalidated client usable again.
  ///
  /// - Parameters:
  ///   - cancelling: Whether all transfers are cancelled; otherwise they continue over the old client.
  ///   - completion: Called once on the callback queue, when all transfers of the old client have finished and it is shut
  ///     down.
  /// - Throws: Any error of the closure that creates the client; nothing is changed then.
  public func reset(cancelling: Bool, completion: (@Sendable () -> Void)? = nil) throws {
    let client = try makeClient()
    leave(cancelling: cancelling, completion: completion) { state in
      state.client = client
      state.isValid = true
    }
  }

  private func leave(
    cancelling: Bool,
    completion: (@Sendable () -> Void)?,
    _ change: (inout State) -> Void
  ) {
    let (client, transfers) = state.withLock { state in
      let client = state.client
      change(&state)
      return (client, state.entries.values.map(\.transfer))
    }
    // A sequence of states does not keep its transfer in memory: it also ends when that is released.
    let states = transfers.map(\.states)
    if cancelling { for transfer in transfers { transfer.cancel() } }
    Task { [callbackQueue] in
      for sequence in states { for await _ in sequence {} }
      await client.shutdown()
      if let completion { callbackQueue.async(completion) }
    }
  }
}
