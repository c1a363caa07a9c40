internal import CLibXML2

/// What a guard counts, and looks at with every callback.
struct ParserCounters {
  var hasFailed = false {
    didSet { live = hasFailed ? nil : main }
  }
  /// The context of the document.
  var main: UnsafeMutableRawPointer? {
    didSet { live = hasFailed ? nil : main }
  }
  /// The same until the parse has failed.
  private(set) var live: UnsafeMutableRawPointer?
  /// Whether names have to be looked up, since a namespace was declared by references.
  var expandsNamespaces = false
  /// Whether the DTD declares namespaces where elements do not.
  var defaultsNamespaces = false
  var nodes = 0
  var textSize = 0
  /// The characters that followed each other up to here.
  var textRun = 0
  /// Whether they stand in CDATA sections, which are nodes of their own.
  var isCDATARun = false
  var declarations = 0
  private(set) var namespacesInScope = 0
  private var depth = 0
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
    names.initialize(repeating: (0, 0), count: Self.nameCount)
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
    return seen.local == local && seen.prefix == UInt(bitPattern: name.prefix) && local != 0
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
