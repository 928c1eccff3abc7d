/** The real Claude Code as the lead, whose scripted model calls for a sub-agent of its own, which no turn offers. */
import { expect, test } from 'vitest';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import { advisor, byWords, leadRows, type Row } from './pair-scripts.ts';
import { startPairWorld } from './pair-user.ts';

const world = await startPairWorld();

const explores: Row<MessagesStep> = [
  'Phase: requirements.',
  {
    text: 'I let another look.',
    tools: [
      {
        name: 'Task',
        input: { subagent_type: 'Explore', description: 'look around', prompt: 'Find the rate.' },
      },
    ],
  },
];
const isRefused: Row<MessagesStep> = [
  'No such tool available',
  { text: '[CONSULT:REQUIREMENTS]\nTotals with tax.' },
];

test('XB-4 a sub-agent that the lead calls for is refused: it starts and ends inside the turn, and the run goes on', async () => {
  const folder = world.repository();
  world.claude.play(byWords([isRefused, explores, ...leadRows]));
  world.codex.play(advisor);
  const ended = await folder.pair(
    'run',
    'Totals with tax',
    '--lead',
    'claude_code',
    '--yes',
    '--phases',
    'requirements',
  );
  expect(ended).toMatchObject({ code: 0 });
  const events = folder.events();
  const started = events.findIndex(({ type }) => type === 'agent.started');
  const turnEnd = events.findIndex(({ type }, index) => type === 'turn.ended' && index > started);
  const during = events.slice(started, turnEnd + 1);
  const id = during.flatMap((event) => (event.type === 'agent.started' ? [event.agent_id] : []));
  expect(during.filter(({ type }) => type.startsWith('agent.'))).toMatchObject([
    { type: 'agent.started', agent_id: id[0], agent_type: 'Explore', description: 'look around' },
    { type: 'agent.ended', agent_id: id[0], status: 'error' },
  ]);
  expect(events.filter(({ type }) => type.startsWith('agent.'))).toHaveLength(2);
});
