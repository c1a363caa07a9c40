import HTTPTypes
public import StagecoachCore

extension CompoundResponseSerializer {
  /// A member that may read a response, and why.
  struct Candidate {
    let index: Int
    let member: any ResponseSerializer<Output>
    let reason: SerializerChoice.Reason
  }

  /// The members that may read a response, in the order in which they are tried.
  ///
  /// - Parameter content: The content, if it may be sniffed.
  func candidates(for response: Response, sniffing content: Bytes?) -> [Candidate] {
    let status = response.status.code
    // Members that declare the status are considered, or all if there is none.
    let declaring = members.indices.filter { members[$0].accepts.accepts(status: status) }
    let indices = declaring.isEmpty ? Array(members.indices) : declaring
    let fit = response.mediaType.map { fitting($0, indices) } ?? undeclared(indices)
    // The type that is declared for no content is ignored, as in validation.
    let isVoid = response.hasNoContent || response.body.length == 0
    let declared = fit.isEmpty && isVoid ? undeclared(indices) : fit
    guard let content else { return declared }
    if case .exact = declared.first?.reason { return declared }
    let sniffed = indices.compactMap { index in
      members[index].accepts.signatures.first { $0.matches(content) }
        .map { Candidate(index: index, member: members[index], reason: .sniffed($0)) }
    }
    return sniffed + declared.filter { other in !sniffed.contains { $0.index == other.index } }
  }

  /// Returns the members with the most specific match for a declared type.
  private func fitting(_ type: MediaType, _ indices: [Int]) -> [Candidate] {
    var best: MediaRange.Specificity?
    var candidates: [Candidate] = []
    for index in indices {
      guard let range = members[index].accepts.range(for: type) else { continue }
      let fit = range.specificity
      if let best, fit < best { continue }
      if best != fit { candidates.removeAll() }
      best = fit
      candidates.append(Candidate(index: index, member: members[index], reason: .init(range)))
    }
    return candidates
  }

  private func undeclared(_ indices: [Int]) -> [Candidate] {
    indices.map {
      Candidate(index: $0, member: members[$0], reason: indices.count > 1 ? .order : .onlyCandidate)
    }
  }
}

extension Response {
  /// Whether nothing useful is declared of the content's type, which allows to sniff it.
  var isUnlabelled: Bool {
    guard let declared = fields.first(of: .contentType), !declared.isEmpty else { return true }
    return MediaType(declared)?.essence == .octetStream
  }
}

/// A serializer whose members replace it in a compound serializer.
protocol MemberedResponseSerializer<Output>: ResponseSerializer {
  var members: [any ResponseSerializer<Output>] { get }
}

extension CompoundResponseSerializer: MemberedResponseSerializer {}

extension MappedResponseSerializer: MemberedResponseSerializer where Base: MemberedResponseSerializer {
  var members: [any ResponseSerializer<Output>] {
    func mapped(_ member: some ResponseSerializer<Base.Output>) -> any ResponseSerializer<Output> {
      member.map(transform)
    }
    return base.members.map { mapped($0) }
  }
}

extension WeightedResponseSerializer: MemberedResponseSerializer where Base: MemberedResponseSerializer {
  var members: [any ResponseSerializer<Output>] {
    func weighted(_ member: some ResponseSerializer<Base.Output>) -> any ResponseSerializer<Output> {
      member.weighted(quality)
    }
    return base.members.map { weighted($0) }
  }
}
