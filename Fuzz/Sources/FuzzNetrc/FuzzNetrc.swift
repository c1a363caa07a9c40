import StagecoachSystem

/// Any text is a `.netrc` file or an error on one of its lines. What was read reads the same when it is written again
/// with all values in quotes, with comments and macros between, or in lines that end as on Windows.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  let lines = octets.count { $0 == 0x0A } + 1
  do {
    let file = try NetrcFile(octets: octets)
    check(file)
    var written = ""
    for entry in file.entries {
      written += entry.host.map { "machine \(quoted($0))" } ?? "default"
      if let login = entry.login { written += "\r\n# login x\r\nlogin \(quoted(login))" }
      if let password = entry.password { written += " PASSWORD\t\(quoted(password))" }
      if let account = entry.account { written += "\naccount \(quoted(account)) # comment" }
      written += "\nmacdef x\nmachine y\n\n"
    }
    guard written.utf8.count <= NetrcFile.maximumLength else { return 0 }
    let again = try NetrcFile(written)
    precondition(again == file, "\(written.debugDescription) is another file")
  } catch {
    precondition((1...lines).contains(error.line), "line \(error.line) of \(lines)")
    precondition(!error.description.utf8.contains { $0 < 0x20 }, "\(error)")
  }
  return 0
}

private func quoted(_ value: String) -> String {
  var text = "\""
  for scalar in value.unicodeScalars {
    switch scalar {
    case "\n": text += "\\n"
    case "\"", "\\": text += "\\\(scalar)"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text + "\""
}

/// Each entry is found, unless an earlier one answers for its host.
private func check(_ file: NetrcFile) {
  for entry in file.entries {
    let host = entry.host ?? "no such host"
    let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
    let found = file.entry(forHost: isASCII ? host.uppercased() : host)
    precondition(found != nil, "\(entry) is not found")
    if let foundHost = found?.host {
      precondition(foundHost.lowercased() == host.lowercased(), "\(foundHost) for \(host)")
    } else {
      precondition(file.entries.contains { $0.host == nil }, "\(entry)")
    }
    if let login = entry.login {
      precondition(file.entry(forHost: host, login: login)?.login == login, "\(entry)")
    }
  }
}
