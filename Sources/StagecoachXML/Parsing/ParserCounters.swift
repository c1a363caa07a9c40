internal import CLibXML2

/// The counters of a guard, used in every callback.
struct ParserCounters {
  var hasFailed = false {
    didSet { update() }
  }
  /// The context of the document.
  var main: UnsafeMutableRawPointer? {
    didSet { update() }
  }
  /// The same until the parse has failed, and but for the text of entities.
  private(set) var live: UnsafeMutableRawPointer?
  /// The same as long as no names have to be looked up.
  private var plain: UnsafeMutableRawPointer?
  /// Whether names have to be looked up, since a namespace was declared by references.
  var expandsNamespaces = false {
    didSet { update() }
  }
  /// Whether a reference was met and not reported yet: what libxml2 reports until then is the text of the entity, which
  /// it goes through once. New versions do that in the context of the document.
  var isInReference = false {
    didSet { update() }
  }
  /// Whether the DTD declares namespaces where elements do not.
  var defaultsNamespaces = false
  var nodes = 0
  var textSize = 0
  /// The characters that followed each other up to here.
  var textRun = 0
  /// Whether the characters are in CDATA sections, which are separate nodes.
  var isCDATARun = false
  var declarations = 0
  private(set) var namespacesInScope = 0
  private(set) var depth = 0
  let maximumDepth: Int
  /// The namespace declarations of each open element.
  private let namespaces: UnsafeMutablePointer<Int32>
  /// Names whose length has been looked at, by some bits of their address.
  private let names: UnsafeMutablePointer<(local: UInt, prefix: UInt)>

  private static let nameCount = 64

  /// - Parameter depth: The most elements that may be open at once.
  init(depth: Int) {
    maximumDepth = max(0, depth)
    namespaces = .allocate(capacity: maximumDepth + 1)
    names = .allocate(capacity: Self.nameCount)
    // No name is there.
    names.initialize(repeating: (1, 0), count: Self.nameCount)
  }

  private mutating func update() {
    live = hasFailed || isInReference ? nil : main
    plain = expandsNamespaces ? nil : live
  }

  func free() {
    namespaces.deallocate()
    names.deallocate()
  }

  /// Opens an element; false if it lies too deep.
  @inline(__always)
  mutating func open(namespaces count: Int) -> Bool {
    guard depth < maximumDepth else { return false }
    namespaces[depth] = Int32(truncatingIfNeeded: count)
    namespacesInScope &+= count
    depth &+= 1
    return true
  }

  /// Opens an element that declares no namespace, if it and the parse are as nearly all are; else nothing changes.
  ///
  /// This is all that most start tags need, in one place.
  @inline(__always)
  mutating func openPlainly(_ name: SAXName, at context: UnsafeMutableRawPointer) -> Bool {
    guard plain == context, depth < maximumDepth, hasSeen(name) else { return false }
    namespaces[depth] = 0
    depth &+= 1
    textRun = 0
    return true
  }

  /// Closes the innermost element, if the parse is as nearly all are; else nothing changes.
  @inline(__always)
  mutating func closePlainly(at context: UnsafeMutableRawPointer) -> Bool {
    guard plain == context else { return false }
    close()
    return true
  }

  /// Closes the innermost element.
  @inline(__always)
  mutating func close() {
    textRun = 0
    guard depth > 0 else { return }
    depth &-= 1
    namespacesInScope &-= Int(namespaces[depth])
  }

  @inline(__always)
  func hasSeen(_ name: SAXName) -> Bool {
    let local = UInt(bitPattern: name.local)
    let seen = names[Self.place(of: local)]
    return seen.local == local && seen.prefix == UInt(bitPattern: name.prefix)
  }

  mutating func note(_ name: SAXName) {
    let local = UInt(bitPattern: name.local)
    names[Self.place(of: local)] = (local, UInt(bitPattern: name.prefix))
  }

  @inline(__always)
  private static func place(of address: UInt) -> Int {
    Int(truncatingIfNeeded: (address ^ (address >> 6)) & UInt(nameCount - 1))
  }
}
