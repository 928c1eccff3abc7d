/** `collab mcp` as a host meets it: both generations of the protocol, a whole story, questions, kills, bad calls. */
import { stringify } from 'yaml';
import { z } from 'zod';
import { change, verdict, wholeAnswer } from '../../fixtures/review-answers.ts';
import { project } from '../run-project.ts';
import { test } from '../place.ts';
import { faulty, lines, undecided } from './faulty-project.ts';
import { generations, headOf, openHost } from './host.ts';

for (const generation of generations) {
  test(`a host of ${generation} reviews, reads the findings, fixes one, and the person applies it`, async ({
    place,
    expect,
  }) => {
    const { lead, advisor } = faulty(place);
    const asked: string[] = [];
    const person = (message: string): string => {
      asked.push(message);
      return 'apply';
    };
    const host = await openHost(place, { generation, person });
    try {
      const { tools } = await host.client.listTools();
      expect(tools.map(({ name }) => name).toSorted()).toEqual([
        'answer',
        'cancel',
        'consult',
        'findings',
        'fix',
        'review',
        'run',
        'status',
      ]);
      const reviewed = await host.call('review', { advisor, effort: 'quick' });
      expect(reviewed.head).toMatchObject({ state: 'ended', outcome: 'findings' });
      expect(reviewed.text).toContain('line 1');

      const found = await host.call('findings', { run: reviewed.head['run'] });
      const run = found.head['run'] ?? '';
      expect(found.head).toEqual({ run, outcome: 'findings' });
      expect(found.text).toMatch(/line 1[^]*line 2/);
      const resource = await host.client.readResource({ uri: `collab://runs/${run}/result` });
      expect(JSON.parse(String(Object(resource.contents[0]).text))).toMatchObject({
        run_id: run,
        outcome: 'findings',
      });

      const gate = await host.call('fix', { run, findings: ['1', '2'], lead, advisor });
      expect(gate.head).toMatchObject({ state: 'waiting', question: 'gate' });
      expect(place.read('src/one.js')).toContain('one = 0');
      expect(asked).toEqual([]);
      const ended = await host.call('answer', { run: gate.head['run'], answer: 'no' });
      expect(ended.head).toMatchObject({ state: 'ended' });
      expect(asked).toHaveLength(1);
      expect(asked[0]).toContain('+export const one = 1;');
      expect(place.read('src/one.js')).toBe(`export const one = 1;\n${lines[1]}\n`);
    } finally {
      await host.close();
    }
  }, 240_000);

  test(`the agent of a host of ${generation} answers a question, but opens no gate`, async ({
    place,
    expect,
  }) => {
    const { lead, advisor } = faulty(place);
    const host = await openHost(place, { generation });
    const refusing = await openHost(place, { generation, person: () => null });
    try {
      const waiting = await host.call('review', undecided(place));
      expect(waiting.head).toMatchObject({ state: 'waiting', question: 'lead_turn' });
      const bad = await host.refusal('answer', { run: waiting.head['run'], answer: '' });
      expect(bad).toBe('the answer is empty');
      const opinion = { run: waiting.head['run'], answer: verdict('confirm', 'None', 'F1') };
      expect((await host.call('answer', opinion)).head).toMatchObject({ state: 'ended' });

      const { head: found } = await host.call('review', { advisor, effort: 'quick' });
      const { head: gate } = await host.call('fix', { run: found['run'], findings: ['1'], lead, advisor });
      for (const [caller, why] of [
        [host, 'this host cannot ask the person'],
        [refusing, 'the person has not decided'],
      ] as const) {
        const refused = await caller.refusal('answer', { run: gate['run'], answer: 'apply' });
        expect(refused).toContain(why);
        expect(refused).toContain(`collab answer ${gate['run']} --file -`);
      }
      expect(place.read('src/one.js')).toContain('one = 0');
      expect((await host.call('status', { run: gate['run'] })).head).toMatchObject({ state: 'waiting' });
      expect((await host.call('cancel', { run: gate['run'] })).head).toMatchObject({ state: 'ended' });
    } finally {
      await host.close();
      await refusing.close();
    }
  }, 240_000);
}

test('a server that is killed loses nothing: another host finds the run and goes on', async ({
  place,
  expect,
}) => {
  place.write('change.diff', change);
  const turns = [{ repeat: 'forever', answer: wholeAnswer, delay_ms: 1500 }];
  place.write('script.yaml', stringify({ turns }));
  const flags = { change: 'change.diff', advisor: 'rehearsal:script.yaml', effort: 'quick', wait_seconds: 0 };
  const first = await openHost(place);
  const started = await first.client.callTool({ name: 'review', arguments: flags });
  const [begun] = z.array(z.looseObject({ text: z.string() })).parse(started.content);
  const { run, state } = headOf(begun?.text ?? '');
  expect(state).toBe('running');
  process.kill(first.pid, 'SIGKILL');
  await first.close();

  const second = await openHost(place, { generation: '2025' });
  try {
    expect((await second.call('status')).head).toMatchObject({ run, state: 'ended', outcome: 'findings' });
  } finally {
    await second.close();
  }
}, 120_000);

test('a wrong call gets one clear answer and starts nothing', async ({ place, expect }) => {
  project(place);
  const host = await openHost(place);
  try {
    expect(await host.refusal('status', { run: 'nowhere' })).toMatch(/^There is no run in /);
    expect(await host.refusal('findings')).toMatch(/^There is no run in /);
    expect(await host.refusal('review', { change: 'no-such-file.diff' })).toMatch(/no-such-file\.diff/);
    expect(await host.refusal('review', { advisor: 'unknown' })).toContain('there is no provider "unknown"');
    expect(await host.refusal('run', { task: ' ', lead: 'rehearsal:x.yaml' })).not.toMatch(/\n\s+at /);
    for (const args of [{ wait_seconds: 21 }, { effort: 'huge' }, { paths: 'src' }]) {
      const refused = host.client.callTool({ name: 'review', arguments: args });
      await expect(
        refused.then(({ isError }) => (isError === true ? Promise.reject(new Error()) : null)),
      ).rejects.toThrow();
    }
    expect(place.runs()).toEqual([]);
  } finally {
    await host.close();
  }
}, 120_000);

test('words of the change and the advisor reach the host without control characters', async ({
  place,
  expect,
}) => {
  place.write('change.diff', change);
  const hostile = wholeAnswer.replace('None', '\u001B[2Jclear\u202E');
  place.write('script.yaml', stringify({ turns: [{ repeat: 'forever', answer: hostile }] }));
  const host = await openHost(place);
  try {
    const { text } = await host.call('review', {
      change: 'change.diff',
      advisor: 'rehearsal:script.yaml',
      effort: 'quick',
    });
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u001B\u202E]/u);
  } finally {
    await host.close();
  }
}, 120_000);
