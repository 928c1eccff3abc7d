/** Inside Claude Code: a command that drives a run gives it a process of its own, follows it, and leaves it if it takes longer. */
import { basename } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { example, test, type Place } from '../place.ts';
import { until } from '../started-command.ts';

const asksBack = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich “currencies” are there?\n' };
const settles = {
  answer:
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\n`Money` is sound — 全部.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep `Money`.\n',
};
const inside = { CLAUDECODE: '1' };
const brief = 'Is `Money` sound?';

describe.concurrent('inside Claude Code', () => {
  test('a run that ends in time prints the same bytes as a direct call, and ends the same way', async ({
    place,
    expect,
  }) => {
    const turns = [asksBack, settles, asksBack, settles];
    const args = consult(place, turns);
    const direct = await withoutIds(place, [
      () => place.collab(args, { input: brief }),
      () => place.collab(['answer', 'latest', '--file', '-'], { input: 'All.' }),
    ]);
    const followed = await withoutIds(place, [
      () => place.collab(args, { input: brief, env: inside }),
      () => place.collab(['answer', 'latest', '--file', '-'], { input: 'All.', env: inside }),
    ]);
    expect(direct.map(({ code }) => code)).toEqual([10, 0]);
    expect(followed).toEqual(direct);
  });

  test('a review does so, too: formats, exit code and progress', async ({ place, expect }) => {
    const rules = ['--advisor', 'static_review', '--lead', 'none'];
    const args = ['review', example('checkout.diff'), ...rules, '--format', 'markdown'];
    const direct = await withoutIds(place, [() => place.collab(args)]);
    const followed = await withoutIds(place, [() => place.collab(args, { env: inside })]);
    expect(followed).toEqual(direct);
    expect(followed.map(({ code }) => code)).toEqual([1]);
    const refused = await place.collab(['review', 'missing.diff'], { env: inside });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
  });

  test('a run that takes longer is left with 11 and the command to call, and ends by itself', async ({
    place,
    expect,
  }) => {
    // Longer than the start of the second command on a busy machine.
    const args = consult(place, [{ ...settles, delay_ms: 8000 }]);
    const left = await place.collab(args, { input: brief, env: { ...inside, COLLAB_FOLLOW: '300ms' } });
    const run = lastRun(place);
    expect(left).toMatchObject({
      code: 11,
      stdout: `${run} is still running; wait again: collab wait ${run} --timeout 9m\n`,
    });
    const early = await place.collab(['wait', run, '--timeout', '50ms'], { env: inside });
    expect(early.code).toBe(11);
    const waited = await place.collab(['wait', run, '--timeout', '2m'], { env: inside });
    expect(waited).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('`Money` is sound — 全部.'),
    });
  });

  test('killing the follower does not stop the run', async ({ place, expect }) => {
    const args = consult(place, [{ ...settles, delay_ms: 1500 }]);
    const started = place.start(args, { input: brief, env: inside });
    await until('a call', () => place.names().includes('calls.log'));
    started.kill('SIGKILL');
    expect(await place.collab(['wait', '--timeout', '2m'])).toMatchObject({ code: 0 });
  });

  test('a wrong limit is one clear line', async ({ place, expect }) => {
    const args = consult(place, [settles]);
    const refused = await place.collab(args, { input: brief, env: { ...inside, COLLAB_FOLLOW: 'long' } });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^collab: COLLAB_FOLLOW needs a duration, not "long"\n/),
    });
    expect(place.runs()).toEqual([]);
  });

  test('a review’s reverse request goes to the caller; with --lead none it is declined', async ({
    place,
    expect,
  }) => {
    const asks = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhat is it for?\n' };
    const clean = {
      answer:
        '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- `total` is clear\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n',
    };
    place.write('script.yaml', stringify({ turns: [asks, clean, asks, clean] }));
    const review = ['review', example('harmless.diff'), '--no-cache', '--advisor', 'rehearsal:script.yaml'];
    const asked = await place.collab(review, { env: inside });
    expect(asked).toMatchObject({ code: 10, stdout: expect.stringContaining('What is it for?') });
    const answered = await place.collab(['answer', 'latest', '--file', '-'], {
      input: 'A shop.',
      env: inside,
    });
    expect(answered.code).toBe(0);
    const declined = await place.collab([...review, '--lead', 'none'], { env: inside });
    expect(declined).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('declined: no lead takes part in this run'),
    });
    const outside = await place.collab([...review, '--lead', 'caller']);
    expect(outside.code).toBe(10);
  });
});

/** Arguments of a consult whose advisor plays `turns`. */
function consult(place: Place, turns: readonly object[]): readonly string[] {
  place.write('script.yaml', stringify({ agent: { name: 'Codex' }, call_log: 'calls.log', turns }));
  return ['consult', 'design', '--file', '-', '--advisor', 'rehearsal:script.yaml'];
}

function lastRun(place: Place): string {
  return basename(place.lastRun());
}

/** Runs one command after the other; run ids and times, which differ, are replaced. */
async function withoutIds(
  place: Place,
  commands: readonly (() => ReturnType<Place['collab']>)[],
): Promise<readonly { code: number | null; stdout: string; stderr: string }[]> {
  const results = [];
  for (const command of commands) {
    const { code, stdout, stderr } = await command();
    const run = lastRun(place);
    const plain = (text: string) => text.replaceAll(run, '<run>').replaceAll(/\d+(\.\d+)? s\b/g, '<time>');
    results.push({ code, stdout: plain(stdout), stderr: plain(stderr) });
  }
  return results;
}
