import TestSupport

/// What an origin says about the storing of an answer: to all caches, and to shared ones alone (RFC 9213).
struct HistoryStatement: Sendable {
  /// CDN-Cache-Control.
  struct Targeted: Sendable {
    let lines: [String]
    /// What it says; nil if it is empty or no dictionary, which counts as absent.
    let policy: HistoryPolicy?
  }

  /// Cache-Control and Expires.
  let common: HistoryPolicy
  /// Of a resource all answers have it, or none: it would outlive a 304 without it.
  let targeted: Targeted?

  /// What a cache goes by (RFC 9213 2.1).
  func policy(isShared: Bool) -> HistoryPolicy { isShared ? targeted?.policy ?? common : common }

  var text: String {
    common.text + (targeted.map { "; CDN-Cache-Control: \($0.lines.joined(separator: " | "))" } ?? "")
  }
}

extension HistoryStatement.Targeted {
  /// Dictionaries, some in unusual words, and some that are none.
  static func random(using random: inout SplitMix) -> Self {
    var policy = HistoryPolicy.random(expires: false, using: &random)
    // Of a key that is there twice the last one counts (RFC 9651 3.2).
    if policy.isPrivate { policy.hidesSecret = false }
    let text = policy.text
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return Self(lines: [""], policy: nil)
    case 1, 2:
      let ends = [", =", ", Max-Age=300", ", max-age=", ",", ";", ", max-age=300 s"]
      return Self(lines: [text + (ends.randomElement(using: &random) ?? ",")], policy: nil)
    case 3:
      policy.maxAge = nil
      let wrong = Bool.random(using: &random) ? "\"300\"" : "300.0"
      return Self(lines: ["max-age=\(wrong), " + policy.text], policy: policy)
    case 4:
      policy.maxAge = 20
      return Self(lines: ["max-age=300, " + policy.text], policy: policy)
    case 5:
      policy.maxAge = 60
      return Self(lines: ["\(policy.text);a=\"no-store, b\""], policy: policy)
    case 6: return Self(lines: [text, "x-more"], policy: policy)
    case 7:
      policy.isNoStore = true
      return Self(lines: [text + ", no-store=?1"], policy: policy)
    default: return Self(lines: [text], policy: policy)
    }
  }
}
