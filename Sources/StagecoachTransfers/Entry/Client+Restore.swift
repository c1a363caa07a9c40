import HTTPTypes
public import StagecoachCore
public import StagecoachSerializers

extension Client {
  /// Returns the transfer of a snapshot, whose response is decoded by a serializer.
  ///
  /// A transfer that was ready, executing or paused is ready: start it, and it goes on from the bytes that it had. One
  /// that had finished is finished with its outcome; if the snapshot has no value for it, with a failure. Observers,
  /// handlers, queues and leases are not restored.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - serializer: Decodes the content of the response, as the serializer named by the snapshot did.
  /// - Throws: `ExchangeError` of kind `file` if the content of the request is a file that cannot be read, of kind
  ///   `unsupported` if the snapshot is that of a download.
  public func restore<Serializer: ResponseSerializer>(
    _ snapshot: TransferSnapshot,
    as serializer: Serializer
  ) throws -> Transfer<Serializer.Output> {
    guard let memory = snapshot.work.memory else {
      throw ExchangeError(
        .unsupported,
        "the snapshot is that of a download to a file",
        advice: "use restoreDownload(_:)"
      )
    }
    return try restore(snapshot, to: MemoryStore(serializer, kept: memory))
  }

  /// Returns the download of a snapshot: ready to go on from the bytes in its file, or finished.
  ///
  /// - Throws: `ExchangeError` of kind `file` if the content of the request is a file that cannot be read, of kind
  ///   `unsupported` if the snapshot is not that of a download.
  public func restoreDownload(_ snapshot: TransferSnapshot) throws -> Transfer<SavedFile> {
    guard let file = snapshot.work.file else {
      throw ExchangeError(
        .unsupported,
        "the snapshot is not that of a download to a file",
        advice: "use restore(_:as:), with the serializer \(Format.oneLine(snapshot.serializer))"
      )
    }
    let store = FileStore(
      file.serializer(accepting: snapshot.work.accepts.restored),
      checksum: file.checksum,
      parts: file.parts,
      request: try snapshot.work.request.restored(),
      base: base
    )
    return try restore(snapshot, to: store)
  }

  private func restore<Store: PartialStore>(
    _ snapshot: TransferSnapshot,
    to store: Store
  ) throws -> Transfer<Store.Output> {
    let request = try snapshot.work.request.restored()
    let work = ResumableWork(self, request, nil, store, wasSent: snapshot.work.wasSent)
    let ended = snapshot.outcome?.restored(as: Store.Output.self)
    let transfer = Transfer(request, clock: time, work: work, ended: ended)
    transfer.report.response = snapshot.response?.restored
    if snapshot.received > 0 { transfer.report.meter.begin(at: snapshot.received, of: snapshot.total) }
    return transfer
  }
}
