#if CURL
  import CCurl
  import HTTPTypes
  import StagecoachCore

  /// A list of lines as curl takes them, in memory that is used again: a list of curl's own costs two allocations
  /// a line.
  final class FieldList {
    private var text = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    private var used = 0
    private var starts: [Int] = []
    private var nodes = UnsafeMutableBufferPointer<curl_slist>.allocate(capacity: 16)

    deinit {
      text.deallocate()
      nodes.deallocate()
    }

    /// Forgets all lines. Nobody may use the list any more that was made before.
    func removeAll() {
      used = 0
      starts.removeAll(keepingCapacity: true)
    }

    /// Adds a line of text.
    func append(_ line: String) {
      starts.append(used)
      add(line)
      add(0)
    }

    /// Adds a field; one without a value in the notation of curl for that.
    func append(_ field: HTTPField, name: String? = nil) {
      starts.append(used)
      add(name ?? field.name.rawName)
      field.withUnsafeBytesOfValue { value in
        // The value ends where blanks at its end begin: curl takes a value of blanks alone for none.
        if value.allSatisfy(FieldLines.isBlank) {
          add(UInt8(ascii: ";"))
        } else {
          add(UInt8(ascii: ":"))
          add(UInt8(ascii: " "))
          add(UnsafeRawBufferPointer(value))
        }
      }
      add(0)
    }

    /// The list, valid until lines are added or removed; nil if there are none.
    func list() -> UnsafeMutablePointer<curl_slist>? {
      guard !starts.isEmpty else { return nil }
      if nodes.count < starts.count {
        nodes.deallocate()
        nodes = .allocate(capacity: starts.count * 2)
      }
      for (index, start) in starts.enumerated() {
        let next = index + 1 < starts.count ? nodes.baseAddress.map { $0 + index + 1 } : nil
        let line = text.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
        nodes.initializeElement(at: index, to: curl_slist(data: line, next: next))
      }
      return nodes.baseAddress
    }

    private func add(_ string: String) {
      var string = string
      string.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    private func add(_ byte: UInt8) {
      reserve(1)
      text[used] = byte
      used += 1
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
      reserve(bytes.count)
      UnsafeMutableRawBufferPointer(rebasing: text[used...]).copyMemory(from: bytes)
      used += bytes.count
    }

    private func reserve(_ count: Int) {
      guard used + count > text.count else { return }
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: (used + count) * 2, alignment: 1)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[..<used]))
      text.deallocate()
      text = larger
    }
  }
#endif
