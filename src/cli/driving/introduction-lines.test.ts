import { expect, test } from 'vitest';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import { introductionLines } from './introduction-lines.ts';

const asked = {
  kind: 'consult',
  phase: 'design',
  advisor: { kind: 'unavailable', code: 'auth', message: 'Claude Code is not logged in.', hint: '' },
  lead: null,
  notes: ['settings from collab.config.yaml'],
  estimatedTokens: 7,
  timeLimitMs: 3_600_000,
} as const;

test('the subject, the agent, each remark and the limits are on lines of their own', () => {
  expect(introductionLines(asked)).toEqual([
    'asking about the design',
    '  the advisor cannot run: Claude Code is not logged in',
    '  settings from collab.config.yaml',
    '  about 7 tokens of brief and context; time limit 60 min',
  ]);
});

const rehearsed: AgentIdentity = {
  provider: 'rehearsal',
  displayName: 'Claude Code',
  version: null,
  model: 'rehearsed lead',
  login: null,
  destination: null,
  remarks: ['a rehearsal of demo.yaml, no model answers'],
};

test('what holds for both agents of a pair is said once', () => {
  const lines = introductionLines({
    kind: 'workflow',
    lead: rehearsed,
    advisor: { ...rehearsed, displayName: 'Codex', model: 'rehearsed advisor' },
    fallback: null,
    branch: 'collab/1',
    remark: null,
    apply: true,
    phases: ['design', 'review'],
    notes: [],
    timeLimitMs: 60_000,
  });
  expect(lines).toEqual([
    'design → review',
    '  led by Claude Code (rehearsed lead)',
    '  advised by Codex (rehearsed advisor)',
    '  nothing leaves this machine; a rehearsal of demo.yaml, no model answers',
    '  the work is on the branch collab/1; the result is applied to your own files',
    '  time limit 1 min of work',
  ]);
});
