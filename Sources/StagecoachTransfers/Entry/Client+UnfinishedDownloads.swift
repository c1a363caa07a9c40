public import StagecoachCore
public import StagecoachSerializers

extension Client {
  /// Returns the downloads in a folder that an earlier process has left unfinished, or a transfer that was paused or
  /// failed; sorted by path.
  ///
  /// ```swift
  /// for unfinished in try await client.unfinishedDownloads(in: "/home/me/Downloads") {
  ///   client.download(continuing: unfinished).start()
  /// }
  /// ```
  ///
  /// Skipped are downloads that are in use by a transfer of any process, files of other users, and journals
  /// (`FILE.part.json`) that are malformed. Each file is locked for a moment to find out: a download to it that begins
  /// just then fails because it is in use.
  ///
  /// - Throws: `ExchangeError` of kind `file` if the folder cannot be read, or has more than 10,000 unfinished
  ///   downloads.
  public func unfinishedDownloads(in folder: String) async throws -> [UnfinishedDownload] {
    try await BlockingQueue.files.run { try UnfinishedDownload.all(in: folder) }
  }

  /// Returns a download that goes on where an unfinished one stopped, not started yet.
  ///
  /// The request is a GET of the URL with the defaults of this client. If it needs fields of its own, make one and use
  /// `download(_:to:checksum:parts:)` with the same path.
  ///
  /// - Parameters:
  ///   - unfinished: The unfinished download.
  ///   - existing: What happens if the file exists.
  ///   - checksum: The expected checksum of the file.
  ///   - parts: The maximum number of parts that are fetched at the same time.
  public func download(
    continuing unfinished: UnfinishedDownload,
    existing: ExistingFilePolicy = .fail,
    checksum: Checksum? = nil,
    parts: Int = 1
  ) -> Transfer<SavedFile> {
    download(
      .get(unfinished.url),
      to: .file(unfinished.path, existing: existing),
      checksum: checksum,
      parts: parts
    )
  }
}
