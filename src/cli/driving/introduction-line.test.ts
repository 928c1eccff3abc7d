import { expect, test } from 'vitest';
import { introductionLine } from './introduction-line.ts';

test('the reason why the advisor cannot run is part of the line, without a full stop in its middle', () => {
  const advisor = {
    kind: 'unavailable',
    code: 'auth',
    message: 'Claude Code is not logged in.',
    hint: '',
  } as const;
  const line = introductionLine({
    kind: 'consult',
    phase: 'design',
    advisor,
    lead: null,
    notes: [],
    estimatedTokens: 7,
    timeLimitMs: 3_600_000,
  });
  expect(line).toBe(
    'asking about the design; the advisor cannot run: Claude Code is not logged in; about 7 tokens of brief and context; time limit 60 min',
  );
});
