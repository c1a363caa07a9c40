#if canImport(Glibc)
  import Glibc
  import Testing

  /// Does something again and again, and checks that it leaves no memory behind.
  ///
  /// To be called in a process of its own, in which nothing else allocates.
  ///
  /// - Parameters:
  ///   - name: What is done.
  ///   - count: How often it is done before the memory is measured again: enough that what caches of threads keep in
  ///     reserve is little beside it.
  ///   - limit: The bytes that each may leave. Threads that pass work to each other keep up to a thousand small pieces
  ///     of what it took; an exchange or a cancelled sleep is larger.
  ///   - run: Does it once.
  package func expectNoGrowth(
    _ name: String,
    count: Int = 200,
    limit: Int = 400,
    _ run: (_ number: Int) async throws -> Void
  ) async throws {
    forgetThrownErrors()
    // The thread sanitizer keeps what it knows of threads and locks: there, only races are looked for.
    guard dlsym(nil, "__tsan_init") == nil else {
      for number in 0..<count { try await run(number) }
      return
    }
    var left: [Int] = []
    for round in 0..<6 {
      let before = try memoryInUse()
      for number in 0..<count { try await run(round * count + number) }
      var growth = try memoryInUse() - before
      // What was let go of may still be on its way.
      for _ in 0..<100 where growth >= limit * count {
        try await ContinuousClock().sleep(for: .milliseconds(2))
        growth = try memoryInUse() - before
      }
      left.append(growth / count)
      // The first round fills pools and tables.
      if round > 0, growth < limit * count { return }
    }
    Issue.record("\(name): \(left) bytes are left of each in a round")
  }

  /// Removes the hooks of Swift Testing, which keeps a backtrace of every error until the test ends.
  private func forgetThrownErrors() {
    for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
      dlsym(nil, name)?.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee = nil
    }
  }
#endif
