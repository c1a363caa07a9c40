#if Tool
  import StagecoachConformance

  extension WireServer {
    /// A server that reads the head of a request on each connection, sends these bytes, and closes the connection or
    /// keeps it open.
    convenience init(answering answer: [UInt8], closes: Bool) throws {
      try self.init { wire in
        try wire.readHead()
        try wire.send(answer)
        if !closes { try wire.hold() }
      }
    }

    /// A server that answers with a text in UTF-8.
    convenience init(answering answer: String, closes: Bool) throws {
      try self.init(answering: Array(answer.utf8), closes: closes)
    }
  }
#endif
