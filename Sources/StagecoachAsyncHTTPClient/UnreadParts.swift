#if AsyncHTTPClient
  import Stagecoach

  /// What arrived and was not read yet, in order.
  struct UnreadParts {
    private var parts: [Bytes] = []
    private var first = 0
    private(set) var count = 0

    mutating func append(_ part: Bytes) {
      parts.append(part)
      count += part.count
    }

    mutating func popFirst() -> Bytes? {
      guard first < parts.count else { return nil }
      let part = parts[first]
      parts[first] = Bytes()
      first += 1
      count -= part.count
      if first == parts.count || first == 64 {
        parts.removeFirst(first)
        first = 0
      }
      return part
    }
  }
#endif
