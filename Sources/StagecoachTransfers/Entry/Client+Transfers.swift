public import StagecoachCore
public import StagecoachSerializers

extension Client {
  /// Returns a transfer that decodes the content of a response, not started yet.
  ///
  /// The content is collected in memory, up to `options.bodyLimit`. If it has no content coding and a strong validator,
  /// a paused transfer goes on from the bytes that it has; otherwise the request is sent again, which is refused for
  /// methods that are not idempotent (`options.isIdempotent`).
  ///
  /// ```swift
  /// let upload = client.transfer(.put("films/7", body: try .file("/tmp/film.mp4")), as: .ignored)
  /// upload.start()
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - content: The content of the request.
  ///   - serializer: Decodes the content of the response.
  public func transfer<Serializer: ResponseSerializer>(
    _ request: Request,
    sending content: RequestContent? = nil,
    as serializer: Serializer
  ) -> Transfer<Serializer.Output> {
    Transfer(
      request,
      clock: time,
      work: ResumableWork(self, request, content, MemoryStore(serializer))
    )
  }

  /// Returns a transfer of the content of a response to a sink, not started yet.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - content: The content of the request.
  ///   - sink: Takes the content of the response, up to `options.fileBodyLimit`.
  public func transfer<Sink: TransferSink>(
    _ request: Request,
    sending content: RequestContent? = nil,
    into sink: Sink
  ) -> Transfer<Sink.Output> {
    Transfer(request, clock: time, work: ResumableWork(self, request, content, SinkStore(sink)))
  }

  /// Returns a download to a file, not started yet, which goes on where it stopped: after a pause, a failure, and the
  /// end of the process.
  ///
  /// Until the file is complete, its bytes are in `FILE.part`, its metadata in `FILE.part.json`, both locked
  /// against other transfers and processes. A later download of the same URL to the same file asks for the rest, if the
  /// response had a strong validator (RFC 9110 13.1.5); a changed file starts anew, and replaces those bytes once it is
  /// complete. The file gets its name once its status, media type, length and checksums are right, and at once: nobody
  /// sees a part of it, or parts of two versions. A file that it replaces passes its permissions on.
  ///
  /// The checksums are `checksum`, and the fields Repr-Digest of the first response and Content-Digest of each (RFC
  /// 9530).
  ///
  /// ```swift
  /// let download = client.download(
  ///   .get("image.iso"),
  ///   to: .file("/tmp/image.iso", existing: .overwrite),
  ///   checksum: Checksum("sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
  ///   parts: 4
  /// )
  /// let file = try await download.value()
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request. Content without a coding is asked for; if the server declares one all the same, the file
  ///     is what the server sent.
  ///   - file: The file, and what happens if it exists.
  ///   - checksum: The expected checksum of the file.
  ///   - parts: The maximum number of parts that are fetched at the same time, over as many connections; 1 by default,
  ///     32 at most. Used if the server takes ranges and each part has at least 1 MiB. Where the server refuses that
  ///     many connections, fewer are used.
  public func download(
    _ request: Request,
    to file: FileResponseSerializer,
    checksum: Checksum? = nil,
    parts: Int = 1
  ) -> Transfer<SavedFile> {
    let store = FileStore(file, checksum: checksum, parts: parts, request: request, base: base)
    return Transfer(request, clock: time, work: ResumableWork(self, request, nil, store))
  }
}
