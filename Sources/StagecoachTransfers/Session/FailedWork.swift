import StagecoachCore

/// The work of a transfer that fails as soon as it starts.
struct FailedWork<Output: Sendable>: TransferWork {
  let error: any Error

  func run(_ report: TransferReport) async throws -> Output { throw error }

  func discard() async {}

  func renewed() -> any TransferWork<Output> { self }
}
