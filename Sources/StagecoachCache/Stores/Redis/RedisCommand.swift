#if Redis
  import StagecoachCore

  /// A command in the protocol of Redis.
  struct RedisCommand: Sendable {
    let encoded: [UInt8]

    init(_ arguments: [Bytes]) {
      var encoded: [UInt8] = []
      encoded.reserveCapacity(arguments.reduce(16) { $0 + $1.count + 16 })
      encoded += "*\(arguments.count)\r\n".utf8
      for argument in arguments {
        encoded += "$\(argument.count)\r\n".utf8
        argument.withUnsafeBytes { encoded.append(contentsOf: $0) }
        encoded += "\r\n".utf8
      }
      self.encoded = encoded
    }

    /// A script with its keys and other arguments.
    init(_ script: RedisScript, keys: [String], _ arguments: [Bytes]) {
      let count = Bytes("\(keys.count)")
      self.init(["EVAL", Bytes(script.rawValue), count] + keys.map { Bytes($0) } + arguments)
    }
  }
#endif
