/** Consults that are killed, and many at the same time: nothing is paid twice, and none affects another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { test, type Place } from '../place.ts';
import { until } from '../started-command.ts';

const asksBack = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n' };
const settles = {
  answer:
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\n`Money` is sound.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep it.\n',
};
const brief = 'Is `Money` sound?';

describe.concurrent('a consult', () => {
  test('killed in its first call continues there: reverse request, answer, settled', async ({
    place,
    expect,
  }) => {
    const started = place.start(consult(place, [{ ...asksBack, delay_ms: 60_000 }]), { input: brief });
    await until('a call', () => calls(place).length === 1);
    started.kill('SIGKILL');
    await started.ended;
    expect((await place.collab(['status'])).stdout).toMatch(/ state +interrupted\n/);
    consult(place, [asksBack, settles]);
    expect(await place.collab(['resume'])).toMatchObject({
      code: 10,
      stdout: expect.stringContaining('Which currencies are there?'),
    });
    expect(await answer(place)).toMatchObject({ code: 0 });
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
    expect(calls(place)).toEqual(['ex_consult/1/1', 'ex_consult/1/2', 'ex_consult/2/1']);
  });

  test('killed while its answer arrives keeps the answer, and pays for no finished call again', async ({
    place,
    expect,
  }) => {
    await place.collab(consult(place, [asksBack, { ...settles, delay_ms: 60_000 }]), { input: brief });
    const started = place.start(['answer', 'latest', '--file', '-'], { input: 'All of them.' });
    await until('the second call', () => calls(place).length === 2);
    started.kill('SIGKILL');
    await started.ended;
    expect(await answer(place)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has no question: it is interrupted\n.*collab status/),
    });
    consult(place, [asksBack, settles]);
    expect(await place.collab(['resume'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('`Money` is sound.'),
    });
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
    expect(calls(place)).toEqual(['ex_consult/1/1', 'ex_consult/2/1', 'ex_consult/2/2']);
  });

  test('interrupted by Ctrl-C or SIGTERM ends with 130 or 143, and can continue', async ({
    place,
    expect,
  }) => {
    const args = consult(place, [{ ...settles, delay_ms: 60_000 }]);
    const codes = [];
    for (const [number, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
      const started = place.start(number === 0 ? args : ['resume'], { input: number === 0 ? brief : '' });
      await until('a call', () => calls(place).length === number + 1);
      started.kill(signal);
      codes.push((await started.ended).code);
    }
    expect(codes).toEqual([130, 143]);
    consult(place, [settles]);
    expect(await place.collab(['resume'])).toMatchObject({ code: 0 });
  });

  test('does not affect nine others in one folder', async ({ place, expect }) => {
    const args = consult(place, [asksBack, settles]);
    const begun = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        place.collab([...args, '--detach'], { input: `${brief} Number ${index}.` }),
      ),
    );
    expect(begun.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 0));
    const runs = begun.map(({ stdout }) => z.object({ run: z.string() }).parse(JSON.parse(stdout)).run);
    expect(new Set(runs).size).toBe(10);
    for (const run of runs) {
      expect(await place.collab(['wait', run, '--timeout', '2m'])).toMatchObject({ code: 10 });
    }
    const answered = await Promise.all(
      runs.map((run, index) => place.collab(['answer', run, '--file', '-'], { input: `Answer ${index}.` })),
    );
    expect(answered.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 0));
    const told = runs.map((run) =>
      z
        .object({ outcome: z.string(), asked_back: z.array(z.object({ answer: z.string() })) })
        .parse(JSON.parse(readFileSync(join(place.folder, '.collab/runs', run, 'result.json'), 'utf8'))),
    );
    expect(told).toEqual(
      runs.map((_, index) => ({
        outcome: 'settled',
        asked_back: [{ answer: `## CONTEXT\n\nAnswer ${index}.` }],
      })),
    );
    expect((await place.collab(['runs'])).stdout.trim().split('\n')).toHaveLength(11);
  });
});

/** Arguments of a consult whose advisor plays `turns`. */
function consult(place: Place, turns: readonly object[]): readonly string[] {
  place.write('script.yaml', stringify({ agent: { name: 'Codex' }, call_log: 'calls.log', turns }));
  return ['consult', 'design', '--file', '-', '--advisor', 'rehearsal:script.yaml'];
}

function answer(place: Place) {
  return place.collab(['answer', 'latest', '--file', '-'], { input: 'All of them.' });
}

/** The calls that were begun, in order. */
function calls(place: Place): readonly string[] {
  if (!place.names().includes('calls.log')) return [];
  return [...place.read('calls.log').matchAll(/^begin (.+)$/gm)].map(([, call = '']) => call);
}
