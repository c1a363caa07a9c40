#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachScenarios

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  @main
  enum Main {
    static func main() async {
      let interruption = Interruption()
      let status = await interruption.run { await StagecoachCommand.execute() }
      exit(status.code)
    }
  }

  /// The root of the command line.
  struct StagecoachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stagecoach",
      abstract: "An HTTP client that shows its stages.",
      discussion: """
        Exit codes: 0 success; 1 a complete response was refused; 2 wrong usage; 3 no complete response; \
        4 an error of a local file; 130 interrupted.
        """,
      version: DefaultFields.libraryVersion,
      subcommands: [
        FetchCommand.self, DownloadCommand.self, UploadCommand.self, RecordCommand.self, ReplayCommand.self,
        VerifyCommand.self, ContractCommand.self, ProxyCommand.self, CacheCommand.self,
        TourCommand.self, ConformanceCommand.self,
      ]
    )

    /// Parses the arguments of the process and runs what they name.
    ///
    /// - Returns: The exit code.
    static func execute() async -> ExitStatus {
      var commandType: any ParsableCommand.Type = Self.self
      do {
        var command = try parseAsRoot()
        commandType = type(of: command)
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
        return .success
      } catch let status as ExitStatus {
        return status
      } catch is BrokenPipe {
        return .success
      } catch let error as CancellationError {
        StandardError.write("stagecoach: interrupted\n")
        return ExitStatus(of: error)
      } catch let error as ExchangeError {
        Failures.tell(Failures.explained(error, by: commandType))
        return ExitStatus(of: error)
      } catch {
        let text = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
          print(text)
          return .success
        }
        StandardError.write(Format.lines(text) + "\n")
        return ExitStatus(of: error)
      }
    }
  }
#else
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  @main
  enum Main {
    static func main() {
      let text = "stagecoach: built without the tool; enable the package trait \"Tool\"\n"
      _ = text.withCString { write(STDERR_FILENO, $0, text.utf8.count) }
      exit(2)
    }
  }
#endif
