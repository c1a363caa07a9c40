#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A buffer of values written one after the other: the records or the bytes of a tape.
///
/// An array checks its uniqueness for each append. This buffer is never copied, and passes its contents on as
/// ``TapeValues``.
struct TapeBuffer<Value: BitwiseCopyable & Sendable>: ~Copyable {
  private var start: UnsafeMutablePointer<Value>?
  private var capacity = 0
  /// The minimum capacity of the next allocation.
  private var nextCapacity: Int
  private(set) var count = 0

  /// - Parameter capacity: How many values are expected; memory is taken when the first one comes.
  init(capacity: Int = 0) { nextCapacity = capacity }

  deinit { free(start) }

  /// Makes room before the first value comes.
  mutating func reserve(_ capacity: Int) { nextCapacity = max(nextCapacity, capacity) }

  @inline(__always)
  mutating func append(_ value: Value) {
    (room(for: 1) + count).initialize(to: value)
    count &+= 1
  }

  @inline(__always)
  mutating func append(contentsOf values: UnsafeBufferPointer<Value>) {
    guard let base = values.baseAddress, values.count > 0 else { return }
    (room(for: values.count) + count).initialize(from: base, count: values.count)
    count &+= values.count
  }

  @inline(__always)
  subscript(index: Int) -> Value {
    get { address(of: index).pointee }
    set { address(of: index).pointee = newValue }
  }

  /// An index is one that the tape itself wrote down; another is a mistake here, which ends as it does in an array.
  @inline(__always)
  private func address(of index: Int) -> UnsafeMutablePointer<Value> {
    guard let start, index >= 0, index < count else { preconditionFailure("no value \(index) of \(count)") }
    return start + index
  }

  var last: Value? {
    @inline(__always) get { count > 0 ? self[count - 1] : nil }
  }

  /// Forgets the values from an index on.
  mutating func truncate(to index: Int) {
    precondition(index >= 0 && index <= count)
    count = index
  }

  /// Hands over what it holds, and starts anew.
  mutating func take() -> TapeValues<Value> {
    let values = TapeValues(owning: start, count: count)
    start = nil
    nextCapacity = count + count / 8
    (capacity, count) = (0, 0)
    return values
  }

  /// The memory, with room for more values.
  @inline(__always)
  private mutating func room(for more: Int) -> UnsafeMutablePointer<Value> {
    if let start, capacity &- count >= more { return start }
    return grow(by: more)
  }

  @inline(never)
  private mutating func grow(by more: Int) -> UnsafeMutablePointer<Value> {
    let larger = max(capacity * 2, nextCapacity, count + more, 16)
    // The values are bits, which may be moved as such; a system moves large ones without touching them.
    // The limits bound what a tape holds; a system without memory ends the program here as it does in an array.
    guard let memory = realloc(start, larger * MemoryLayout<Value>.stride) else {
      fatalError("out of memory for \(larger) values")
    }
    let moved = memory.bindMemory(to: Value.self, capacity: larger)
    (start, capacity) = (moved, larger)
    return moved
  }
}

/// Immutable values.
struct TapeValues<Value: BitwiseCopyable & Sendable>: RandomAccessCollection, Sendable {
  /// Frees the memory with the last reference.
  private final class Memory: Sendable {
    // Safe: the creator gave up the only other reference, and values are only read.
    nonisolated(unsafe) let start: UnsafeMutablePointer<Value>?

    init(_ start: UnsafeMutablePointer<Value>?) { self.start = start }

    deinit { free(start) }
  }

  private let memory: Memory
  // A copy of the pointer, which saves an indirection for each access. Safe: values are only read, and each access
  // retains the memory.
  private nonisolated(unsafe) let start: UnsafeMutablePointer<Value>?
  let count: Int

  /// - Parameters:
  ///   - start: The memory, allocated by `malloc`; `nil` for no values.
  ///   - count: The number of values.
  fileprivate init(owning start: UnsafeMutablePointer<Value>?, count: Int) {
    memory = Memory(start)
    self.start = start
    self.count = count
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// As in an array, a wrong index ends the program, and no input makes one.
  @inline(__always)
  subscript(index: Int) -> Value {
    guard let start, index >= 0, index < count else { preconditionFailure("no value \(index) of \(count)") }
    return withExtendedLifetime(memory) { start[index] }
  }

  /// Calls `body` with the values, valid while it runs.
  @inline(__always)
  func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<Value>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(memory) { try body(UnsafeBufferPointer(start: start, count: count)) }
  }

  func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Value>) throws -> Result
  ) rethrows -> Result? {
    try withUnsafeBufferPointer(body)
  }
}
