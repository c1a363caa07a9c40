import StagecoachCore

extension ReplayTransport {
  /// Creates a transport that answers as the provider of a Pact file.
  ///
  /// Requests are compared under the matching rules of the file, with the header fields that it names. Each interaction
  /// may answer any number of times; of those with equal requests, which a provider tells apart by its state, the first
  /// ones answer once. Generators make the values of the responses when the transport is created. Messages and
  /// interactions that need a plugin are left out.
  ///
  /// - Parameters:
  ///   - path: The path of the file, of version 1 to 4.
  ///   - origin: The origin of the provider, such as `https://api.example.com`.
  /// - Throws: ``ScenarioError``, also if a rule is malformed.
  public convenience init(pact path: String, origin: String = "http://localhost") throws {
    let file = try PactFile(path: path)
    let context = GeneratorContext(side: .consumer, mockServerURL: origin)
    try self.init(try file.scenario(origin: origin, generators: context).scenario)
  }
}
