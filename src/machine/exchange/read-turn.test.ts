import { describe, expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { stoppedAtLimit } from '../../parsers/markdown/answer-size.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import { renderRequest } from '../../prompts/render-request.ts';
import type { StructureNote } from '../../prompts/repair/repair.ts';
import type { TurnResult } from '../../providers/contract/contract.ts';
import { firstAsk } from './ask-input.test-helper.ts';
import type { AskInput, Kept, TurnVerdict } from './exchange-types.ts';
import { nothingSpent } from './ladder.ts';
import { readTurn, type TurnOutcome, type TurnReading } from './read-turn.ts';
import { noBrief, reviewRequest } from '../../prompts/review/review-request.ts';

const diff = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,2 +1,3 @@
 export function total(items) {
+  const total = Math.round(subtotal(items));
   return total;
`;

const request = reviewRequest(noBrief, parseUnifiedDiff(diff).files);

const issues = `### Critical
1. **Rounded too early** — \`src/total.ts:2\`
   \`\`\`
     const total = Math.round(subtotal(items));
   \`\`\`
   Why: cents get lost.
   Fix: round once.`;

const whole = `[RESPONSE:REVIEW]

## STRENGTHS
- Short.

## ISSUES
${issues}

## SUGGESTIONS
None
`;

function ask(changes: Partial<AskInput> = {}): AskInput {
  return { ...firstAsk(request), ...changes };
}

function answered(text: string): TurnResult {
  return { kind: 'answered', text, sessionId: 'thread-1', usage: null, stopReason: null };
}

const measured = { budgetCharacters: null, nonce: measuringNonce };
const promptLength = renderRequest(request, measured).text.length;

function read(turn: TurnOutcome, changes: Partial<AskInput> = {}): TurnReading {
  return readTurn(ask(changes), turn, { promptCharacters: promptLength, closing: measuringNonce });
}

type Rejected = Extract<TurnVerdict, { kind: 'rejected' }>;

/** Builds a complete rejection: omitted fields are empty. */
function rejected(facts: Pick<Rejected, 'reason' | 'detail'> & Partial<Rejected>): Rejected {
  return {
    kind: 'rejected',
    cause: 'protocol',
    hint: null,
    message: null,
    kept: null,
    final: false,
    uncounted: false,
    retryAfterMs: null,
    ...facts,
  };
}

function structure(note: StructureNote) {
  return { kind: 'structure', causes: [], note } as const;
}

function readOverload(retryAfterMs: number): TurnReading {
  return read({ kind: 'overloaded', message: 'busy', retryAfterMs, sessionId: null });
}

/** Returns the rejection of a turn; fails the test if the turn was not rejected. */
function rejectionOf({ verdict }: TurnReading): Rejected {
  if (verdict.kind !== 'rejected') throw new Error(`the turn was not rejected: ${verdict.kind}`);
  return verdict;
}

function keptAfter(text: string): Kept {
  const { kept } = rejectionOf(read(answered(text)));
  if (kept === null) throw new Error('nothing was kept');
  return kept;
}

test('R001-11 a whole review settles, with its issues read', () => {
  const { verdict, action, spent } = read(answered(whole));
  expect(action).toBe('settled');
  expect(spent).toEqual({ ...nothingSpent, attempts: 1 });
  expect(verdict).toMatchObject({
    kind: 'settled',
    issues: [{ severity: 'critical', title: 'Rounded too early' }],
    mergedFrom: [1],
  });
});

describe('R001-13 X001-1.5 without a marker the structure is asked for', () => {
  test('naming the cause', () => {
    const reading = read(answered(`\`\`\`\n${whole}\n\`\`\``));
    expect(reading.action).toBe('repairing');
    expect(reading.verdict).toEqual(
      rejected({
        reason: 'marker_absent',
        detail: 'the marker is only at places that do not count: code fence',
        message: { kind: 'structure', causes: ['code_fence'], note: null },
      }),
    );
    expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, repairing: 1 });
    expect(reading.request).toBeUndefined();
  });

  test('naming every cause in words', () => {
    const reading = read(answered(`- a\n[RESPONSE:REVIEW]\n\n<details>\n\n${whole}\n</details>`));
    expect(reading.verdict).toEqual(
      rejected({
        reason: 'marker_absent',
        detail: 'the marker is only at places that do not count: lazy continuation, inside details',
        message: { kind: 'structure', causes: ['lazy_continuation', 'inside_details'], note: null },
      }),
    );
  });

  test('without a cause if the marker is nowhere', () => {
    expect(read(answered('I looked at it.')).verdict).toEqual(
      rejected({
        reason: 'marker_absent',
        detail: 'no marker line',
        message: { kind: 'structure', causes: [], note: null },
      }),
    );
  });

  test('also if there is no answer at all', () => {
    const reading = read({ kind: 'empty', message: 'no message', sessionId: 'thread-1' });
    expect(reading.action).toBe('repairing');
    const message = structure('empty');
    expect(reading.verdict).toEqual(rejected({ reason: 'empty', detail: 'no message', message }));
    expect(read(answered(' \n')).verdict).toEqual(
      rejected({ reason: 'empty', detail: 'the answer is empty', message }),
    );
  });
});

const none = whole.replace(issues, 'None');
const end = `END ${measuringNonce}`;

describe('a review without findings counts only with its closing line', () => {
  test.each([
    ['as the last line', `${none}\n${end}\n`],
    ['without an empty line before it', `${none.trimEnd()}\n${end}`],
    ['in bold', `${none}\n**${end}**\n`],
    ['after a preamble', `I have looked at all of it.\n\n${none}\n${end}\n`],
  ])('%s', (_name, text) => {
    const { action, verdict } = read(answered(text));
    expect(action).toBe('settled');
    expect(verdict.kind === 'settled' ? verdict.block.sections.at(-1)?.text : null).toBe('None');
  });

  test.each([
    ['which is missing', none],
    ['of another exchange', `${none}\nEND 1111111111111111\n`],
    ['in a fence', `${none}\n\`\`\`\n${end}\n\`\`\`\n`],
    ['in a quote', `${none}\n> ${end}\n`],
    ['in a list', `${none}\n- ${end}\n`],
    ['which continues a list', none.replace(/None\n$/, `- Name it.\n${end}\n`)],
    ['in a comment', `${none}\n<!--\n${end}\n-->\n`],
    ['in details', `${none}\n<details>\n\n${end}\n\n</details>\n`],
    ['in a sentence', `${none}\nThe line ${end} is the last.\n`],
    ['before the answer', `${end}\n\n${none}`],
  ])('%s', (_name, text) => {
    const reading = read(answered(text));
    expect(reading.action).toBe('completing');
    expect(rejectionOf(reading)).toMatchObject({
      reason: 'incomplete',
      detail: 'missing: the closing line',
      message: { kind: 'unclosed', closing: measuringNonce },
      kept: { wanted: [], from: [1] },
    });
  });

  test('the line alone completes it; a whole answer instead replaces it', () => {
    const { kept } = rejectionOf(read(answered(none)));
    const asked = { attempt: 2, kept };
    expect(read(answered(end), asked).verdict).toMatchObject({
      kind: 'settled',
      issues: [],
      mergedFrom: [1, 2],
    });
    expect(rejectionOf(read(answered('I am done.'), asked)).detail).toBe('missing: the closing line');
    expect(rejectionOf(read(answered(none), asked)).detail).toBe('missing: the closing line');
    expect(read(answered(whole), asked).verdict).toMatchObject({ issues: [{ severity: 'critical' }] });
  });

  test('an answer with findings counts without it', () => {
    expect(read(answered(whole)).action).toBe('settled');
  });

  test('text after it is kept separately; problems after it contradict it', () => {
    const after = read(answered(`${none}\n${end}\n\nThat was quick.\n`)).verdict;
    expect(after).toMatchObject({ kind: 'settled', block: { epilogue: 'That was quick.' } });
    const more = read(answered(`${none}\n${end}\n\n## ISSUES\n\n${issues}\n`));
    expect(rejectionOf(more)).toMatchObject({
      reason: 'malformed',
      detail: 'ISSUES: two reviews that disagree',
    });
  });

  const item = issues.replace('### Critical\n', '');

  test.each([
    ['after it', `${none}\n${end}\n\n${issues}\n`],
    ['after it, with words before', `${none}\n${end}\n\nWait, I overlooked this:\n\n${issues}\n`],
    ['after it, without a severity', `${none}\n${end}\n\n${item}\n`],
    ['after it, under bold words', `${none}\n${end}\n\n**Critical**\n\n${item}\n`],
    ['after it, under another spelling of the heading', `${none}\n${end}\n\n## Issues\n\n${item}\n`],
    ['in a second, unfinished review', `${none}\n${end}\n\n[RESPONSE:REVIEW]\n\n## ISSUES\n${issues}\n`],
    ['before the answer', `I found this:\n\n${issues}\n\n${none}\n${end}\n`],
    ['under the marker', none.replace('\n\n', `\n\n${issues}\n\n`) + `\n${end}\n`],
  ])('findings %s contradict it', (_name, text) => {
    expect(rejectionOf(read(answered(text))).detail).toBe('ISSUES: two reviews that disagree');
    expect(rejectionOf(read(answered(text.replaceAll('\n', '\r\n')))).detail).toBe(
      'ISSUES: two reviews that disagree',
    );
  });

  test('findings between two closing lines belong to its last section and contradict it', () => {
    const text = `${none}\n${end}\n\n${issues}\n\n${end}\n`;
    for (const sent of [text, text.replaceAll('\n', '\r\n')]) {
      expect(rejectionOf(read(answered(sent))).detail).toMatch(
        /^ISSUES: it is empty, but SUGGESTIONS states a problem with its severity; /,
      );
    }
  });

  test.each([
    ['with a zero-width space in its word', `E\u200BND ${measuringNonce}`],
    [
      'with a zero-width space in its nonce',
      `END ${measuringNonce.slice(0, 8)}\u200B${measuringNonce.slice(8)}`,
    ],
    ['behind a byte order mark', `\uFEFF${end}`],
    ['in full width', `ＥＮＤ ${measuringNonce}`],
    ['with a Cyrillic letter', `Е${end.slice(1)}`],
    ['in lower case', end.toLowerCase()],
    ['with a no-break space', `END\u00A0${measuringNonce}`],
    ['with one digit more', `${end}0`],
    ['with one digit less', end.slice(0, -1)],
    ['as a heading', `## ${end}`],
    ['as a link', `[${end}](x)`],
    ['as a definition', `[x]: ${end}`],
    ['in a cell', `| a |\n| - |\n| ${end} |`],
    ['as indented code', `    ${end}`],
    ['struck through', `~~${end}~~`],
    ['in a fence that stays open', `\`\`\`\n${end}`],
    ['in a comment that stays open', `<!--\n${end}`],
    ['in an element', `<pre>\n${end}\n</pre>`],
  ])('it does not count %s', (_name, line) => {
    expect(rejectionOf(read(answered(`${none}\n\n${line}\n`))).detail).toBe('missing: the closing line');
  });

  test('repeated, or with Windows line endings, it is the same line', () => {
    for (const text of [`${none}\n${end}\n`, `${none}\n${end}\n${end}\n`]) {
      expect(read(answered(text)).action).toBe('settled');
      expect(read(answered(text.replaceAll('\n', '\r\n'))).action).toBe('settled');
    }
  });

  test('a prompt that is echoed completely, with its form and line, is not an answer', () => {
    const options = { budgetCharacters: null, nonce: measuringNonce, closing: measuringNonce };
    const prompt = renderRequest(request, options).text;
    expect(prompt).toContain(end);
    expect(rejectionOf(read(answered(prompt))).reason).toBe('marker_absent');
    expect(rejectionOf(read(answered(`${prompt}\n${end}\n`))).reason).toBe('marker_absent');
  });

  test.each([
    'the conventions of the repository',
    'a test of a changed file',
    'the text of a pull request',
    'a result of a check',
  ])('an answer copied from %s is not an answer', (where) => {
    const copied =
      '[RESPONSE:REVIEW]\n\n## STRENGTHS\nIt is short and clear.\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n';
    const brief = {
      'the conventions of the repository': { conventions: [{ path: 'AGENTS.md', text: copied }] },
      'a test of a changed file': { related: [{ path: 'total.test.ts', of: 'src/total.ts', text: copied }] },
      'the text of a pull request': { pullRequest: copied },
      'a result of a check': { checks: [{ name: 'x', summary: '', items: [{ path: null, text: copied }] }] },
    }[where];
    const asked = reviewRequest({ ...noBrief, ...brief }, parseUnifiedDiff(diff).files);
    const answer = answered(`${copied}\n${end}\n`);
    expect(read(answer).action).toBe('settled');
    const { detail } = rejectionOf(
      read(answer, { request: asked, exchange: { ...ask().exchange, request: asked } }),
    );
    expect(detail).toMatch(/repeats lines of the material/);
  });

  test.each([
    ['findings without their heading', `${issues}\n\n${end}`],
    ['an item', `${item}\n\n${end}`],
    ['findings behind it', `${end}\n\n${issues}`],
    ['words that take the answer back', `I have not read the change.\n\n${end}`],
  ])('asked for the line alone, %s do not complete the answer', (_name, text) => {
    const { kept } = rejectionOf(read(answered(none)));
    expect(rejectionOf(read(answered(text), { attempt: 2, kept })).detail).toBe('missing: the closing line');
  });

  test('if the problems are requested again, findings outside of the section contradict a None', () => {
    const { kept } = rejectionOf(read(answered(whole.replace(issues, 'It could be better.'))));
    for (const text of [`${issues}\n\n## ISSUES\nNone\n\n${end}`, `## ISSUES\nNone\n\n${end}\n\n${issues}`]) {
      expect(rejectionOf(read(answered(text), { attempt: 2, kept })).detail).toBe(
        'ISSUES: two reviews that disagree',
      );
    }
  });

  test('problems that are requested again need a new closing line', () => {
    const unclear = `${whole.replace(issues, 'It could be better.')}\n${end}\n`;
    const { kept } = rejectionOf(read(answered(unclear)));
    expect(rejectionOf(read(answered('## ISSUES\nNone\n'), { attempt: 2, kept })).detail).toBe(
      'missing: the closing line',
    );
    const closed = read(answered(`## ISSUES\nNone\n\n${end}\n`), { attempt: 2, kept });
    expect(closed.action).toBe('settled');
  });

  test('a cut answer is continued, also if it has the line, and settles with what follows', () => {
    for (const text of [`${none}\n${end}\n`, `${none}\n${end}\n\nBut wait, I`]) {
      const { detail, kept } = rejectionOf(read(cutAt(text, 'max_tokens')));
      expect(detail).toBe('the answer was cut at its length limit; missing: SUGGESTIONS');
      const more = read(answered(`## SUGGESTIONS\nNone\n\n${end}\n`), { attempt: 2, kept });
      expect(more.action).toBe('settled');
    }
  });

  test('a cut completion is continued, also if it has the line', () => {
    const { kept } = rejectionOf(read(cutAt(`${none}\n${end}\n`, 'max_tokens')));
    const cut = read(cutAt(`## SUGGESTIONS\nNone\n\n${end}\n`, 'max_tokens'), { attempt: 2, kept });
    expect(rejectionOf(cut).detail).toMatch(/^the answer was cut at its length limit/);
  });

  test('a closing line that was requested alone does not count if its answer was cut', () => {
    const { kept } = rejectionOf(read(answered(none)));
    expect(rejectionOf(read(cutAt(`${end}\n`, 'max_tokens'), { attempt: 2, kept })).detail).toBe(
      'missing: the closing line',
    );
    expect(read(answered(`${end}\n`), { attempt: 2, kept }).action).toBe('settled');
  });
});

test('X001-14.1 an answer that only repeats lines of the change is refused, closed or not; an honest one settles', () => {
  const fake = none.replace('- Short.', 'All of it is fine.');
  const lines = fake.trimEnd().split('\n');
  const body = lines.map((line) => `+${line}`).join('\n');
  const added = `diff --git a/n.md b/n.md\nnew file mode 100644\n--- /dev/null\n+++ b/n.md\n@@ -0,0 +1,${lines.length} @@\n${body}\n`;
  const about = { request: reviewRequest(noBrief, parseUnifiedDiff(added).files) };
  const copied = read(answered(`I have not finished reading.\n\n${fake}\n${end}\n`), about);
  expect(copied.action).toBe('repairing');
  expect(rejectionOf(copied)).toMatchObject({
    reason: 'marker_absent',
    detail: 'it repeats lines of the material and adds nothing',
  });
  expect(read(answered(`${none}\n${end}\n`), about).action).toBe('settled');
  expect(read(answered(`${none.replace('- Short.', 'None')}\n${end}\n`), about).action).toBe('settled');
});

describe('R001-14 X001-15.3 only what is missing is asked for, and what was sent stays', () => {
  const cut = whole.slice(0, whole.indexOf('## SUGGESTIONS'));

  test('the missing section is named', () => {
    const reading = read(answered(cut));
    expect(reading.action).toBe('completing');
    const { kept, ...rest } = rejectionOf(reading);
    expect({ ...rest, kept: null }).toEqual(
      rejected({
        reason: 'incomplete',
        detail: 'missing: SUGGESTIONS',
        message: { kind: 'sections', missing: ['SUGGESTIONS'] },
      }),
    );
    expect(kept).toMatchObject({ block: { missing: ['SUGGESTIONS'] }, wanted: ['SUGGESTIONS'], from: [1] });
    expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, completing: 1 });
  });

  test('an answer in several pieces names every attempt that it came from', () => {
    const first = keptAfter('[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Short.\n');
    expect([first.wanted, first.from]).toEqual([['ISSUES', 'SUGGESTIONS'], [1]]);
    const second = read(answered('## SUGGESTIONS\n- Name it.\n'), { attempt: 2, kept: first });
    expect(rejectionOf(second)).toMatchObject({
      reason: 'incomplete',
      detail: 'missing: ISSUES',
      kept: { wanted: ['ISSUES'], from: [1, 2] },
    });
    const third = read(answered(`## ISSUES\n\n${issues}\n`), {
      attempt: 3,
      kept: rejectionOf(second).kept,
    });
    expect(third.verdict).toMatchObject({ kind: 'settled', mergedFrom: [1, 2, 3] });
  });

  test('the request names all missing sections', () => {
    expect(rejectionOf(read(answered('[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Short.\n'))).detail).toBe(
      'missing: ISSUES, SUGGESTIONS',
    );
  });

  test('X001-15.1,2 kept sections are byte-identical, only the named one comes from the second answer', () => {
    const kept = keptAfter(cut);
    const second = '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Other.\n\n## SUGGESTIONS\n- Name it.\n';
    const { verdict, action } = read(answered(second), { attempt: 2, kept });
    expect(action).toBe('settled');
    if (verdict.kind !== 'settled') throw new Error('not settled');
    expect(verdict.mergedFrom).toEqual([1, 2]);
    expect(verdict.block.sections.map(({ name, text }) => [name, text.trim()])).toEqual([
      ['STRENGTHS', '- Short.'],
      ['ISSUES', issues],
      ['SUGGESTIONS', '- Name it.'],
    ]);
  });

  test('an answer without the requested section is asked for it again', () => {
    const reading = read(answered('Here you are.'), { attempt: 2, kept: keptAfter(cut) });
    expect(rejectionOf(reading)).toMatchObject({
      reason: 'incomplete',
      detail: 'missing: SUGGESTIONS',
      message: { kind: 'sections', missing: ['SUGGESTIONS'] },
      kept: { wanted: ['SUGGESTIONS'], from: [1] },
    });
  });
});

describe("R001-14 a section that a skill adds is as required as the protocol's own", () => {
  const sections = [...request.sections, { name: 'SECURITY', asks: 'say who could misuse it' }];
  const wanting = { request: { ...request, sections } };
  const kept = rejectionOf(read(answered(whole), wanting)).kept;

  test('a missing closing line is requested', () => {
    expect(rejectionOf(read(answered(whole), wanting))).toMatchObject({
      reason: 'incomplete',
      message: { kind: 'sections', missing: ['SECURITY'] },
    });
  });

  test('it follows the kept sections', () => {
    const second = read(answered('[RESPONSE:REVIEW]\n\n## SECURITY\nNobody.'), { ...wanting, kept });
    expect(second.verdict).toMatchObject({ kind: 'settled', issues: [{ severity: 'critical' }] });
    const { verdict } = second;
    const names = verdict.kind === 'settled' ? verdict.block.sections.map(({ name }) => name) : [];
    expect(names).toEqual(['STRENGTHS', 'ISSUES', 'SUGGESTIONS', 'SECURITY']);
  });

  test('an answer that has it settles immediately', () => {
    expect(read(answered(`${whole}\n## SECURITY\nNobody.`), wanting).action).toBe('settled');
    expect(read(answered(`${whole}\n## SECURITY\nNobody.`)).action).toBe('settled');
  });
});

test('an ISSUES section that is neither none nor items is requested again and never clean', () => {
  const reading = read(answered(whole.replace(issues, 'It could be better in places.')));
  expect(reading.action).toBe('completing');
  const { kept, said: _said, ...rest } = rejectionOf(reading);
  const detail = 'it holds neither a list of problems nor the single word None';
  expect({ ...rest, kept: null }).toEqual(
    rejected({
      reason: 'malformed',
      detail: `ISSUES: ${detail}`,
      message: { kind: 'correction', malformations: [{ section: 'ISSUES', detail }] },
    }),
  );
  expect(kept).toMatchObject({ block: { missing: ['ISSUES'] }, wanted: ['ISSUES'], from: [1] });
  expect(kept?.block.sections.map(({ name }) => name)).toEqual(['STRENGTHS', 'SUGGESTIONS']);
  expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, completing: 1 });
});

test('every fault of a malformed section is named', () => {
  const reading = read(answered(whole.replace(issues, '### Critical\n\n### Minor')));
  expect(rejectionOf(reading).detail).toBe(
    'ISSUES: `Critical` holds neither a problem nor the word None; ISSUES: `Minor` holds neither a problem nor the word None',
  );
});

test('an answer above 256 KiB is requested again', () => {
  const text = 'x'.repeat(262_145);
  expect(read(answered(text))).toEqual({
    verdict: rejected({
      reason: 'malformed',
      detail: 'the answer has 262145 bytes; 256 KiB is the limit',
      message: structure('too_large'),
    }),
    action: 'completing',
    spent: { ...nothingSpent, attempts: 1, completing: 1 },
  });
});

test('an answer that was stopped during streaming is neither read nor requested again', () => {
  const stopped: TurnOutcome = {
    kind: 'answered',
    text: whole,
    sessionId: null,
    usage: null,
    stopReason: stoppedAtLimit,
  };
  const verdict = rejected({
    reason: 'malformed',
    detail: 'the answer was stopped: it grew beyond 256 KiB',
    final: true,
  });
  expect(read(stopped)).toMatchObject({ action: 'exhausted', verdict });
  const kept = keptAfter(whole.replace('## SUGGESTIONS\nNone\n', ''));
  expect(read(stopped, { attempt: 2, kept })).toMatchObject({ action: 'exhausted', verdict });
});

describe('a section that contains only the placeholder of the form is malformed', () => {
  test.each([
    ['the form with its gaps', none.replace('- Short.', '…'), ['STRENGTHS']],
    ['three dots', none.replace('- Short.', '- ...'), ['STRENGTHS']],
    ['a gap of an item', whole.replace('Rounded too early', '<what is wrong, in one sentence>'), ['ISSUES']],
    ['ISSUES with dots', whole.replace(issues, '**…**'), ['ISSUES']],
  ])('%s', (_name, text, sections) => {
    const reading = read(answered(text));
    expect(reading.action).toBe('completing');
    expect(rejectionOf(reading)).toMatchObject({ reason: 'malformed', kept: { wanted: sections } });
  });

  test('dots beside words count as words', () => {
    expect(read(answered(`${none.replace('- Short.', 'Short …')}\n${end}\n`)).action).toBe('settled');
  });
});

describe('X001-5.4 two reviews that disagree never settle', () => {
  test('however often they are sent, the findings of the first one stay', () => {
    const first = read(answered(whole + none));
    expect(rejectionOf(first)).toMatchObject({ reason: 'malformed', kept: { wanted: ['ISSUES'] } });
    const again = read(answered(whole + none), { attempt: 2, kept: rejectionOf(first).kept });
    expect(rejectionOf(again)).toMatchObject({
      reason: 'malformed',
      detail: 'ISSUES: two reviews that disagree',
      kept: { wanted: ['ISSUES'], from: [1] },
    });
    expect(rejectionOf(first).said?.sections.map(({ text }) => text)).toContain(issues);
  });
});

function cutAt(text: string, stopReason: string | null): TurnResult {
  return { kind: 'answered', text, sessionId: 'thread-1', usage: null, stopReason };
}

describe('an answer that was cut at its length limit does not count as whole', () => {
  test.each(['max_tokens', 'max_output_tokens', 'length', 'MAX_TOKENS', 'model_context_window_exceeded'])(
    'where it stopped by %s the last section is asked for again',
    (stopReason) => {
      const reading = read(cutAt(whole, stopReason));
      expect(reading.action).toBe('completing');
      expect(rejectionOf(reading)).toMatchObject({
        reason: 'incomplete',
        detail: 'the answer was cut at its length limit; missing: SUGGESTIONS',
        message: { kind: 'sections', missing: ['SUGGESTIONS'], cut: true },
        kept: { wanted: ['SUGGESTIONS'] },
      });
    },
  );

  test('the section in which it ended is requested again, and its findings are kept', () => {
    const reading = read(cutAt(whole.slice(0, whole.indexOf('## SUGGESTIONS')), 'max_tokens'));
    const { kept, said, message } = rejectionOf(reading);
    expect(message).toEqual({ kind: 'sections', missing: ['ISSUES', 'SUGGESTIONS'], cut: true });
    expect(said?.sections.map(({ name }) => name)).toEqual(['STRENGTHS', 'ISSUES']);
    const rest = read(answered(`## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n\n${end}\n`), { attempt: 2, kept });
    expect(rest.verdict).toMatchObject({ kind: 'settled', mergedFrom: [1, 2] });
  });

  test('a completion that is cut itself is continued', () => {
    const { kept } = rejectionOf(read(cutAt(whole, 'max_tokens')));
    const reading = read(cutAt('## SUGGESTIONS\nNone', 'max_tokens'), { attempt: 2, kept });
    expect(rejectionOf(reading)).toMatchObject({ reason: 'incomplete', kept: { wanted: ['SUGGESTIONS'] } });
  });

  test.each(['end_turn', 'stop', 'tool_use', null])(
    'an answer that stopped because of %s is whole',
    (stopReason) => {
      expect(read(cutAt(whole, stopReason)).action).toBe('settled');
    },
  );
});

describe('R001-16 an answer about something else gets the context again', () => {
  const design =
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nok\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\ngo\n';

  test('X001-11.1,5 another answer tag', () => {
    const reading = read(answered(design));
    expect(reading.action).toBe('recontextualising');
    expect(reading.verdict).toEqual(
      rejected({
        reason: 'irrelevant',
        detail: 'it answers [RESPONSE:DESIGN]',
        score: 0,
        message: { kind: 'context' },
      }),
    );
  });

  test('X001-11.6 never twice in a row for the same reason', () => {
    const first = rejectionOf(read(answered(design)));
    const again = read(answered(design), { attempt: 2, lastIrrelevance: first.detail });
    expect(again.action).toBe('repairing');
    expect(again.verdict).toEqual(
      rejected({
        reason: 'marker_absent',
        detail: 'it answers [RESPONSE:DESIGN], again',
        score: 0,
        message: structure('off_subject'),
      }),
    );
  });

  test('X001-11.6 another reason gets the context again', () => {
    const again = read(answered(design), {
      attempt: 2,
      lastIrrelevance: 'it waits for a task or declines it',
    });
    expect(again.action).toBe('recontextualising');
  });

  test('X001-11.3 an answer that waits for a task', () => {
    expect(rejectionOf(read(answered('How can I help you?')))).toMatchObject({
      reason: 'irrelevant',
      detail: 'it waits for a task or declines it',
    });
  });
});

describe('R001-15.1 a time-out is answered by a strictly shorter request', () => {
  const timeOut: TurnResult = {
    kind: 'timed_out',
    limit: 'idle',
    message: 'silent for 300 s',
    sessionId: null,
  };

  test('a prompt that can be made shorter', () => {
    const long = {
      ...request,
      optional: [{ title: 'History', text: 'x'.repeat(9000), origin: 'foreign' as const }],
    };
    const length = renderRequest(long, measured).text.length;
    const reading = readTurn(ask({ request: long }), timeOut, {
      promptCharacters: length,
      closing: measuringNonce,
    });
    expect(reading.action).toBe('shortening');
    expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, shortening: 1 });
    expect(reading.request?.optional).toEqual([]);
    expect(renderRequest(reading.request ?? long, measured).text.length).toBeLessThan(length);
  });

  test('X001-10.11 otherwise the time-out is final', () => {
    const { guide: _guide, ...unguided } = request;
    const bare = { ...unguided, change: null, optional: [], required: [], checklists: [] };
    const length = renderRequest(bare, measured).text.length;
    const reading = readTurn(ask({ request: bare }), timeOut, {
      promptCharacters: length,
      closing: measuringNonce,
    });
    expect(reading.action).toBe('exhausted');
    expect(reading.request).toBeUndefined();
    expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1 });
    expect(reading.verdict).toEqual(
      rejected({
        reason: 'timed_out',
        detail: 'silent for 300 s (idle limit)',
        cause: 'time',
        final: true,
      }),
    );
  });
});

test('an overloaded agent is waited for as long as it requests', () => {
  const reading = read({ kind: 'overloaded', message: '503', retryAfterMs: 1200, sessionId: null });
  expect(reading.action).toBe('waiting');
  expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, waiting: 1 });
  expect(reading.verdict).toEqual(
    rejected({ reason: 'overloaded', detail: '503', cause: 'overloaded', retryAfterMs: 1200 }),
  );
});

test('a turn that we ended for the sake of another uses no rung', () => {
  const reading = read({ kind: 'cut', message: 'the server was stopped', sessionId: 't', uncounted: true });
  expect(reading.action).toBe('waiting');
  expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1 });
  expect(reading.verdict).toEqual(
    rejected({ reason: 'cut', detail: 'the server was stopped', cause: 'overloaded', uncounted: true }),
  );
});

test('a cut stream uses a rung', () => {
  const reading = read({ kind: 'cut', message: 'closed', sessionId: 't', uncounted: false });
  expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, waiting: 1 });
});

test('a rung that has run out is not counted again', () => {
  const spent = { ...nothingSpent, attempts: 3, repairing: 2 };
  const reading = read(answered('I looked at it.'), { spent });
  expect([reading.action, reading.spent]).toEqual(['exhausted', { ...spent, attempts: 4 }]);
});

test('an agent that cannot run ends the exchange with its remedy', () => {
  const reading = read({ kind: 'unavailable', code: 'auth', message: '401', hint: 'codex login' });
  expect(reading.action).toBe('unavailable');
  expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1 });
  expect(reading.verdict).toEqual(
    rejected({ reason: 'unavailable', detail: '401', cause: 'auth', hint: 'codex login' }),
  );
});

test.each(['time', 'budget'] as const)(
  'a call for which the run had no %s ends the exchange, with the request unchanged',
  (cause) => {
    const optional = [{ title: 'History', text: 'x'.repeat(9000), origin: 'foreign' as const }];
    const long = { ...request, optional };
    const refused = { kind: 'refused', cause, message: 'it is over', made: false } as const;
    expect(
      readTurn(ask({ request: long }), refused, { promptCharacters: 20_000, closing: measuringNonce }),
    ).toEqual({
      verdict: rejected({ reason: 'timed_out', detail: 'it is over', cause, final: true }),
      action: 'exhausted',
      spent: { ...nothingSpent, attempts: 1 },
    });
  },
);

test('an agent that was given up ends the other exchanges the same way, without a call', () => {
  const refused = { kind: 'refused', message: 'nothing came', made: false } as const;
  expect(read({ ...refused, cause: 'silent' })).toMatchObject({
    action: 'exhausted',
    verdict: { cause: 'silent', final: true },
  });
  expect(read({ ...refused, cause: 'unreachable' })).toMatchObject({
    action: 'unavailable',
    verdict: { cause: 'unreachable', final: true },
  });
});

test.each([
  ['first_sign', 'time'],
  ['first_byte', 'silent'],
  ['idle', 'time'],
  ['total', 'time'],
] as const)('the %s limit has the cause %s', (limit, cause) => {
  const turn: TurnResult = { kind: 'timed_out', limit, message: 'nothing', sessionId: null };
  expect(rejectionOf(read(turn))).toMatchObject({ cause, detail: `nothing (${limit} limit)` });
});

test('an agent that reached no server uses the waiting rung, under its own cause', () => {
  const turn = { kind: 'overloaded', message: 'refused', retryAfterMs: null, sessionId: null } as const;
  const reading = read({ ...turn, unreachable: true });
  expect(reading).toMatchObject({
    action: 'waiting',
    verdict: { reason: 'overloaded', cause: 'unreachable' },
  });
});

describe('X001-7.4,5 a reverse request suspends the exchange', () => {
  const asksBack = '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currency is it?\n';

  test('and uses no attempt', () => {
    const reading = read(answered(asksBack));
    expect(reading).toEqual({
      action: 'answering',
      verdict: {
        kind: 'asked_back',
        request: { tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Which currency is it?' },
      },
      spent: { ...nothingSpent, answering: 1 },
    });
  });

  test('also in place of a missing section', () => {
    const { kept } = rejectionOf(read(answered(whole.slice(0, whole.indexOf('## SUGGESTIONS')))));
    expect(read(answered(asksBack), { kept }).action).toBe('answering');
  });

  test('the fourth one is refused', () => {
    const reading = read(answered(asksBack), { spent: { ...nothingSpent, answering: 3 } });
    expect(reading.action).toBe('repairing');
    expect(reading.verdict).toEqual(
      rejected({
        reason: 'marker_absent',
        detail: 'asked back more than 3 times',
        message: structure('asked_too_often'),
      }),
    );
  });
});

describe('an agent that names the time until its next attempt', () => {
  test('is waited for', () => {
    const reading = readOverload(600_000);
    expect([reading.action, rejectionOf(reading).retryAfterMs]).toEqual(['waiting', 600_000]);
  });

  test('is given up if that is longer than ten minutes', () => {
    const reading = readOverload(3_600_000);
    expect([reading.action, rejectionOf(reading).detail]).toEqual([
      'unavailable',
      'busy; it asks to wait 3600 s',
    ]);
  });
});

test('a prompt that is too long for the agent is not repeated after a wait', () => {
  const turn = { kind: 'timed_out', limit: 'context', message: 'too large', sessionId: null } as const;
  expect(rejectionOf(read(turn))).toMatchObject({ reason: 'timed_out', cause: 'context' });
});
