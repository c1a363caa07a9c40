#if Images
  import StagecoachCore

  /// The images of an ``ImageCache``, with the order of their use.
  struct ImageStore {
    struct Key: Hashable {
      private let url: String
      private let identifier: String?

      init(_ url: String, _ identifier: String?) {
        self.url = (try? TargetURI(parsing: url)).map(Self.url) ?? url
        self.identifier = identifier
      }

      /// The URL without its fragment, and without the default port.
      private static func url(_ target: TargetURI) -> String {
        "\(target.scheme)://\(target.authority)\(target.requestTarget)"
      }
    }

    private struct Entry {
      let image: Image
      var lastUse: UInt64

      var cost: Int { image.pixels.count }
    }

    private let capacity: Int
    private let usageAfterPurge: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0

    /// The bytes of the pixels of all images.
    private(set) var usage = 0

    init(capacity: Int, usageAfterPurge: Int) {
      self.capacity = max(0, capacity)
      self.usageAfterPurge = min(max(0, usageAfterPurge), self.capacity)
    }

    mutating func image(for key: Key) -> Image? {
      guard let entry = entries[key] else { return nil }
      uses += 1
      entries[key]?.lastUse = uses
      return entry.image
    }

    mutating func add(_ image: Image, for key: Key) {
      remove(key)
      let entry = Entry(image: image, lastUse: uses + 1)
      guard entry.cost <= capacity else { return }
      uses += 1
      // The others are purged first: the new image is the last one to go.
      if usage > capacity - entry.cost { purge(to: usageAfterPurge - entry.cost) }
      entries[key] = entry
      usage += entry.cost
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Bool {
      guard let entry = entries.removeValue(forKey: key) else { return false }
      usage -= entry.cost
      return true
    }

    mutating func purge() {
      purge(to: usageAfterPurge)
    }

    /// Sorts only when it removes many.
    private mutating func purge(to target: Int) {
      guard usage > target else { return }
      for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        guard usage > target else { return }
        remove(key)
      }
    }

    mutating func removeAll() {
      entries = [:]
      usage = 0
    }
  }
#endif
