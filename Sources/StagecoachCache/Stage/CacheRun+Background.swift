import StagecoachCore
import StagecoachStages

extension CacheRun {
  /// Starts to validate a stale response that is used.
  ///
  /// - Returns: `false` if there is no client that the validation could belong to.
  func startRevalidation(of entries: [CacheEntry], _ generation: UInt64?) -> Bool {
    guard let background = request.exchange?.background else { return false }
    guard cache.revalidations.begin(key) else { return true }
    let verdict = rules.verdict(
      for: request.head,
      among: entries,
      mode: .noCache,
      at: request.clock.date,
      conceal: conceal.callAsFunction
    )
    var sending = Sending(fields: request.fields, reason: .stale, generation: generation, entries: entries)
    sending.isInBackground = true
    switch verdict {
    case .validate(let fields, let candidates, _): (sending.fields, sending.candidates) = (fields, candidates)
    // Without a validator, all of the response is asked for.
    case .forward(let fields, _): sending.fields = fields
    default:
      cache.revalidations.end(key)
      return false
    }
    let isRunning = background.run { [sending] in
      defer { cache.revalidations.end(key) }
      // A failure leaves the entry as it is.
      guard let response = try? await send(sending) else { return }
      do { for try await _ in response.body {} } catch {}
    }
    if !isRunning { cache.revalidations.end(key) }
    return isRunning
  }
}
