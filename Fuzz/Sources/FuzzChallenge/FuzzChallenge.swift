import HTTPTypes
import Stagecoach

/// Any octets are a field that gives some challenges, each of which is written as something that reads the same:
/// alone, together with the others, and as a field beside another.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  let text = String(decoding: octets, as: UTF8.self)
  let (challenges, problems) = AuthenticationChallenge.parse(text)
  precondition(challenges.count <= AuthenticationChallenge.maximumCount, "\(challenges.count) challenges")
  for problem in problems { checkLine(problem.description) }
  for challenge in challenges { check(challenge) }

  let written = challenges.map(\.description).joined(separator: ", ")
  if written.utf8.count <= AuthenticationChallenge.maximumFieldLength {
    let again = AuthenticationChallenge.parse(written)
    precondition(again.challenges == challenges && again.problems.isEmpty, "\(challenges) became \(again)")
  }
  // What stands around a list changes nothing in it, unless it is inside of quotes or a value.
  precondition(AuthenticationChallenge.parse(", \(text)").challenges == challenges, "behind a comma")

  var fields = HTTPFields()
  fields.append(HTTPField(name: .wwwAuthenticate, lenientValue: octets))
  let alone = AuthenticationChallenge.parse(fields, .wwwAuthenticate).challenges
  for challenge in alone { check(challenge) }
  fields.append(HTTPField(name: .wwwAuthenticate, value: "Last realm=\"x\""))
  let together = AuthenticationChallenge.parse(fields, .wwwAuthenticate).challenges
  precondition(together.prefix(alone.count).elementsEqual(alone), "another field changed the first")
  precondition(together.count == min(alone.count + 1, AuthenticationChallenge.maximumCount), "\(together)")

  if let info = AuthenticationInfo(fields, .wwwAuthenticate) {
    precondition(Set(info.parameters.map(\.name)).count == info.parameters.count, "\(info.parameters)")
    _ = (info.nextNonce, info.nonceCount)
  }
  return 0
}

private func check(_ challenge: AuthenticationChallenge) {
  checkLine(challenge.description)
  precondition(challenge.parameters.count <= AuthenticationChallenge.maximumParameterCount, "\(challenge)")
  precondition(challenge.token68 == nil || challenge.parameters.isEmpty, "\(challenge)")
  if challenge.description.utf8.count <= AuthenticationChallenge.maximumFieldLength {
    let (again, problems) = AuthenticationChallenge.parse(challenge.description)
    precondition(again == [challenge] && problems.isEmpty, "\(challenge) became \(again), \(problems)")
  }
  let made =
    challenge.token68.map { AuthenticationChallenge(scheme: challenge.scheme, token68: $0) }
    ?? AuthenticationChallenge(scheme: challenge.scheme, parameters: challenge.parameters)
  precondition(made == challenge, "cannot be made: \(challenge)")
  precondition(challenge.isScheme(challenge.scheme.uppercased()), "\(challenge.scheme)")
  for parameter in challenge.parameters {
    precondition(challenge[parameter: parameter.name.uppercased()] == parameter.value, "\(challenge)")
  }
}

private func checkLine(_ text: String) {
  precondition(!text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }, "a control in \(text)")
}
