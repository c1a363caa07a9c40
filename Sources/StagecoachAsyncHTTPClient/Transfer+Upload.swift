#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import StagecoachTransportKit
  import Synchronization

  extension Transfer {
    /// Registers a source of the request body, which is cancelled if the transfer ends before it.
    func hold(_ source: any BodySource) {
      let hasEnded = state.withLock { state in
        guard state.transfer.end == nil else { return true }
        state.source = source
        return false
      }
      if hasEnded { source.cancel() }
    }

    private func next(of source: any BodySource) async throws -> Bytes? {
      do {
        return try await source.next()
      } catch let error where !(error is ExchangeError || error is CancellationError) {
        throw ExchangeError(.requestBody, "the source of the body failed: \(error)", underlying: error)
      }
    }

    /// Reads the request body and writes it, with backpressure.
    func upload(
      _ source: any BodySource,
      to writer: HTTPClient.Body.StreamWriter,
      on loop: any EventLoop,
      fulfilling promise: EventLoopPromise<Void>
    ) {
      let task = _Concurrency.Task { [request] in
        do {
          var (window, sent) = (UploadWindow(), Int64(0))
          while let chunk = try await next(of: source) {
            window.add(chunk, writing: { writer.write(.byteBuffer($0)) })
            if let written = window.shrinks() { try await wait(for: written, on: loop) }
            sent += Int64(chunk.count)
            let bytes = sent
            request.emit(.requestBodyProgress(bytes: bytes, of: request.body.length))
          }
          if let written = window.last { try await wait(for: written, on: loop) }
          if request.body.hasTrailers, let trailers = source.trailers, !trailers.isEmpty {
            // Not waited for: the engine may have paused the body permanently, and its end is sent nevertheless.
            _ = writer.write(.byteBuffer(ByteBuffer(carrying: Self.headers(of: trailers))))
          }
          state.withLock { $0.source = nil }
          promise.succeed()
        } catch {
          // Our error must end the transfer before the engine's copy of it does.
          self.fail(error)
          promise.fail(error)
        }
      }
      let hasEnded = state.withLock { state in
        state.upload = task
        return state.transfer.end != nil
      }
      if hasEnded { task.cancel() }
    }

    private static func headers(of trailers: HTTPFields) -> HTTPHeaders {
      var headers = HTTPHeaders()
      for field in trailers { headers.add(name: field.name.rawName, value: field.engineText.text) }
      return headers
    }

    /// Waits until a write is done, or the transfer has ended.
    private func wait(for written: EventLoopFuture<Void>, on loop: any EventLoop) async throws {
      let promise = loop.makePromise(of: Void.self)
      let hasEnded = state.withLock { state in
        guard state.transfer.end == nil else { return true }
        state.write = promise
        return false
      }
      if hasEnded { promise.fail(CancellationError()) }
      written.cascade(to: promise)
      try await promise.futureResult.get()
    }
  }
#endif
