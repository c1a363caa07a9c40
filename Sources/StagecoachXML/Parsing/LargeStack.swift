// Its headers include those of threads, whose types the compiler therefore finds in it.
internal import CLibXML2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs functions of libxml2 whose recursion is as deep as their input.
enum LargeStack {
  /// The work of the thread.
  private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs a closure on a separate thread, and waits for it.
  ///
  /// - Parameters:
  ///   - size: The size of the stack in bytes, of which only the used part needs memory.
  ///   - body: The work.
  /// - Returns: The result of the closure; `nil` if no thread could be created.
  static func run<Result>(size: Int, _ body: () -> Result) -> Result? {
    var result: Result?
    withoutActuallyEscaping({ result = body() }) { body in
      let work = Work(body)
      withExtendedLifetime(work) { start(work, size: size) }
    }
    return result
  }

  private static func start(_ work: Work, size: Int) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return }
    defer { pthread_attr_destroy(&attributes) }
    // Whole pages, of any size in use.
    guard pthread_attr_setstacksize(&attributes, (max(size, 1 << 20) + 0xFFFF) & ~0xFFFF) == 0 else { return }
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let isRunning = pthread_create(
      &thread,
      &attributes,
      { work in
        LargeStack.perform(work)
        return nil
      },
      Unmanaged.passUnretained(work).toOpaque()
    )
    guard isRunning == 0 else { return }
    #if canImport(Glibc)
      pthread_join(thread, nil)
    #else
      if let thread { pthread_join(thread, nil) }
    #endif
  }

  private static func perform(_ work: UnsafeMutableRawPointer?) {
    guard let work else { return }
    Unmanaged<Work>.fromOpaque(work).takeUnretainedValue().body()
  }
}
