#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachTransfers

  /// One run of `stagecoach download` or `stagecoach upload`.
  struct TransferRun {
    let command: any ParsableCommand.Type
    let connection: ConnectionArguments
    let policy: PolicyArguments
    /// The count that the progress bar shows.
    let shown: @Sendable (TransferProgress) -> TransferProgress.Count

    /// Runs a transfer to its end, with a progress bar where a person is looking.
    ///
    /// - Parameters:
    ///   - make: Makes the transfer.
    ///   - remark: What else to tell of a transfer that failed; nil for nothing.
    ///   - finish: Prints what came of it.
    /// - Throws: ``ExitStatus`` unless all went well; the reason is on standard error then.
    func run<Output: Sendable>(
      _ make: (Client) async throws -> Transfer<Output>,
      remark: (TransferProgress) -> String? = { _ in nil },
      finish: (Output) async throws -> Void
    ) async throws {
      var transfer: Transfer<Output>?
      do {
        let transport = try await connection.makeTransport()
        let result: Result<Output, any Error>
        do {
          let output = try await policy.withClient(over: transport) { client in
            let made = try await make(client)
            transfer = made
            return try await value(of: made)
          }
          result = .success(output)
        } catch {
          result = .failure(error)
        }
        await transport.shutdown()
        try await finish(result.get())
      } catch {
        let error = Failures.explained(error, by: command)
        Failures.tell(error)
        if let remark = transfer.flatMap({ remark($0.progress) }) { StandardError.write("\(remark)\n") }
        throw ExitStatus(of: error)
      }
    }

    private func value<Output: Sendable>(of transfer: Transfer<Output>) async throws -> Output {
      guard StandardError.isTerminal else { return try await transfer.value() }
      let (bar, updates, shown) = (ProgressBar(), transfer.progressUpdates, shown)
      async let drawing: Void = Self.draw(updates, shown, on: bar)
      let result: Result<Output, any Error>
      do {
        result = .success(try await transfer.value())
      } catch {
        result = .failure(error)
      }
      // Nothing may be drawn after the bar is taken away.
      await drawing
      bar.clear()
      return try result.get()
    }

    private static func draw(
      _ updates: AsyncStream<TransferProgress>,
      _ shown: @Sendable (TransferProgress) -> TransferProgress.Count,
      on bar: ProgressBar
    ) async {
      for await progress in updates { bar.update(shown(progress)) }
    }
  }
#endif
