/** The live lines of a review at a real terminal: they tell what happens, and nothing of them stays. */
import { stringify } from 'yaml';
import { smallDiff } from '../../src/runs/rehearsed-review.test-helper.ts';
import { test, type Place } from '../packed/place.ts';
import { pointsFrom, somePoints } from '../setup/points.ts';
import { openTerminal, type TerminalOptions } from '../packed/terminal.ts';

/** An advisor that says nothing until it is stopped. */
const silent = { fault: 'never' };
const answering = {
  delay_ms: 1500,
  answer: '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Small.\n\n## ISSUES\nNone.\n\n## SUGGESTIONS\nNone.\n',
};

/** Marks and words that only the live lines show. */
const live = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|settled ·|starting|thinking/;

function review(place: Place, turn: object, options: TerminalOptions = {}, flags: readonly string[] = []) {
  place.write('change.diff', smallDiff);
  place.write('script.yaml', stringify({ agent: { name: 'Codex', model: 'm' }, turns: [turn] }));
  const args = ['review', 'change.diff', '--advisor', 'rehearsal:script.yaml', '--no-cache', ...flags];
  return openTerminal(place, args, options);
}

test('a terminal shows the work, its agent and the time below the log, and at the end only the log', async ({
  place,
  expect,
}) => {
  const terminal = await review(place, answering);
  await terminal.sees(
    /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] reviewing · 0 of 1 chunk settled · 1 s\n {2}Codex · chunk 1\/1 .* · thinking/,
  );
  await terminal.sees('left with 0');
  expect(await terminal.screen()).not.toMatch(live);
});

test('a window of forty columns breaks no live line, and one that becomes narrower keeps no remains', async ({
  place,
  expect,
}) => {
  const terminal = await review(place, silent);
  await terminal.sees(/Codex · .* thinking · \d s/);
  for (const columns of [40, 61, 40, 100]) {
    await terminal.resize(columns, 24);
    const before = (await terminal.screen()).match(/(\d+) s/g)?.at(-1) ?? '';
    await expect
      .poll(async () => (await terminal.screen()).match(/(\d+) s/g)?.at(-1), { timeout: 20_000 })
      .not.toBe(before);
    // Between two frames the terminal may show both; remains would stay.
    await expect
      .poll(async () => (await terminal.screen()).match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g)?.length, { timeout: 20_000 })
      .toBe(1);
  }
  await terminal.types('C-c');
  await terminal.sees('left with 130');
  expect(await terminal.screen()).not.toMatch(live);
});

/** Numbers of bytes written; each redrawing writes about a hundred. */
const moments = pointsFrom(1, 50).map((point) => point * 120);

test(
  'a Ctrl-C at any moment leaves nothing of the live lines',
  { timeout: 600_000 },
  async ({ place, expect }) => {
    for (const bytes of somePoints(moments, 6)) {
      const terminal = await review(place, silent);
      await expect
        .poll(() => terminal.written().length >= bytes && /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(terminal.written()), {
          timeout: 20_000,
          interval: 5,
        })
        .toBe(true);
      await terminal.types('C-c');
      await terminal.sees('left with 130');
      expect(await terminal.screen()).not.toMatch(live);
    }
  },
);

test.for([
  ['--plain', {}, ['--plain']],
  ['a dumb terminal', { TERM: 'dumb' }, []],
  ['CI', { CI: 'true' }, []],
] as const)('%s gets the lines of a pipe', async ([, env, flags], { place, expect }) => {
  const terminal = await review(place, { ...answering, delay_ms: 0 }, { env }, flags);
  await terminal.sees('left with 0');
  expect(terminal.written()).toContain('chunk 1/1 ');
  expect(terminal.written()).not.toMatch(live);
  // oxlint-disable-next-line no-control-regex
  expect(terminal.written()).not.toMatch(/\u001B\[\??\d*[AJhl]/);
});

test('without color the live lines move, and nothing is colored', async ({ place, expect }) => {
  const terminal = await review(place, answering, { env: { NO_COLOR: '1' } });
  await terminal.sees('left with 0');
  expect(terminal.written()).toMatch(live);
  // oxlint-disable-next-line no-control-regex
  expect(terminal.written()).not.toMatch(/\u001B\[\d*m/);
});
