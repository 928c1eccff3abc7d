// What a review found of the faults that are known, and what it found besides. Pure: values in, values out.

/** A finding this many lines beside the fault is about it, but not placed right. */
const nearLines = 3;

/**
 * @param faults as a change's `.json` lists them
 * @param findings as `result.json` holds them; rejected ones count for nothing
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

/** Shares are null where nothing was there to be counted. Recall counts changes that were not reviewed as not found. */
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

/** Change by change what one result found that the other did not. */
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

/** Where it points, and what it is about: a remark on the same line is no hit. */
function isAbout({ title, body, ...place }, fault) {
  if (place.path !== fault.path || distance(place, fault) > nearLines) return false;
  const said = `${title}\n${body}`.toLowerCase();
  return fault.words.some((word) => said.includes(word));
}

/** Lines between the two; 0 where they share one. */
function distance({ start_line: start, end_line: end, side }, fault) {
  if (start === null || end === null || side === 'old') return Infinity;
  return Math.max(0, fault.start_line - end, start - fault.end_line);
}

function share(part, whole) {
  return whole === 0 ? null : part / whole;
}
