import StagecoachCore
import StagecoachSerializers

/// The file of a download, and its checks.
struct ArchivedDestination: Codable, Sendable, Equatable {
  var path: String
  /// Whether the path is that of a folder.
  var isFolder: Bool
  var existing: ExistingFilePolicy
  var permissions: UInt16?
  var synchronizes: Bool
  var checksum: Checksum?
  var parts: Int

  init(_ serializer: FileResponseSerializer, checksum: Checksum?, parts: Int) {
    switch serializer.destination {
    case .path(let path): (self.path, isFolder) = (path, false)
    case .directory(let path): (self.path, isFolder) = (path, true)
    }
    existing = serializer.existing
    permissions = serializer.permissions
    synchronizes = serializer.synchronizes
    self.checksum = checksum
    self.parts = parts
  }

  var contradiction: String? {
    guard !path.isEmpty, !path.utf8.contains(0) else { return "the path of the file is not a path" }
    guard 1...PartialContent.mostSpans ~= parts else { return "the number of parts is \(parts)" }
    return nil
  }

  func serializer(accepting accepts: Acceptance) -> FileResponseSerializer {
    FileResponseSerializer(
      isFolder ? .directory(path) : .path(path),
      existing: existing,
      permissions: permissions,
      synchronizing: synchronizes,
      accepting: accepts
    )
  }
}
