import { expect, test } from 'vitest';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { Introduction, ReviewIntroduction, WorkflowIntroduction } from '../../runs/introduction.ts';
import { atTerminal, sessionIn } from '../command.test-helper.ts';
import { printIntroduction } from './introduction-block.ts';
import { introductionFacts } from './introduction-facts.ts';
import { introductionLines } from './introduction-lines.ts';

const codex: AgentIdentity = {
  provider: 'codex',
  displayName: 'Codex',
  version: '0.169.0',
  model: 'gpt-5.5',
  login: 'ChatGPT login',
  destination: 'chatgpt.com',
  remarks: ['no repository access'],
};
const missing = { kind: 'unavailable', code: 'auth', message: 'Not logged in.', hint: '' } as const;

// oxlint-disable-next-line no-unsafe-type-assertion -- the part of a change that is introduced
const counted = { brief: { subject: 'main..HEAD' } } as unknown as ReviewIntroduction['counted'];
const review: ReviewIntroduction = {
  kind: 'review',
  advisor: codex,
  counted,
  fallback: null,
  secondOpinion: null,
  notes: ['settings from collab.config.yaml'],
  estimatedTokens: 1204,
  timeLimitMs: 60_000,
};
const workflow: WorkflowIntroduction = {
  kind: 'workflow',
  lead: null,
  advisor: codex,
  fallback: null,
  branch: null,
  remark: null,
  apply: false,
  phases: ['design'],
  notes: [],
  timeLimitMs: 60_000,
};

test('a review says who reviews, what is sent, and its size', () => {
  expect(introductionLines(review)).toEqual([
    'reviewing main..HEAD',
    '  by Codex 0.169.0 (gpt-5.5), ChatGPT login; sent to chatgpt.com; no repository access',
    '  settings from collab.config.yaml',
    '  about 1,204 tokens of diff; time limit 1 min',
  ]);
});

test('a review says why no model reviews, and who checks its findings', () => {
  const lines = introductionLines({
    ...review,
    fallback: 'no login',
    secondOpinion: 'checked by Claude Code',
  });
  expect(lines.slice(2, 4)).toEqual([
    '  no model: no login; checked by Claude Code',
    '  settings from collab.config.yaml',
  ]);
  expect(introductionFacts({ ...review, fallback: 'no login', notes: [] }).groups.slice(1)).toEqual([
    [{ label: 'by', text: 'no model: no login', inLine: 'no model: no login' }],
    [
      { label: 'size', text: 'about 1,204 tokens of diff', inLine: 'about 1,204 tokens of diff' },
      { label: 'limit', text: '1 min', inLine: 'time limit 1 min' },
    ],
  ]);
  const checked = introductionFacts({ ...review, secondOpinion: 'none', notes: [] });
  expect(checked.groups[1]).toEqual([{ label: 'check', text: 'none', inLine: 'none' }]);
});

test('a review of nothing says only that', () => {
  const text = 'no reviewable lines, so no agent is called';
  expect(introductionFacts({ ...review, advisor: null })).toEqual({
    title: 'reviewing main..HEAD',
    groups: [[{ label: 'by', text, inLine: text }]],
  });
});

test('a review whose advisor cannot run says why', () => {
  expect(introductionLines({ ...review, advisor: { ...missing, message: 'No. Not' } })[1]).toBe(
    '  the advisor cannot run: No. Not',
  );
});

test.each([
  ['user', 'its questions: you answer'],
  ['caller', 'its questions: the caller answers'],
  ['claude_code', 'its questions: claude_code answers'],
])('a consult says who answers its questions: %s', (lead, text) => {
  const { title, groups } = introductionFacts({
    kind: 'consult',
    phase: 'design',
    advisor: codex,
    lead,
    notes: ['a note'],
    estimatedTokens: 1,
    timeLimitMs: 60_000,
  });
  expect([title, ...groups.slice(1)]).toEqual([
    'asking about the design',
    [{ label: 'note', text: 'a note', inLine: 'a note' }],
    [
      { label: 'check', text, inLine: text },
      {
        label: 'size',
        text: 'about 1 token of brief and context',
        inLine: 'about 1 token of brief and context',
      },
      { label: 'limit', text: '1 min', inLine: 'time limit 1 min' },
    ],
  ]);
});

test('a run of phases says who leads and advises, and where the work is', () => {
  expect(introductionLines({ ...workflow, fallback: 'no login', notes: ['a note'] })).toEqual([
    'design',
    '  led by the caller',
    '  advised by Codex 0.169.0 (gpt-5.5), ChatGPT login; sent to chatgpt.com; no repository access',
    '  no model: no login',
    '  no git here: the work is in a copy; your own files do not change',
    '  a note',
    '  time limit 1 min of work',
  ]);
  const bare = { ...codex, displayName: 'Bare', version: null, model: null, login: null, remarks: [] };
  expect(
    introductionLines({ ...workflow, lead: bare, branch: 'b', remark: 'without a.js', apply: true }),
  ).toEqual([
    'design',
    '  led by Bare',
    '  advised by Codex 0.169.0 (gpt-5.5), ChatGPT login; no repository access',
    '  sent to chatgpt.com',
    '  the work is on the branch b; without a.js; the result is applied to your own files',
    '  time limit 1 min of work',
  ]);
});

test('agents that cannot run are named with the reason of each', () => {
  const none = introductionFacts({
    ...workflow,
    lead: missing,
    advisor: { ...missing, message: 'Not installed.' },
  });
  expect(none.groups.slice(0, 2)).toEqual([
    [
      {
        label: 'lead',
        text: 'no one: the lead cannot run: Not logged in',
        inLine: 'led by no one: the lead cannot run: Not logged in',
      },
    ],
    [
      {
        label: 'advisor',
        text: 'no one: the advisor cannot run: Not installed',
        inLine: 'advised by no one: the advisor cannot run: Not installed',
      },
    ],
  ]);
});

test('a terminal gets a title in bold, dim labels, and an empty line at the end', () => {
  const facts: Introduction = { ...review, advisor: null };
  const { session, printed } = sessionIn(
    { root: '/', env: {} },
    { screen: { ...atTerminal, columns: 40, color: { out: false, err: true } } },
  );
  printIntroduction(session, facts);
  expect(printed()).toEqual({
    out: '',
    err: '\u001b[1mreviewing\u001b[22m\u001b[1m \u001b[22m\u001b[1mmain..HEAD\u001b[22m\n  \u001b[2mby\u001b[22m  no reviewable lines, so no agent\n      is called\n\n',
  });
  const plain = sessionIn({ root: '/', env: {} });
  printIntroduction(plain.session, facts);
  expect(plain.printed().err).toBe(
    'reviewing main..HEAD\n  by  no reviewable lines, so no agent is called\n\n',
  );
});
