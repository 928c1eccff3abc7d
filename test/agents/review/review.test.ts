/** The whole product on the real Codex: a diff in, an honest outcome out, and nothing is left behind. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inOrder, type Script } from '../../upstream/steps.ts';
import {
  answer,
  change,
  fakeBlock,
  issues,
  strengths,
  suggestions,
  wholeAnswer,
} from '../../fixtures/review-answers.ts';
import { createReviewWorld, type ReviewWorld, type WorkFolder } from './review-user.ts';

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

test('a whole answer becomes a finding on the computed line, from one request', async () => {
  const { ended, folder, sent } = await reviewed(inOrder({ text: wholeAnswer }));
  expect(ended).toMatchObject({ code: 1, signal: null });
  expect(sent).toHaveLength(1);
  expect(oneFinding(folder)).toEqual({
    outcome: 'findings',
    findings: [{ severity: 'critical', path: 'src/total.ts', start_line: 4, placement: 'exact' }],
    attempts: [[undefined]],
  });
  expect(ended.stdout).toContain('src/total.ts:4');
});

test('R001-13 X001-1.5 an answer without a marker is asked for again in the same thread, and the cause is named', async () => {
  const fenced = `\`\`\`markdown\n${wholeAnswer}\`\`\`\n`;
  const { ended, folder, sent } = await reviewed(inOrder({ text: fenced }, { text: wholeAnswer }));
  expect(ended.code).toBe(1);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.lastInput).toContain(
    'had no marker line `[RESPONSE:REVIEW]` that counts. You put it into a code fence.',
  );
  expect(sent[1]?.text).toContain(JSON.stringify(fenced).slice(1, -1));
  expect(sessionsOf(folder)).toHaveLength(1);
  expect(oneFinding(folder)).toMatchObject({ outcome: 'findings', attempts: [['marker_absent', undefined]] });
});

test('R001-14 X001-15 a missing section is asked for alone, and the first ones are kept byte for byte', async () => {
  const { ended, folder, sent } = await reviewed(
    inOrder({ text: answer(strengths, issues) }, { text: answer(suggestions) }),
  );
  expect(ended.code).toBe(1);
  expect(sent).toHaveLength(2);
  const second = sent[1]?.lastInput ?? '';
  expect(second).toContain('## SUGGESTIONS');
  expect(second).not.toContain('## STRENGTHS');
  expect(second).not.toContain('## ISSUES');
  const received = folder.events().find((event) => event.type === 'exchange.received');
  expect(received).toMatchObject({ merged_from: [1, 2] });
  const kept = received?.type === 'exchange.received' ? received.sections : {};
  expect(strengths).toContain(kept['STRENGTHS']?.trim());
  expect(issues).toContain(kept['ISSUES']?.trim());
  expect(kept['STRENGTHS']).toContain('Indented  twice, and a tab:\t.');
  expect(oneFinding(folder)).toMatchObject({ outcome: 'findings', attempts: [['incomplete', undefined]] });
  expect(folder.result().suggestions).toEqual(['Name the currency.']);
});

test('a second review of the same change sends the model nothing', async () => {
  const { ended, folder, sent } = await reviewed(inOrder({ text: wholeAnswer }));
  expect(sent).toHaveLength(1);
  const before = review.upstream.requests.length;
  const again = await folder.run('review', 'change.diff');
  expect(review.upstream.requests.slice(before)).toEqual([]);
  expect(again.code).toBe(ended.code);
  expect(again.stdout).toContain('src/total.ts:4');
  expect(again.stdout).toContain('1 of 1 exchange answered from the cache');
  review.upstream.play(inOrder({ text: wholeAnswer }));
  expect((await folder.run('review', 'change.diff', '--no-cache')).code).toBe(ended.code);
  expect(review.upstream.requests.slice(before)).toHaveLength(1);
});

const quoted = fakeBlock.replaceAll(/^/gm, '> ');
const fakes = [
  ['in a fence', `\`\`\`\n${fakeBlock}\n\`\`\``, 'You put it into a code fence.'],
  ['in a quote', quoted, 'You put it into a quote.'],
  ['in a list', `- the note says\n\n${fakeBlock.replaceAll(/^/gm, '  ')}`, 'You put it into a list.'],
  ['lazily continued', `> The note says:\n${fakeBlock}`, 'It continued a quote or list item'],
  ['in <details>', `<details>\n\n${fakeBlock}\n\n</details>`, 'You put it inside <details>.'],
] as const;

test.each(fakes)(
  'X001-14.1 the fake block of the change, repeated %s, never counts beside the real one',
  async (_name, fake) => {
    const text = `The change holds a review of its own:\n\n${fake}\n\nMine is this.\n\n${wholeAnswer}\nOnce more, what the change holds:\n\n${fake}\n`;
    const { ended, folder, sent } = await reviewed(inOrder({ text }));
    expect(sent).toHaveLength(1);
    expect(oneFinding(folder)).toMatchObject({
      outcome: 'findings',
      findings: [{ severity: 'critical', path: 'src/total.ts', start_line: 4 }],
    });
    expect(ended.code).toBe(1);
  },
);

test.each(fakes)(
  'an answer that contains only the fake block, %s, has no marker and is repaired',
  async (_name, fake, cause) => {
    const { ended, folder, sent } = await reviewed(
      inOrder({ text: `I read the change.\n\n${fake}\n` }, { text: wholeAnswer }),
    );
    expect(sent).toHaveLength(2);
    expect(sent[1]?.lastInput).toContain(cause);
    expect(oneFinding(folder)).toMatchObject({
      outcome: 'findings',
      attempts: [['marker_absent', undefined]],
    });
    expect(ended.code).toBe(1);
  },
);

test('X001-9.1,4,5 an advisor that never gets the marker right is given up, and the review is incomplete', async () => {
  const { ended, folder, sent } = await reviewed(inOrder({ text: `\`\`\`\n${fakeBlock}\n\`\`\`\n` }));
  expect(sent).toHaveLength(3);
  expect(ended.code).toBe(3);
  expect(oneFinding(folder)).toEqual({
    outcome: 'incomplete',
    findings: [],
    attempts: [['marker_absent', 'marker_absent', 'marker_absent']],
  });
  expect(ended.stdout).toContain('incomplete');
});

test('X001-7.4 a reverse request is declined with a reason, and the exchange ends whole', async () => {
  const asksBack = '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currency are the prices in?\n';
  const { ended, folder, sent } = await reviewed(inOrder({ text: asksBack }, { text: wholeAnswer }));
  expect(sent).toHaveLength(2);
  expect(sent[1]?.lastInput).toContain('[RESPONSE:CLAUDE:CONTEXT]');
  expect(sent[1]?.lastInput).toContain('Declined: `no lead takes part in this run');
  expect(exchangeEvents(folder)).toEqual([
    'exchange.sent',
    'exchange.asked_back',
    'exchange.answered_back',
    'exchange.received',
    'exchange.ended',
  ]);
  expect(sessionsOf(folder)).toHaveLength(1);
  expect(oneFinding(folder)).toMatchObject({ outcome: 'findings' });
  expect(ended.code).toBe(1);
});

async function reviewed(script: Script) {
  review.upstream.play(script);
  const before = review.upstream.requests.length;
  const folder = review.folder();
  folder.write('change.diff', change);
  const ended = await folder.run('review', 'change.diff');
  return { ended, folder, sent: review.upstream.requests.slice(before) };
}

/** The essence of the result. */
function oneFinding(folder: WorkFolder) {
  const { outcome, findings, exchanges } = folder.result();
  return {
    outcome,
    findings: findings.map(({ severity, path, start_line, placement }) => ({
      severity,
      path,
      start_line,
      placement,
    })),
    attempts: exchanges.map(({ attempts }) => attempts.map(({ rejected }) => rejected)),
  };
}

function sessionsOf(folder: WorkFolder): readonly string[] {
  const sessions = folder
    .events()
    .flatMap((event) => (event.type === 'step.bound' ? [event.session_id] : []));
  return [...new Set(sessions)];
}

function exchangeEvents(folder: WorkFolder): readonly string[] {
  return folder.events().flatMap(({ type }) => (type.startsWith('exchange.') ? [type] : []));
}
