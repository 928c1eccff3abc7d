/** The lead's consults: when it may send one, and the effect of a request that it may not send. */
import { expect, test } from 'vitest';
import { readBlob } from '../../../src/engine/journal/blobs.ts';
import { skillOf, type Stage } from './rehearsed-workflow.ts';
import { allOf, play } from './play-workflow.ts';
import { leads, scriptOf } from './workflow-script.ts';

const ask = '[CONSULT:IMPLEMENTATION]\n\nShall `src/one.js` export by name?\n';
const implementing = { skill: skillOf(['implementation']) };
const asks = (times: number) => leads({ work: 'implement' }, ask, { repeat: times });

test('the lead consults during its work and continues in the same session', async () => {
  const { events, ended } = await play(scriptOf(asks(1)), implementing);
  expect(sentTags(events)).toEqual(['[CONSULT:IMPLEMENTATION]']);
  const sessions = allOf(events, 'session.bound').filter(({ agent }) => agent.role === 'lead');
  expect(sessions.map(({ provider_session_id: session }) => session)).toEqual(['rehearsal', 'rehearsal']);
  expect(ended).toMatchObject({ status: 'success' });
});

test('five consults of a round are sent, the sixth is answered by us', async () => {
  const { events, ended } = await play(scriptOf(asks(6)), implementing);
  expect(sentTags(events)).toHaveLength(5);
  expect(leadTurns(events)).toBe(7);
  expect(ended).toMatchObject({ status: 'success' });
});

test('a lead that keeps asking is stopped', async () => {
  const { events } = await play(
    scriptOf(leads({ work: 'implement' }, ask, { repeat: 'forever' })),
    implementing,
  );
  expect(sentTags(events)).toHaveLength(5);
  expect(leadTurns(events)).toBeLessThan(10);
});

test('the request of another phase is not sent, is answered with the reason, and counts', async () => {
  const wrong = leads({ work: 'implement' }, '[CONSULT:DESIGN]\n\nIs it sound?\n');
  const { events } = await play(scriptOf(wrong, asks(5)), implementing);
  expect(sentTags(events)).toEqual(Array.from({ length: 4 }, () => '[CONSULT:IMPLEMENTATION]'));
});

test('a draft without a request is asked for it, and finally its whole text is sent', async () => {
  const silent = leads({ work: 'draft', phase: 'design' }, 'A design in `src/one.js`.', {
    repeat: 'forever',
  });
  const { events, stage } = await play(scriptOf(silent), { skill: skillOf(['design']) });
  expect(sentTags(events)).toEqual(['[CONSULT:DESIGN]']);
  expect(promptsOf(stage, events)[0]).toContain('A design in `src/one.js`.');
});

test('a tag in a fence or a quote is not a request', async () => {
  const fenced = leads(
    { work: 'implement' },
    'As the protocol says:\n\n```\n[CONSULT:IMPLEMENTATION]\n```\n\n> [CONSULT:DESIGN]\n',
    {
      edits: [{ path: 'src/one.js', content: 'export const one = 1;\n' }],
    },
  );
  const { events, ended } = await play(scriptOf(fenced), implementing);
  expect(sentTags(events)).toEqual([]);
  expect(ended).toMatchObject({ status: 'success' });
});

test('the advisor sees what earlier phases settled', async () => {
  const { events, stage } = await play(scriptOf(), { skill: skillOf(['requirements', 'design']) });
  expect(promptsOf(stage, events)[1]).toContain('It has to be small.');
});

type Events = Parameters<typeof allOf>[0];

function sentTags(events: Events): readonly string[] {
  return allOf(events, 'exchange.sent').map(({ tag }) => tag);
}

function leadTurns(events: Events): number {
  return allOf(events, 'turn.started').filter(({ agent }) => agent.role === 'lead').length;
}

function promptsOf({ runFolder }: Stage, events: Events): readonly string[] {
  return allOf(events, 'exchange.sent').map(({ prompt_ref: ref }) => readBlob(runFolder, ref));
}
