import HTTPTypes
import StagecoachCore

/// The way through one chain of redirects: the request that the next hop starts from, and what was seen.
///
/// It does no I/O: a response goes in, a verdict comes out. The stages below work on copies of ``request``, so what
/// they add to it is never carried to another hop.
struct RedirectWalk {
  enum Verdict {
    /// The response is the final one.
    case stays(RedirectEvent?)
    /// There is a next hop, unless a closure decides against it.
    case leads(RedirectProposal)
  }

  let policy: RedirectPolicy
  private(set) var request: Request
  private(set) var history: [Response.Hop] = []

  private let limit: Int
  private let rules: RedirectRules
  /// The names that the caller has marked, and those that are always bound to an origin.
  private var sensitive: Set<HTTPField.Name>
  /// The target of `request`; nil until it is needed.
  private var target: TargetURI?
  private var followed = 0
  /// Whether the chain has left an origin: from then on its secrets stay out.
  private var hasLeft = false
  /// The reason that the chain ended at a response that looks like a redirect.
  var end: RedirectEvent?
  /// The responses of earlier hops, which the history mixes with those of other stages.
  private var redirects: [Response.Hop] = []
  /// The arrival of the current response, relative to the start of the exchange.
  private var arrival: Duration?

  init(from request: Request, policy: RedirectPolicy, limit: Int, rules: RedirectRules) {
    self.request = request
    self.policy = policy
    self.limit = max(0, limit)
    self.rules = rules
    sensitive = SensitiveFields.of(request)
  }

  /// Returns the meaning of a response for the chain.
  mutating func verdict(on response: Response) throws(ExchangeError) -> Verdict {
    arrival = request.exchange?.elapsed
    let location = LocationField(response.fields)
    guard let method = RedirectMethod(after: response.status, to: request.method) else {
      return .stays(location == .missing ? nil : .ignored(.status))
    }
    if location == .missing { return .stays(.ignored(.missingLocation)) }
    if location == .empty { return .stays(.ignored(.emptyLocation)) }
    if case .refuse = policy { return .stays(.refused(.policy)) }

    let base = try here(response)
    let (target, hadUserInformation) = try resolve(location, from: base, response)
    let leaves = !target.isSameOrigin(as: base)
    if case .sameOriginOnly = policy, leaves { return .stays(.refused(.otherOrigin)) }
    if method.keepsContent, !request.body.isReplayable {
      if rules.failsOnOneShotBodies { throw failure(.redirectNeedsBodyAgain, response, target) }
      return .stays(.refused(.bodyNotReplayable))
    }
    guard followed < limit else { throw failure(.tooManyRedirects(limit), response, target) }
    guard rules.allowsInsecure || target.isSecure || !base.isSecure else {
      throw failure(.insecureRedirect, response, target)
    }
    return .leads(
      proposal(after: response, method, from: base, to: target, hadUserInformation: hadUserInformation)
    )
  }

  /// Notes in the final response why it is one, if it looks like a redirect.
  func explain(_ response: inout Response) {
    switch end {
    case .refused(let reason):
      response[note: Redirects.isRefused] = true
      response.remark =
        switch reason {
        case .policy, .otherOrigin:
          "the redirect policy declined it; read the response with send(_:), or change options.redirectPolicy"
        case .bodyNotReplayable:
          "the redirect requires sending the request body again, but it can be sent only once; create the body with "
            + ".bytes, .file or .stream, which can be sent again"
        }
    case .ignored(.missingLocation): response.remark = "the redirect cannot be followed: it has no Location"
    case .ignored(.emptyLocation): response.remark = "the redirect cannot be followed: its Location is empty"
    case .ignored(.status), .followed, nil: break
    }
  }

  /// The request of the next hop, as it is sent now.
  mutating func depart() -> Request {
    request.begin()
    return request
  }

  /// Moves on to the next hop.
  ///
  /// - Returns: A description of the step.
  mutating func follow(_ proposal: RedirectProposal, past response: Response) throws(ExchangeError)
    -> RedirectStep
  {
    var proposal = proposal
    let base = try here(response)
    let target = try settle(&proposal, from: base, past: response)
    let leaves = !target.isSameOrigin(as: base)
    let next = proposal.request
    let strippedIdentity = request.options.trust?.identity != nil && next.options.trust?.identity == nil

    let step = RedirectStep(
      status: response.status,
      method: next.method,
      url: Redaction.url(of: next.head),
      isOriginChange: leaves,
      strippedFields: proposal.strippedFields,
      strippedIdentity: strippedIdentity,
      droppedContent: !request.body.isEmpty && next.body.isEmpty,
      droppedUserInformation: proposal.hadUserInformation
    )
    let hop = self.hop(response)
    redirects.append(hop)
    history += response.history
    history.append(hop)
    followed += 1
    hasLeft = hasLeft || leaves
    request = next
    // Fields that a closure has marked count from this hop on.
    sensitive.formUnion(SensitiveFields.of(next))
    self.target = target
    return step
  }
}

extension RedirectWalk {
  /// Returns the target of the current request.
  private mutating func here(_ response: Response) throws(ExchangeError) -> TargetURI {
    if let target { return target }
    do {
      let target = try Self.target(of: request)
      self.target = target
      return target
    } catch {
      throw failure(.redirect(error), response, nil)
    }
  }

  private static func target(of request: Request) throws(URIError) -> TargetURI {
    let head = request.head
    // The asterisk form means a target without a path (RFC 9112 3.2.4).
    let path = head.path == "*" ? "/" : head.path ?? "/"
    var target = try TargetURI(parsing: "\(head.scheme ?? "")://\(head.authority ?? "")\(path)")
    target.fragment = request.fragment
    return target
  }

  private func resolve(
    _ location: LocationField,
    from base: TargetURI,
    _ response: Response
  ) throws(ExchangeError) -> (target: TargetURI, hadUserInformation: Bool) {
    do {
      let rule: TargetURI.UserInformationRule = rules.refusesUserInformation ? .refuse : .strip
      guard var result = try location.target(from: base, userInformation: rule) else { return (base, false) }
      // An empty fragment counts too (RFC 9110 10.2.2).
      if result.target.fragment == nil { result.target.fragment = base.fragment }
      return result
    } catch {
      throw failure(.redirect(error), response, nil)
    }
  }

  private func proposal(
    after response: Response,
    _ method: RedirectMethod,
    from base: TargetURI,
    to target: TargetURI,
    hadUserInformation: Bool
  ) -> RedirectProposal {
    var next = request
    var fields = request.head.headerFields
    let leaves = !target.isSameOrigin(as: base)
    let stripped = leaves ? fields.remove(sensitive) : []
    fields.remove(RedirectFields.ofHop)
    if method.method != request.method { fields.remove(RedirectFields.ofMethod) }
    if !method.keepsContent {
      next.body = .empty
      fields.remove(RedirectFields.ofContent)
    }
    if rules.sendsReferer { fields[.referer] = Self.referer(from: base, to: target) }
    next.head = HTTPRequest(
      method: method.method,
      scheme: target.scheme,
      authority: target.authority,
      path: target.requestTarget,
      headerFields: fields
    )
    next.fragment = target.fragment
    next.hop += 1
    next.attempt = 1
    if leaves { next.options.trust?.identity = nil }
    return RedirectProposal(
      after: response.head,
      to: request,
      request: next,
      target: target,
      isOriginChange: leaves,
      strippedFields: stripped,
      hadUserInformation: hadUserInformation
    )
  }

  private static func referer(from base: TargetURI, to target: TargetURI) -> String? {
    if base.isSecure && !target.isSecure { return nil }
    guard target.isSameOrigin(as: base) else { return "\(base.origin)/" }
    return "\(base.scheme)://\(base.authority)\(base.requestTarget)"
  }

  /// Applies the rules to the proposal that a closure returned.
  ///
  /// - Returns: The target of its request.
  private func settle(
    _ proposal: inout RedirectProposal,
    from base: TargetURI,
    past response: Response
  ) throws(ExchangeError) -> TargetURI {
    guard case .ask = policy else { return proposal.target }
    let offered = proposal.offered
    if proposal.request.exchange == nil { proposal.request.options = offered.options }
    proposal.request.exchange = offered.exchange
    proposal.request.hop = offered.hop
    proposal.request.attempt = offered.attempt
    let target = try chosenTarget(&proposal, past: response)
    guard rules.allowsInsecure || target.isSecure || !base.isSecure else {
      throw failure(.insecureRedirect, response, target)
    }
    let leaves = !target.isSameOrigin(as: base)
    // Fields that the closure has added again are not missing.
    proposal.strippedFields.removeAll { proposal.request.fields.contains($0) }
    guard leaves || hasLeft else { return target }
    let isAsOffered = target.isSameOrigin(as: proposal.target)
    let secrets = sensitive.union(SensitiveFields.called(in: proposal.request.fields))
    let denied = secrets.subtracting(proposal.allowSensitive).filter { name in
      !isAsOffered || proposal.request.fields[fields: name] != offered.fields[fields: name]
    }
    for name in proposal.request.head.headerFields.remove(denied)
    where !proposal.strippedFields.contains(name) {
      proposal.strippedFields.append(name)
    }
    if leaves, proposal.request.options.trust?.identity == request.options.trust?.identity {
      proposal.request.options.trust?.identity = nil
    }
    return target
  }

  private func chosenTarget(
    _ proposal: inout RedirectProposal,
    past response: Response
  ) throws(ExchangeError) -> TargetURI {
    do {
      if proposal.request.reference != nil { proposal.request.fragment = nil }
      try proposal.request.resolve(against: proposal.target)
      let (chosen, offered) = (proposal.request.head, proposal.offered.head)
      if chosen.scheme == offered.scheme, chosen.authority == offered.authority, chosen.path == offered.path {
        return proposal.target
      }
      return try Self.target(of: proposal.request)
    } catch {
      throw failure(
        ExchangeError(
          .invalidRequest,
          "the redirect policy returned a request without a valid target: \(Format.describe(error))",
          underlying: error
        ),
        response,
        nil
      )
    }
  }

  /// The answer as the history shows it: also without what the caller has marked.
  private func hop(_ response: Response) -> Response.Hop {
    response.hop(to: request, at: arrival)
  }

  /// An error with the response and the chain that led to it.
  private func failure(
    _ error: ExchangeError,
    _ response: Response,
    _ target: TargetURI?
  ) -> ExchangeError {
    var error = error
    error.response = response.head
    if error.underlying == nil {
      error.underlying = RedirectChain(
        hops: redirects + [hop(response)],
        target: target.map { "\($0.scheme)://\($0.authority)\(Redaction.target($0.requestTarget))" }
      )
    }
    return error
  }
}
