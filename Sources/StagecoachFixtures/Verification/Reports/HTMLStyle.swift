/// The style sheet of a report.
enum HTMLStyle {
  static let text: String = {
    let filters = VerificationReport.Outcome.allCases.map(\.rawValue).map { name in
      "#\(name):target ~ main .exchange:not(.\(name)) { display: none }\n"
        + "#\(name):target ~ header a[href=\"#\(name)\"] { background: #dde }\n"
    }
    return base + filters.joined()
  }()

  private static let base = """
    body { font: 14px/1.45 system-ui, sans-serif; color: #223; background: #fff; margin: 0 auto; max-width: 76rem;
      padding: 0 1rem 3rem }
    .mark { position: fixed; top: 0 }
    header { position: sticky; top: 0; background: #fff; border-bottom: 1px solid #ccd; padding: .6rem 0; z-index: 1 }
    h1 { font-size: 1.15rem; margin: 0 0 .4rem }
    h2 { font-size: 1rem }
    h3 { font-size: .85rem; margin: .8rem 0 .2rem; color: #667 }
    nav a { display: inline-block; padding: .15rem .6rem; margin-right: .3rem; border: 1px solid #ccd;
      border-radius: 1rem; color: inherit; text-decoration: none }
    article { border: 1px solid #ccd; border-left-width: 5px; border-radius: 4px; margin: .6rem 0; padding: .3rem .8rem;
      scroll-margin-top: 6rem }
    article.agreed { border-left-color: #2a7 }
    article.broken, article.unanswered { border-left-color: #c33 }
    article.pending { border-left-color: #c80 }
    summary { cursor: pointer; overflow-wrap: anywhere }
    small { color: #667 }
    b.agreed, h1.agreed { color: #176 }
    b.broken, b.unanswered, b.breaking, h1.broken { color: #b22 }
    b.pending, b.risky { color: #a60 }
    b.skipped, b.compatible { color: #667 }
    .warning { color: #a60 }
    table { border-collapse: collapse; width: 100%; margin: .5rem 0; table-layout: fixed }
    th, td { text-align: left; vertical-align: top; border-top: 1px solid #dde; padding: .25rem .5rem;
      overflow-wrap: anywhere }
    tr.note td { color: #667 }
    .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
    .sides section { min-width: 0 }
    code, pre { font: 12px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 }
    pre { background: #f5f6fa; padding: .5rem; max-height: 30rem; overflow: auto }
    mark { background: #ffe2a8 }
    svg { width: 100%; height: auto }
    svg text { font: 11px ui-monospace, monospace; fill: #445 }
    svg .wait { fill: #b9c2da }
    svg .content { fill: #4a7bd0 }
    svg .broken .content, svg .unanswered .content { fill: #c33 }
    svg path { stroke: #223; stroke-width: .6 }

    """
}
