import HTTPTypes
import StagecoachFormats
import StagecoachScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Other values of a scenario in the text of its files, of which all else stays as it is, to the octet.
struct ScenarioPatch {
  private(set) var manifest: [UInt8]
  /// The body files that change.
  private(set) var files: [String: [UInt8]] = [:]

  private let folder: String
  private let tree: TextTree
  private var edits: [TextTree.Edit] = []
  private var isPossible = true

  /// Changes the files in a folder; `nil` if they do not give the new scenario with other values alone.
  init?(_ folder: String, from old: Scenario, to new: Scenario) {
    self.folder = folder
    let file = ScenarioFolders.manifest(in: folder)
    manifest = [UInt8](FileManager.default.contents(atPath: file) ?? Data())
    // What a recorder wrote keeps its layout.
    if let files = try? ScenarioWriter.files(of: old), files.first?.bytes == manifest { return nil }
    tree = TextTree(content: manifest, .json)
    let exchanges = tree.children(of: child(of: nil, "exchanges"))
    guard exchanges.count == old.exchanges.count, exchanges.count == new.exchanges.count else { return nil }
    for (before, after) in zip(old.origins, new.origins) where before.origin != after.origin {
      set(child(of: nil, "origins").flatMap { child(of: $0, before.name) }, Array(after.origin.utf8))
    }
    if let origin = new.recording?.origin, origin != old.recording?.origin {
      set(child(of: nil, "recorded").flatMap { child(of: $0, "against") }, Array(origin.utf8))
    }
    for (index, node) in exchanges.enumerated() {
      change(node, old.exchanges[index], new.exchanges[index])
    }
    guard isPossible else { return nil }
    manifest = manifest.replacing(edits)
    let result = try? Scenario(manifest: manifest) { [files] name in
      Bytes(files[name] ?? Self.read(name, in: folder))
    }
    guard result == new else { return nil }
  }

  private static func read(_ name: String, in folder: String) -> [UInt8] {
    [UInt8](FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
  }

  // MARK: Nodes

  private func child(of node: Int?, _ key: String) -> Int? {
    tree.children(of: node).first { tree.nodes[$0].step == .member(key) }
  }

  private mutating func set(_ node: Int?, _ value: [UInt8]) {
    guard let node, let leaf = tree.nodes[node].leaf else { return isPossible = false }
    if leaf.value != value { edits.append((leaf.range, leaf.coding.encode(value))) }
  }

  private mutating func change(_ node: Int, _ old: Scenario.Exchange, _ new: Scenario.Exchange) {
    guard old != new else { return }
    let request = child(of: node, "request")
    if old.request.target != new.request.target {
      set(request.flatMap { child(of: $0, "target") }, Array(new.request.target.utf8))
    }
    change(request, old.request.fields, new.request.fields)
    change(request, old.request.trailers ?? [:], new.request.trailers ?? [:], "trailers")
    change(request, old.request.body, new.request.body)
    var informational = zip(old.reply.informational, new.reply.informational).makeIterator()
    for event in child(of: node, "reply").map({ tree.children(of: $0) }) ?? [] {
      if child(of: event, "informational") != nil, let (old, new) = informational.next() {
        change(event, old.response.headerFields, new.response.headerFields)
      } else if child(of: event, "status") != nil {
        change(event, old.reply.fields, new.reply.fields)
      }
      change(event, old.reply.trailers ?? [:], new.reply.trailers ?? [:], "trailers")
      change(event, old.reply.body, new.reply.body)
    }
    list(new.redacted, in: node, unless: old.redacted == new.redacted)
  }

  private mutating func change(_ node: Int?, _ old: HTTPFields, _ new: HTTPFields, _ key: String = "fields") {
    guard old != new, let list = node.flatMap({ child(of: $0, key) }) else { return }
    let pairs = tree.children(of: list)
    guard pairs.count == old.count, pairs.count == new.count else { return isPossible = false }
    for (pair, index) in zip(pairs, new.indices) where old[index] != new[index] {
      let value = tree.children(of: pair).last
      let octets = new[index].octets
      if let latin1 = value.flatMap({ child(of: $0, "latin1") }) {
        set(latin1, Array(String(decoding: octets.map(UInt16.init), as: UTF16.self).utf8))
      } else {
        set(value, octets)
      }
    }
  }

  /// Lists made-up values as the last member of an exchange, or where they are listed.
  private mutating func list(_ leaves: [Scenario.RedactedLeaf], in node: Int, unless isSame: Bool) {
    guard !isSame else { return }
    let rows = leaves.map { $0.value.serialized() }.joined(separator: Array(", ".utf8))
    let list = [UInt8(ascii: "[")] + rows + [UInt8(ascii: "]")]
    if let known = child(of: node, "redacted") { return edits.append((tree.nodes[known].range, list)) }
    let object = tree.nodes[node].range
    let space = tree.text[(object.lowerBound + 1)...].prefix(while: \.isSpace)
    var end = object.upperBound - 1
    while tree.text[end - 1].isSpace { end -= 1 }
    edits.append((end..<end, [UInt8(ascii: ",")] + space + Array("\"redacted\": ".utf8) + list))
  }

  // MARK: Contents

  private mutating func change(_ node: Int?, _ old: Scenario.Body?, _ new: Scenario.Body?) {
    guard old != new, let old, let new, let body = node.flatMap({ child(of: $0, "body") }) else { return }
    if let text = child(of: body, "text") {
      set(text, new.bytes.array)
    } else if let json = child(of: body, "json") {
      edits += changes(of: tree, in: json..<tree.nodes[json].end, old, new)
    } else if let file = child(of: body, "file"), let name = tree.nodes[file].leaf?.value {
      let name = String(decoding: name, as: UTF8.self)
      let content = change(Self.read(name, in: folder), old, new)
      if let known = files[name], known != content { isPossible = false }
      files[name] = content
      if let digest = child(of: body, "sha256") { set(digest, Array(SHA256.hash(content).hexadecimal.utf8)) }
      if let count = child(of: body, "bytes") { set(count, Array("\(new.bytes.count)".utf8)) }
    }
    if old.chunks != new.chunks, let chunks = child(of: body, "chunks") { remove(chunks, "chunks") }
  }

  private mutating func change(_ content: [UInt8], _ old: Scenario.Body, _ new: Scenario.Body) -> [UInt8] {
    guard new.form == .pretty else { return new.bytes.array }
    let tree = TextTree(content: content, .json)
    return content.replacing(changes(of: tree, in: tree.nodes.indices, old, new))
  }

  /// The changes of leaves of JSON that has another layout than the contents.
  private mutating func changes(
    of tree: TextTree,
    in nodes: Range<Int>,
    _ old: Scenario.Body,
    _ new: Scenario.Body
  ) -> [TextTree.Edit] {
    let leaves = nodes.compactMap { tree.nodes[$0].leaf }
    let (before, after) = (Self.leaves(of: old), Self.leaves(of: new))
    guard leaves.count == before.count, leaves.count == after.count else {
      isPossible = false
      return []
    }
    return zip(leaves, after).compactMap { leaf, other in
      leaf.value == other.value ? nil : (leaf.range, leaf.coding.encode(other.value))
    }
  }

  private static func leaves(of body: Scenario.Body) -> [Leaf] {
    TextTree(content: body.bytes.array, .json).nodes.compactMap(\.leaf)
  }

  /// Removes a member with its comma.
  private mutating func remove(_ node: Int, _ key: String) {
    let text = tree.text
    let (name, range) = (Array("\"\(key)\"".utf8), tree.nodes[node].range)
    let colon = text[..<range.lowerBound].trimmingSpace
    let written = colon.dropLast().trimmingSpace
    // A key may have escapes.
    guard colon.last == UInt8(ascii: ":"), written.suffix(name.count) == name[...] else {
      return isPossible = false
    }
    var start = written.endIndex - name.count
    var (before, end) = (start, range.upperBound)
    while before > 0, text[before - 1].isSpace { before -= 1 }
    if before > 0, text[before - 1] == UInt8(ascii: ",") {
      start = before - 1
    } else {
      while text.has(end, \.isSpace) { end += 1 }
      guard text.has(end, { $0 == UInt8(ascii: ",") }) else { return isPossible = false }
      end += 1
      while text.has(end, \.isSpace) { end += 1 }
    }
    edits.append((start..<end, []))
  }

  // MARK: Text

  /// Changes exchanges that were written by hand; `nil` if that does not give the new scenario.
  static func text(_ text: [UInt8], of file: String, from old: Scenario, to new: Scenario) -> [UInt8]? {
    var edits: [TextTree.Edit] = []
    var position = 0
    func replace(_ old: [UInt8], _ new: [UInt8]) {
      guard !old.isEmpty, let range = text[position...].firstRange(of: old) else { return }
      if old != new { edits.append((range, new)) }
      position = range.upperBound
    }
    for (before, after) in zip(old.exchanges, new.exchanges) {
      let (targets, others) = (old.parts(of: before.request.target), new.parts(of: after.request.target))
      let (path, url) = (Array(targets.path.utf8), Array((targets.origin + targets.path).utf8))
      // A path alone, with a field Host, stands before a field with the URL.
      let start = text[position...].firstRange(of: path)?.lowerBound ?? text.count
      if let found = text[position...].firstRange(of: url), found.lowerBound <= start {
        replace(url, Array((others.origin + others.path).utf8))
      } else {
        replace(path, Array(others.path.utf8))
      }
      for (field, other) in zip(before.request.fields, after.request.fields) {
        replace(field.octets, other.octets)
      }
      replace(before.request.body?.bytes.array ?? [], after.request.body?.bytes.array ?? [])
      for (field, other) in zip(before.reply.fields, after.reply.fields) {
        replace(field.octets, other.octets)
      }
      replace(before.reply.body?.bytes.array ?? [], after.reply.body?.bytes.array ?? [])
    }
    let patched = text.replacing(edits)
    return (try? Scenario(http: patched, file: file)) == new ? patched : nil
  }
}

extension Scenario.Reply {
  /// The fields of the head.
  fileprivate var fields: HTTPFields { head?.response.headerFields ?? [:] }
}
