// Counts the known faults that a review found, and its other findings. Pure: values in, values out.

/** A finding within this many lines of the fault is about it, but misplaced. */
const nearLines = 3;

/**
 * @param faults as a change's `.json` lists them
 * @param findings as `result.json` holds them; rejected ones do not count
 */
export function scoreChange(faults, findings) {
  const left = new Set(findings.filter(({ verdict }) => verdict !== 'rejected'));
  const hits = faults.map((fault) => {
    const about = [...left].filter((finding) => isAbout(finding, fault));
    const [finding] = about.toSorted((one, other) => distance(one, fault) - distance(other, fault));
    left.delete(finding);
    return { fault, finding };
  });
  const found = hits.filter(({ finding }) => finding !== undefined);
  return {
    faults: faults.length,
    found: found.length,
    findings: found.length + left.size,
    placed: found.filter(({ finding, fault }) => distance(finding, fault) === 0).length,
    graded: found.filter(({ finding, fault }) => fault.severity.includes(finding.severity)).length,
    missed: hits.filter(({ finding }) => finding === undefined).map(({ fault }) => fault.fault),
    besides: [...left].map(({ severity, title, path, start_line }) => ({
      severity,
      title,
      path,
      start_line,
    })),
  };
}

/** Shares are null if there is nothing to count. Recall counts changes that were not reviewed as not found. */
export function total(changes) {
  const sum = (key) => changes.reduce((all, { score }) => all + score[key], 0);
  const harmless = changes.filter(({ score }) => score.faults === 0);
  const costs = changes.map(({ cost_usd }) => cost_usd);
  return {
    changes: changes.length,
    reviewed: changes.filter(({ outcome }) => outcome === 'clean' || outcome === 'findings').length,
    recall: share(sum('found'), sum('faults')),
    precision: share(sum('found'), sum('findings')),
    lines: share(sum('placed'), sum('found')),
    severity: share(sum('graded'), sum('found')),
    quiet: share(
      harmless.filter(({ score, outcome }) => score.findings === 0 && outcome === 'clean').length,
      harmless.length,
    ),
    tokens: changes.reduce((all, { tokens }) => all + tokens, 0),
    cost_usd: costs.includes(null) ? null : costs.reduce((all, cost) => all + cost, 0),
  };
}

/** Lists, by change, the faults that only one of two results found. */
export function compare(before, after) {
  return after.changes.flatMap(({ name, score }) => {
    const former = before.changes.find((change) => change.name === name);
    if (former === undefined) return [];
    const lost = score.missed.filter((fault) => !former.score.missed.includes(fault));
    const won = former.score.missed.filter((fault) => !score.missed.includes(fault));
    const noise = score.besides.length - former.score.besides.length;
    return lost.length + won.length === 0 && noise === 0 ? [] : [{ name, won, lost, noise }];
  });
}

/** Compares place and subject: a remark on the same line is not a hit. */
function isAbout({ title, body, ...place }, fault) {
  if (place.path !== fault.path || distance(place, fault) > nearLines) return false;
  const said = `${title}\n${body}`.toLowerCase();
  return fault.words.some((word) => said.includes(word));
}

/** Returns the number of lines between the two; 0 if they share one. */
function distance({ start_line: start, end_line: end, side }, fault) {
  if (start === null || end === null || side === 'old') return Infinity;
  return Math.max(0, fault.start_line - end, start - fault.end_line);
}

function share(part, whole) {
  return whole === 0 ? null : part / whole;
}
