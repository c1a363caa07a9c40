#if canImport(Glibc)
  import Glibc

  /// The bytes of all allocations of the process that have not been freed.
  package func memoryInUse() throws -> Int {
    // The sanitizers replace the allocator, and count themselves.
    if let symbol = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
      return unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)()
    }
    return try MallocReport().inUse
  }

  /// What the C library says of its memory, in the XML of malloc_info(3).
  private struct MallocReport {
    private struct Unreadable: Error {}
    private typealias Function = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt

    /// The sizes by element and type, of all arenas together.
    private var sizes: [String: Int] = [:]

    init() throws {
      var buffer: UnsafeMutablePointer<CChar>?
      var count = 0
      // No module has its declaration.
      guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&buffer, &count) else {
        throw Unreadable()
      }
      let status = unsafeBitCast(symbol, to: Function.self)(0, file)
      fclose(file)
      defer { free(buffer) }
      guard status == 0, let buffer else { throw Unreadable() }
      // The totals follow those of each arena, and replace them here.
      for element in String(cString: buffer).split(separator: "<") {
        let parts = element.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 4, let size = parts.lastIndex(of: " size=") else { continue }
        sizes["\(parts[0])\(parts[1])"] = Int(parts[size + 1])
      }
    }

    var inUse: Int {
      get throws {
        guard let system = sizes["system type=current"], let mapped = sizes["total type=mmap"],
          let fast = sizes["total type=fast"], let rest = sizes["total type=rest"]
        else { throw Unreadable() }
        return system + mapped - fast - rest
      }
    }
  }
#endif
