import Testing

/// One at a time: all sessions of a process share a thread of the engine, and who moves much data holds it.
@Suite(.serialized) enum URLSessionTests {}
