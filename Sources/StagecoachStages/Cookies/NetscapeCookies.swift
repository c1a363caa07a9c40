import StagecoachCore

/// The format of `cookies.txt`, as used by curl and others: a line of seven columns for each cookie.
enum NetscapeCookies {
  private static let tab = UInt8(ascii: "\t")
  /// The prefix of the domain of an HttpOnly cookie, which makes the line look like a comment.
  private static let mark = "#HttpOnly_"

  static func write(_ cookies: [Cookie]) -> CookieExport {
    var text = Array("# Netscape HTTP Cookie File\n".utf8)
    var omitted: [Cookie] = []
    for cookie in cookies {
      // Only the value, which comes last, may hold a tab.
      guard !cookie.pair.name.contains(tab), !cookie.path.utf8.contains(tab) else {
        omitted.append(cookie)
        continue
      }
      let columns = [
        (cookie.isHTTPOnly ? mark : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
        truth(!cookie.isHostOnly), cookie.path, truth(cookie.isSecure), String(cookie.expiry ?? 0),
      ]
      for column in columns {
        text += column.utf8
        text.append(tab)
      }
      text += cookie.pair.name
      text.append(tab)
      text += cookie.pair.value
      text.append(UInt8(ascii: "\n"))
    }
    return CookieExport(bytes: Bytes(text), omitted: omitted)
  }

  private static func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  /// Reads the lines that are not comments, each with its number.
  static func read(_ text: [UInt8]) -> [(position: Int, record: Result<CookieRecord, CookieRejection>)] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      var line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let isHTTPOnly = line.starts(with: mark.utf8)
      if isHTTPOnly { line = line.dropFirst(mark.utf8.count) }
      guard isHTTPOnly || line.first != UInt8(ascii: "#"), line.contains(where: { !$0.isBlankInField }) else {
        return nil
      }
      return (index + 1, record(line, isHTTPOnly: isHTTPOnly))
    }
  }

  private static func record(
    _ line: ArraySlice<UInt8>,
    isHTTPOnly: Bool
  ) -> Result<CookieRecord, CookieRejection> {
    let columns = line.split(separator: tab, maxSplits: 6, omittingEmptySubsequences: false)
    func text(_ index: Int) -> String { String(utf8OrLatin1: columns[index]) }
    func truth(_ index: Int) -> Bool? {
      switch text(index).uppercased() {
      case "TRUE": true
      case "FALSE": false
      default: nil
      }
    }
    // An empty value may be left out with the tab before it.
    guard columns.count >= 6, let includesSubdomains = truth(1), let isSecure = truth(3),
      let expiry = Int64(text(4))
    else { return .failure(.malformed) }
    return .success(
      CookieRecord(
        name: Array(columns[5]),
        value: columns.count > 6 ? Array(columns[6]) : [],
        domain: text(0),
        isHostOnly: !includesSubdomains,
        path: text(2),
        isSecure: isSecure,
        isHTTPOnly: isHTTPOnly,
        expiry: expiry == 0 ? nil : expiry
      )
    )
  }
}
