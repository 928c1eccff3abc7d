/** Reads what a lead says about each finding that it was asked to fix: `F2: fixed`, `F3: refused: the caller checks it`. */

export interface FixAnswer {
  /** The id of the finding. */
  readonly id: string;
  readonly says: 'fixed' | 'refused';
  /** The reason of a refusal; empty for a fix. */
  readonly reason: string;
}

/** Returns the last answer for each of the findings; a refusal without a reason is no answer. */
export function readFixAnswers(text: string, ids: readonly string[]): readonly FixAnswer[] {
  const answers = new Map<string, FixAnswer>();
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const answer = readAnswer(line, () => nextLine(lines, index));
    if (answer !== null && ids.includes(answer.id)) answers.set(answer.id, answer);
  }
  return ids.flatMap((id) => answers.get(id) ?? []);
}

/** The forms of a line in lists, headings and tables, with emphasis and code spans. */
const line =
  /^[\s>#|*+-]*(?:\d{1,3}[.)]\s+)?[*_`[]*f0*(\d{1,9})[\]*_`]*\s*(?:[:|=—–-]|\.\s|->|→)\s*[*_`]*(fixed|refused|rejected|declined|skipped|not fixed|won['’]t fix)\b[*_`]*(.*)$/i;

function readAnswer(text: string, following: () => string): FixAnswer | null {
  const [, number, word, rest = ''] = line.exec(text.slice(0, longestLine)) ?? [];
  if (number === undefined || word === undefined) return null;
  const id = `F${number}`;
  if (word.toLowerCase() === 'fixed') return { id, says: 'fixed', reason: '' };
  const reason = trimmed(rest) || trimmed(following());
  return reason === '' ? null : { id, says: 'refused', reason };
}

/** The reason may begin on the next line, unless that is another answer. */
function nextLine(lines: readonly string[], index: number): string {
  const next = lines.slice(index + 1).find((text) => text.trim() !== '') ?? '';
  return line.test(next.slice(0, longestLine)) ? '' : next;
}

const longestLine = 4_000;

function trimmed(text: string): string {
  return text
    .replace(/^[\s:;,.|=>*_`()—–→-]+/, '')
    .replace(/[\s|*_`]+$/, '')
    .slice(0, longestReason);
}

const longestReason = 2_000;
