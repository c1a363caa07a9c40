#if CURL
  import CCurl
  import HTTPTypes
  import StagecoachCore

  /// A list of lines in curl's format that reuses its memory: a list made by curl costs two allocations per line.
  final class FieldList {
    private var text = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    private var used = 0
    private var starts: [Int] = []
    private var nodes = UnsafeMutableBufferPointer<curl_slist>.allocate(capacity: 16)

    deinit {
      text.deallocate()
      nodes.deallocate()
    }

    /// Removes all lines. Lists that were returned before become invalid.
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

    /// Adds a field; a field without a value in curl's notation for that.
    func append(_ field: HTTPField) {
      starts.append(used)
      add(field.name.rawName)
      field.withUnsafeBytesOfValue { value in
        // The value ends before trailing blanks: curl takes a value of only blanks as absent.
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

    /// Returns the list, valid until lines are added or removed; `nil` if it is empty.
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
