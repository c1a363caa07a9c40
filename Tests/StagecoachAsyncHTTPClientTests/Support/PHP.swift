#if Tool
  import Foundation
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import TestSupport
  import Testing

  /// PHP behind nginx, both from the system's packages: a server that reads forms with code that is not ours.
  ///
  /// It answers with what it has read, as JSON.
  final class PHP {
    static let executable: String? = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin"].lazy.compactMap {
      folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasPrefix("php-fpm") }.max().map { "\(folder)/\($0)" }
    }.first

    static let isInstalled = executable != nil && Nginx.executable != nil

    private let nginx: Nginx
    private let process: ChildProcess
    private let folder: URL

    private static let script = """
      <?php
      function content($path) {
        return is_array($path) ? array_map('content', $path) : base64_encode(file_get_contents($path));
      }
      $files = array_map(fn($file) => $file + ['content' => content($file['tmp_name'])], $_FILES);
      header('Content-Type: application/json');
      echo json_encode(['query' => $_GET, 'form' => $_POST, 'files' => $files], JSON_THROW_ON_ERROR);
      """

    init() async throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-php-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(Self.script.utf8).write(to: folder.appending(path: "echo.php"))
      let configuration = """
        [global]
        error_log = \(folder.path)/log
        daemonize = no
        [pool]
        user = \(NSUserName())
        listen = \(folder.path)/socket
        pm = static
        pm.max_children = 2
        """
      try Data(configuration.utf8).write(to: folder.appending(path: "fpm.conf"))
      let settings = [
        "post_max_size=64M", "upload_max_filesize=64M", "max_file_uploads=2000", "max_input_vars=20000",
        "upload_tmp_dir=\(folder.path)", "display_errors=0",
      ]
      let process = try ChildProcess(
        [#require(Self.executable), "--nodaemonize", "--allow-to-run-as-root", "--no-php-ini"]
          + ["--fpm-config", "\(folder.path)/fpm.conf"] + settings.flatMap { ["-d", $0] }
      )
      self.process = process
      do {
        nginx = try Nginx(
          directives: """
            large_client_header_buffers 4 256k;
            location = /echo.php {
              fastcgi_pass unix:\(folder.path)/socket;
              fastcgi_param SCRIPT_FILENAME \(folder.path)/echo.php;
              fastcgi_param QUERY_STRING $query_string;
              fastcgi_param REQUEST_METHOD $request_method;
              fastcgi_param CONTENT_TYPE $content_type;
              fastcgi_param CONTENT_LENGTH $content_length;
            }
            """
        )
      } catch {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
        throw error
      }
    }

    /// Runs a body with a client of a server that is ready, and stops both.
    static func serve(_ body: (Client) async throws -> Void) async throws {
      let php = try await PHP()
      let client = try Client(bare(AsyncHTTPClientTransport()), base: php.nginx.url)
      do {
        try await php.isReady(for: client)
        try await body(client)
      } catch {
        Issue.record(error)
      }
      await client.pipeline.shutdown()
      php.stop()
    }

    private func isReady(for client: Client) async throws {
      try await nginx.isListening()
      for _ in 0..<3000 {
        if (try? await client.head("echo.php")) != nil { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      throw ServerFailure.didNotStart(log: folder.appending(path: "log"))
    }

    private func stop() {
      nginx.stop()
      process.stop()
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// What PHP makes of keys with brackets: text, lists and tables. Numbers count as text.
  indirect enum PHPValue: Decodable, Equatable {
    // Swift takes texts for equal that have other bytes.
    case text([UInt8])
    case list([PHPValue])
    case table([String: PHPValue])

    init(_ text: String) {
      self = .text(Array(text.utf8))
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.init(text)
      } else if let number = try? container.decode(Int.self) {
        self.init(String(number))
      } else if let list = try? container.decode([PHPValue].self) {
        self = .list(list)
      } else {
        self = .table(try container.decode([String: PHPValue].self))
      }
    }

    subscript(key: String) -> PHPValue? {
      if case .table(let table) = self { table[key] } else { nil }
    }

    /// How many elements there are, 0 in text.
    var count: Int {
      switch self {
      case .text: 0
      case .list(let list): list.count
      case .table(let table): table.count
      }
    }

    /// The bytes of text in Base64.
    var decoded: Bytes? {
      guard case .text(let text) = self else { return nil }
      return Data(base64Encoded: Data(text)).map { Bytes($0) }
    }
  }
#endif
