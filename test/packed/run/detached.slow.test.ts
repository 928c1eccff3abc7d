/** Runs in a process of their own: their status while they run, how they are awaited, and how they are ended. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { z } from 'zod';
import { example, test, type Place } from '../place.ts';
import { until } from '../started-command.ts';

describe.concurrent('detached', () => {
  test('a run is announced by one JSON line, awaited, and ends with its own exit code', async ({
    place,
    expect,
  }) => {
    const flags = ['--advisor', 'static_review', '--report', 'json=result.json', '--detach'];
    const begun = await place.collab(['review', example('checkout.diff'), ...flags]);
    const [run = ''] = place.runs().map((path) => path.split('/').at(-1));
    expect(begun).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ run, next: `collab wait ${run} --timeout 9m` })}\n`,
      stderr: '',
    });
    const waited = await place.collab(['wait', run, '--timeout', '2m']);
    expect(waited.code).toBe(1);
    const shown = await place.collab(['show', run]);
    expect(shown.stdout).toBe(waited.stdout);
    expect(resultIn(place)).toEqual({ state: 'ended', outcome: 'findings', exit_code: 1 });
  });

  test('while it runs every command says so, and no other process drives or removes it', async ({
    place,
    expect,
  }) => {
    const run = await hanging(place);
    expect(resultIn(place)).toEqual({ state: 'running', outcome: 'failed', exit_code: 4 });
    expect(place.read('review.md')).toMatch(
      /^<!-- collab:review -->\n\n# Code review: not finished \(running\) — no findings so far\n/,
    );
    const [runs, status, json, show, check, prompt, gate, clean, resume] = await Promise.all([
      place.collab(['runs']),
      place.collab(['status']),
      place.collab(['status', '--json']),
      place.collab(['show']),
      place.collab(['check']),
      place.collab(['show', '--prompt', '1']),
      place.collab(['gate', 'result.json']),
      place.collab(['clean', '--all']),
      place.collab(['resume']),
    ]);
    expect(runs.stdout).toMatch(
      new RegExp(`\\n${run} +running +- .* review: diff file checkout.diff \\(rehearsal`),
    );
    expect(status.stdout).toMatch(new RegExp(`^${run}\\n +state +running\\n`));
    expect(status.stdout).toMatch(new RegExp(` next +wait for it: collab wait ${run} --timeout 9m\\n$`));
    expect(JSON.parse(json.stdout)).toMatchObject({ run, state: 'running', outcome: null });
    expect(show).toMatchObject({ code: 11, stdout: '' });
    expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(/, 0 violations\n$/) });
    expect(prompt.stdout).toContain('[REQUEST:REVIEW]');
    expect(gate).toMatchObject({ code: 4, stdout: 'refused: the review has not ended (running)\n' });
    // Files that one of the commands keeps for a moment may go.
    expect(clean).toMatchObject({ code: 0, stdout: expect.not.stringContaining(run) });
    expect(resume).toMatchObject({ code: 2, stdout: '' });
    await place.collab(['cancel']);
  });

  test('it is canceled for good: its wait ends with 3, and its reports are complete', async ({
    place,
    expect,
  }) => {
    const run = await hanging(place);
    const waiting = place.collab(['wait', run, '--timeout', '2m']);
    const cancelled = await place.collab(['cancel', run]);
    expect(cancelled).toEqual({ code: 0, stdout: `${run} is cancelled\n`, stderr: '' });
    expect(await waiting).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('the review was cancelled'),
    });
    expect(resultIn(place)).toEqual({ state: 'ended', outcome: 'incomplete', exit_code: 3 });
    expect(place.read('review.md')).toMatch(
      /^<!-- collab:review -->\n\n# Code review: incomplete — no findings\n/,
    );
    expect((await place.collab(['check'])).code).toBe(0);
    const again = await place.collab(['resume', run]);
    expect(again).toMatchObject({ code: 3, stdout: expect.stringContaining('the review was cancelled') });
    expect(place.read(callLog)).toBe('begin ex_chunk-1/1/1\n');
  });

  test('a run without a driver is canceled in its record', async ({ place, expect }) => {
    const started = place.start(hang(place));
    await until('a call', () => calls(place));
    started.kill('SIGINT');
    await started.ended;
    const [run = ''] = place.runs().map((path) => path.split('/').at(-1));
    const before = await Promise.all([
      place.collab(['status']),
      place.collab(['wait']),
      place.collab(['show']),
      place.collab(['clean']),
    ]);
    expect(before.map(({ code, stdout, stderr }) => `${code} ${stdout}${stderr}`)).toEqual([
      expect.stringMatching(
        new RegExp(`^0 ${run}\\n +state +interrupted\\n[^]* next +continue it: collab resume ${run}\\n$`),
      ),
      `4 ${run} was interrupted; continue it: collab resume ${run}\n`,
      `4 ${run} is interrupted: collab status ${run}\n`,
      '0 nothing to remove\n',
    ]);
    expect(await place.collab(['cancel'])).toMatchObject({ code: 0, stdout: `${run} is cancelled\n` });
    expect(resultIn(place)).toEqual({ state: 'ended', outcome: 'incomplete', exit_code: 3 });
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
    expect(await place.collab(['wait'])).toMatchObject({ code: 3 });
    expect(await place.collab(['clean'])).toMatchObject({ stdout: `removed ${run} (ended)\n` });
    expect(place.runs()).toEqual([]);
  });

  test('an interrupted run continues in the background', async ({ place, expect }) => {
    place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
    const advisor = place.rehearsal('four-chunks-slow');
    const started = place.start(['review', example('checkout.diff'), '--advisor', advisor]);
    await until('the slow call', () => calls(place) && place.read(callLog).includes('begin ex_chunk-3/1/1'));
    started.kill('SIGINT');
    await started.ended;
    const resumed = await place.collab(['resume', '--detach']);
    expect(resumed.code).toBe(0);
    const { next } = z.object({ next: z.string() }).parse(JSON.parse(resumed.stdout));
    const waited = await place.collab(next.split(' ').slice(1));
    expect(waited).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('src/checkout/coupon.ts:10: critical'),
    });
  });
});

const callLog = 'rehearsal/calls.log';

function calls(place: Place): boolean {
  return readdirSync(join(place.folder, 'rehearsal')).includes('calls.log');
}

function hang(place: Place): readonly string[] {
  const advisor = place.rehearsal('never');
  const reports = ['--report', 'json=result.json', '--report', 'markdown=review.md'];
  return ['review', example('checkout.diff'), '--advisor', advisor, ...reports];
}

/** A run in the background that waits for an answer that never comes; returns its id. */
async function hanging(place: Place): Promise<string> {
  const { stdout } = await place.collab([...hang(place), '--detach']);
  await until('a call', () => calls(place));
  return z.object({ run: z.string() }).parse(JSON.parse(stdout)).run;
}

const resultSchema = z.object({ state: z.string(), outcome: z.string(), exit_code: z.int() });

function resultIn(place: Place): z.infer<typeof resultSchema> {
  return resultSchema.parse(JSON.parse(place.read('result.json')));
}
