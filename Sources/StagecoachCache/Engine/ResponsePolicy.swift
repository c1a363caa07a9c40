import HTTPTypes
import StagecoachCore

#if StructuredFields
  import RawStructuredFieldValues
  import StagecoachStructuredFields
#endif

/// The directives of a response that apply to this cache.
struct ResponsePolicy {
  var control: CacheControl
  /// Whether they are from a targeted field, which replaces Expires too (RFC 9213 2.1).
  var isTargeted = false
  /// Whether there is a targeted field that this build cannot read.
  var isUnreadable = false
}

extension HTTPField.Name {
  static let cdnCacheControl = Self("CDN-Cache-Control")!
  static let pragma = Self("Pragma")!
}

extension CacheRules {
  /// The directives of a response: in a shared cache those of CDN-Cache-Control, if there is a valid one that is not
  /// empty, in place of Cache-Control (RFC 9213 2.2).
  func policy(of fields: HTTPFields) -> ResponsePolicy {
    if isShared, fields.firstField(.cdnCacheControl) != nil {
      #if StructuredFields
        if let control = CacheControl(targeted: fields) {
          return ResponsePolicy(control: control, isTargeted: true)
        }
      #else
        return ResponsePolicy(control: CacheControl(response: fields), isUnreadable: true)
      #endif
    }
    return ResponsePolicy(control: CacheControl(response: fields))
  }

  /// Whether a stale response must not be used even if a request or another directive allows it (RFC 9111 4.2.4).
  func forbidsStale(_ control: CacheControl) -> Bool {
    control.isMustRevalidate
      || (isShared && (control.isProxyRevalidate || control.sMaxAge != nil))
  }
}

#if StructuredFields
  extension CacheControl {
    /// Reads CDN-Cache-Control; nil if it is not a dictionary, or empty (RFC 9213 2.1).
    init?(targeted fields: HTTPFields) {
      guard let members = try? fields.structuredDictionary(for: .cdnCacheControl), members.count > 0 else {
        return nil
      }
      self.init()
      for (key, member) in members {
        guard let name = Name(rawValue: key), case .item(let item) = member else { continue }
        add(name, targeted: item.rfc9651BareItem)
      }
    }

    /// Adds a member; one whose value has the wrong type is ignored, unless it is a restriction.
    private mutating func add(_ name: Name, targeted value: RFC9651BareItem) {
      switch (value, name.hasSeconds) {
      case (.integer(let seconds), true):
        add(name, .seconds(Int(min(max(seconds, 0), Int64(Self.maximumSeconds)))), isRequest: false)
      case (_, true), (.bool(false), _): break
      case (.bool, _): add(name, .absent, isRequest: false)
      case (.string(let text), _) where name == .isPrivate || name == .noCache:
        add(name, .text(Array(text.utf8)), isRequest: false)
      default: if !name.isPermission { add(name, .absent, isRequest: false) }
      }
    }
  }

  extension CacheControl.Name {
    var hasSeconds: Bool {
      switch self {
      case .maxAge, .sMaxAge, .minFresh, .maxStale, .staleWhileRevalidate, .staleIfError: true
      default: false
      }
    }

    var isPermission: Bool { self == .isPublic || self == .immutable || self == .mustUnderstand }
  }
#endif
