import Foundation

/// The wire scripts of this package: what a peer does to the byte, what a client sends it, and what both have to
/// see. Their form is described in `README.md` beside them.
public enum WireScripts {
  /// A script as it stands in its file.
  public struct File: Sendable {
    /// The name of the file without its extension.
    public let name: String
    /// The JSON text.
    public let text: String
  }

  /// All scripts, by name.
  ///
  /// - Throws: What reading the files throws.
  public static func all() throws -> [File] {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Scripts")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .map {
        File(
          name: $0.deletingPathExtension().lastPathComponent,
          text: try String(contentsOf: $0, encoding: .utf8)
        )
      }
      .sorted { $0.name < $1.name }
  }

  /// A certificate or a key for tests, in PEM: `ca`, `server`, `other-host`, `expired`, `self-signed`, `client-ca`
  /// and `client` with the extension `pem`, and keys with the extension `key`. The keys are public: nothing may trust
  /// what they sign but tests.
  ///
  /// - Throws: What reading the file throws.
  public static func certificate(_ name: String) throws -> String {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Certificates")
    return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}
