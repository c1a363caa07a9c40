import HTTPTypes
import StagecoachCore

extension PactFile {
  /// The interactions as a verification of the provider takes them. Those that cannot be verified say why.
  package var interactions: [ContractInteraction] {
    var counts: [String: Int] = [:]
    return entries.map { entry in
      var interaction =
        switch entry {
        case .http(let interaction): contract(interaction)
        case .opaque(let interaction): contract(interaction)
        }
      // The same description may be used for other states.
      let count = counts[interaction.id, default: 0] + 1
      counts[interaction.id] = count
      if count > 1 { interaction.id += " (\(count))" }
      interaction.file = path
      return interaction
    }
  }

  private func contract(_ interaction: PactInteraction) -> ContractInteraction {
    let message = interaction.request.message
    var contract = contract(
      interaction.description,
      interaction.states,
      Scenario.Request(message.method, message.target)
    )
    contract.line = interaction.line
    contract.obstacle = interaction.obstacle
    contract.isPending = interaction.isPending
    contract.comments = interaction.commentLines
    contract.expected = interaction.response.message
    do throws(PactFormatError) {
      contract.request = try interaction.outgoingRequest()
      contract.rules = try rulesReader.rules(.object(interaction.response.rules))
      contract.requestGenerators = try PactGeneratorsReader()
        .generators(.object(interaction.request.generators))
    } catch {
      contract.obstacle = "\(error)"
    }
    return contract
  }

  private func contract(_ interaction: OpaquePactInteraction) -> ContractInteraction {
    var contract = contract(interaction.description, interaction.states, Scenario.Request("GET", "/"))
    contract.line = interaction.line
    contract.obstacle = interaction.reason
    return contract
  }

  private func contract(
    _ description: String,
    _ states: [ProviderState],
    _ request: Scenario.Request
  ) -> ContractInteraction {
    var contract = ContractInteraction(
      id: description,
      title: description,
      source: path,
      request: request,
      expected: ComparedResponse()
    )
    // A provider hears of an interaction without a state too.
    contract.states = states.isEmpty ? [ProviderState("")] : states
    return contract
  }
}

extension PactInteraction {
  /// The texts among the comments, and the name of the test.
  package var commentLines: [String] {
    let text = comments["text"]
    let texts = (text?.arrayValue ?? [text].compactMap(\.self)).compactMap(\.stringValue)
    let test = comments["testname"]?.stringValue.map { "test: \($0)" }
    return texts + [test].compactMap { $0 }
  }
}
