#if Tool
  import ArgumentParser
  import StagecoachTransfers

  /// A checksum, as `--checksum` takes it: `sha-256:9f86…`.
  struct ChecksumArgument: ExpressibleByArgument {
    let checksum: Checksum

    init?(argument: String) {
      guard let checksum = Checksum(argument) else { return nil }
      self.checksum = checksum
    }
  }
#endif
