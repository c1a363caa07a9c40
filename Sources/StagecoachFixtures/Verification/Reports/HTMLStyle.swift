/// The style sheet of a report: light and dark, in one column where there is little room.
enum HTMLStyle {
  static let text: String = {
    let names =
      VerificationReport.Outcome.allCases.map(\.rawValue) + VerificationReport.Drift.allCases.map(\.rawValue)
    let filters = names.map { name in
      "#\(name):target ~ main .exchange:not(.\(name)) { display: none }\n"
        + "#\(name):target ~ header a[href=\"#\(name)\"] { outline: 2px solid var(--text) }\n"
    }
    return base + filters.joined()
  }()

  private static let base = """
    :root { color-scheme: light dark; --text: #223; --faint: #5a6075; --page: #fff; --box: #f5f6fa; --line: #ccd;
      --good: #176; --bad: #b22; --bad-box: #ffdcd8; --care: #8a5200; --care-box: #ffe9b8; --note: #2a5db0;
      --note-box: #dfeaff; --wait: #b9c2da; --content: #4a7bd0 }
    @media (prefers-color-scheme: dark) {
      :root { --text: #dde; --faint: #9aa0b5; --page: #16181d; --box: #1f222a; --line: #3a3f4d; --good: #5c9; --bad: #f77;
        --bad-box: #5a2426; --care: #eb5; --care-box: #4d3a12; --note: #8bf; --note-box: #213a63; --wait: #4a5168;
        --content: #5a8ae0 }
    }
    body { font: 14px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 0 auto;
      max-width: 76rem; padding: 0 1rem 3rem }
    .mark { position: fixed; top: 0 }
    header { border-bottom: 1px solid var(--line); padding: .8rem 0 }
    h1 { font-size: 1.25rem; margin: 0 0 .6rem; overflow-wrap: anywhere }
    h2 { font-size: 1rem }
    h3 { font-size: .85rem; margin: .8rem 0 .2rem; color: var(--faint) }
    nav { display: flex; flex-wrap: wrap; gap: .4rem }
    nav a { padding: .15rem .6rem; border: 1px solid var(--line); border-radius: 1rem; color: inherit;
      text-decoration: none }
    nav.drifts { margin-bottom: .6rem }
    nav.drifts a { padding: .3rem .9rem; border-radius: 6px; color: var(--faint) }
    nav.drifts b { font-size: 1.25rem; margin-right: .2rem }
    article { border: 1px solid var(--line); border-left-width: 5px; border-radius: 4px; margin: .6rem 0;
      padding: .3rem .8rem }
    article.agreed { border-left-color: var(--good) }
    article.broken, article.unanswered { border-left-color: var(--bad) }
    article.pending { border-left-color: var(--care) }
    summary { cursor: pointer; overflow-wrap: anywhere }
    small { color: var(--faint) }
    i { white-space: nowrap; font-style: normal; font-size: .8rem; padding: .05rem .4rem; border-radius: 1rem }
    b.agreed { color: var(--good) }
    b.broken, b.unanswered, b.breaking { color: var(--bad) }
    b.pending, b.risky, .warning { color: var(--care) }
    b.compatible { color: var(--note) }
    b.skipped { color: var(--faint) }
    i.breaking, mark.breaking, nav a.breaking { background: var(--bad-box); color: var(--text) }
    i.risky, mark.risky, nav a.risky { background: var(--care-box); color: var(--text) }
    i.compatible, mark.compatible, nav a.compatible { background: var(--note-box); color: var(--text) }
    table { border-collapse: collapse; width: 100%; margin: .5rem 0; table-layout: fixed }
    th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); padding: .25rem .5rem;
      overflow-wrap: anywhere }
    .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
    .sides section { min-width: 0 }
    code, pre { font: 12px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 }
    pre { background: var(--box); padding: .5rem; max-height: 30rem; overflow: auto }
    .waterfall a { display: grid; grid-template-columns: 20rem 1fr; gap: .6rem; align-items: center; color: inherit;
      text-decoration: none; padding: .1rem 0; font: 12px ui-monospace, monospace }
    .waterfall span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
    svg { width: 100%; height: 14px }
    svg .wait { fill: var(--wait) }
    svg .content { fill: var(--content) }
    .broken svg .content, .unanswered svg .content { fill: var(--bad) }
    svg .chunk { fill: var(--text) }
    @media (max-width: 45rem) {
      body { padding: 0 .6rem 2rem }
      .sides, .waterfall a { grid-template-columns: minmax(0, 1fr); gap: 0 }
      thead, td.none { display: none }
      tr, td { display: block }
      tr { border-top: 1px solid var(--line); padding: .3rem 0 }
      td { border: 0; padding: .05rem 0 }
      td[data-title]::before { content: attr(data-title) ": "; color: var(--faint) }
    }

    """
}
