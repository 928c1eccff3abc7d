import { expect, test } from 'vitest';
import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import { howToInstallClaude } from '../../providers/claude_code/package-of-claude.ts';
import { closingWords } from './demo-words.ts';

test('repeated requests, answered questions and findings are listed in order, then what to install', () => {
  const words = closingWords('run-1', [
    event({ type: 'exchange.rejected', reason: 'marker_absent', detail: 'code fence', action: 'repairing' }),
    event({ type: 'exchange.answered_back', by: 'lead', text: 'cents' }),
    event({
      type: 'exchange.rejected',
      reason: 'incomplete',
      detail: 'missing: RISKS\u001B[2J',
      action: 'completing',
    }),
    event({ type: 'phase.ended', phase: 'design', round: 1, result: 'settled' }),
    event({ type: 'phase.ended', phase: 'review', round: 1, result: '1 critical finding' }),
    event({ type: 'exchange.answered_back', by: 'policy', declined: 'no lead', text: '' }),
  ]);
  expect(words.split('\n').filter((line) => line.startsWith('  - '))).toEqual([
    '  - an answer was rejected (code fence): requested again, with the cause',
    '  - the advisor asked a question, and the lead answered',
    expect.stringContaining('only these sections were requested again'),
    '  - review 1: 1 critical finding',
    '  - the advisor asked a question, and got no answer: no lead',
  ]);
  expect(words).not.toContain('\u001B');
  expect(words).toContain('npm install --global @openai/codex');
  expect(words).toContain('collab show run-1');
});

test('a run without any of these is described without them', () => {
  expect(closingWords('run-1', [])).not.toContain('On the way');
});

test.each([
  ['repairing', 'requested again, with the cause'],
  ['completing', 'only these sections were requested again; the others are unchanged'],
  ['recontextualising', 'requested again, with the context'],
  ['shortening', 'requested again, with a shorter prompt'],
  ['waiting', 'requested again after a pause'],
  ['exhausted', 'the exchange ended there'],
] as const)('an answer that is rejected: %s', (action, next) => {
  const words = closingWords('run-1', [
    event({ type: 'exchange.rejected', reason: 'incomplete', detail: 'cut', action }),
  ]);
  expect(words).toContain(
    `\nOn the way:\n\n  - an answer was rejected (cut): ${next}\n\n  collab show run-1 `,
  );
});

test('the commands for the real thing are in a column', () => {
  expect(closingWords('run-1', [])).toBe(`
That was a rehearsal: both agents read from a script, and nothing left this machine.

  collab show run-1             shows the result; --events prints every step
  collab check run-1            proves that its journal keeps the laws

For the real thing:

${[
  [howToInstallClaude().command, 'the lead; then: claude, and /login'],
  ['npm install --global @openai/codex', 'the advisor; then: codex login'],
  ['collab doctor', 'what is still missing'],
  ['collab run "<task>"', 'in your own repository'],
]
  .map(([command, what]) => `  ${command?.padEnd(56)}  ${what}\n`)
  .join('')}`);
});

function event(body: EventBody): CollabEvent {
  return journalRecord(body, { agent: { id: 'lead', role: 'lead', provider: 'rehearsal' } });
}
