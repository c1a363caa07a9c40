#if Tool
  import ArgumentParser

  /// A number of bytes, as it is written on the command line: `500000`, `64K`, `2G`.
  struct ByteCount: ExpressibleByArgument {
    let value: Int64

    init?(argument: String) {
      let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
      let shift = argument.last.flatMap { shifts[Character($0.uppercased())] }
      let digits = shift == nil ? argument[...] : argument.dropLast()
      guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = Int64(digits)
      else { return nil }
      let (value, overflows) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
      guard !overflows else { return nil }
      self.value = value
    }
  }

  /// The size of a cache that a command uses.
  struct CacheSizeArguments: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        The most that the cache keeps, such as 500M or 4G; by default 64M in memory and 256M in a new folder, which \
        remembers it. A response of more than an eighth of it is not kept.
        """,
        valueName: "bytes"
      )
    )
    var cacheSize: ByteCount?

    func validate() throws {
      if cacheSize?.value == 0 { throw ValidationError("--cache-size must be positive") }
    }

    /// Checks that there is a cache.
    func validate(hasCache: Bool) throws {
      if cacheSize != nil, !hasCache { throw ValidationError("--cache-size requires --cache") }
    }
  }
#endif
