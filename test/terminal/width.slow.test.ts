/** The width of a terminal that changes while a command works, and `collab wait` beside it. */
import { stringify } from 'yaml';
import { test, type Place } from '../packed/place.ts';
import { leads, scriptOf } from '../contract/workflow/workflow-script.ts';
import { pair, project } from '../packed/run-project.ts';
import { openTerminal } from '../packed/terminal.ts';
import { until } from '../packed/started-command.ts';

const issue = '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Small.\n\n## ISSUES\nNone.\n\n## SUGGESTIONS\nNone.\n';
const marks = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

/** Its rules find enough for a table. */
const change = `diff --git a/src/a.js b/src/a.js
--- a/src/a.js
+++ b/src/a.js
@@ -1,2 +1,4 @@
 export function run(name, settings) {
+  eval(name);
+  require('node:child_process').execSync('echo ' + name);
 }
`;

function write(place: Place, delayMs: number): readonly string[] {
  place.write('change.diff', change);
  const turns = [{ delay_ms: delayMs, answer: issue }];
  place.write('script.yaml', stringify({ agent: { name: 'Codex', model: 'm' }, turns }));
  return ['review', 'change.diff', '--advisor', 'rehearsal:script.yaml', '--no-cache'];
}

test('a report after a resize fits the new width: no line of it is broken by the terminal', async ({
  place,
  expect,
}) => {
  const terminal = await openTerminal(place, write(place, 4000), { columns: 120, rows: 60 });
  await terminal.sees(marks);
  await terminal.resize(48, 60);
  await terminal.sees('left with 1');
  const screen = await terminal.screen();
  const report = screen.slice(screen.indexOf('src/a.js:'));
  expect(report.split('\n').filter((line) => line.trimEnd().length > 48)).toEqual([]);
  expect(report).not.toMatch(marks);
});

test('wait shows the live lines of a run that another process drives, and ends with its report', async ({
  place,
  expect,
}) => {
  const started = await place.collab([...write(place, 5000), '--detach']);
  expect(started.code).toBe(0);
  const terminal = await openTerminal(place, ['wait']);
  await terminal.sees(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] reviewing · 0 of 1 chunk settled/);
  await terminal.sees(/thinking|writing/);
  await terminal.sees('left with 1');
  const screen = await terminal.screen();
  expect(screen).not.toMatch(marks);
  expect(screen).toContain('settled in');
  expect(screen).toContain('src/a.js:2: critical');
});

test('Ctrl-C at wait leaves the run alone and nothing of the live lines', async ({ place, expect }) => {
  const started = await place.collab([...write(place, 30_000), '--detach']);
  const { run } = JSON.parse(started.stdout);
  const terminal = await openTerminal(place, ['wait']);
  await terminal.sees(marks);
  await terminal.types('C-c');
  await terminal.sees('left with 130');
  expect(await terminal.screen()).not.toMatch(marks);
  const { stdout } = await place.collab(['status', run, '--json']);
  expect(stdout).toContain('running');
  await place.collab(['cancel', run]);
  await until('the end of the run', () => place.runs().length === 1);
});

test('consult shows what its advisor does', async ({ place, expect }) => {
  const text =
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nSound.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep it.\n';
  const turns = [{ delay_ms: 4000, answer: text }];
  place.write('script.yaml', stringify({ agent: { name: 'Codex', model: 'm' }, turns }));
  place.write('brief.md', 'Is it sound?\n');
  const args = ['consult', 'design', '--file', 'brief.md', '--advisor', 'rehearsal:script.yaml'];
  const terminal = await openTerminal(place, args);
  await terminal.sees(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] .*\n {2}\S.* · (?:thinking|starting)/);
  await terminal.sees('left with 0');
  expect(await terminal.screen()).not.toMatch(marks);
  expect(await terminal.screen()).toContain('Keep it.');
});

test('the patch before apply is folded, and shown whole on request', async ({ place, expect }) => {
  project(place);
  const content = Array.from({ length: 60 }, (_, index) => `export const n${index + 1} = 1;\n`).join('');
  const script = scriptOf(
    leads({ work: 'implement' }, 'Done.', { edits: [{ path: 'src/one.js', content }] }),
  );
  const args = ['run', 'one', ...pair(place, script)];
  const terminal = await openTerminal(place, args, { rows: 150 });
  for (const question of ['◆  1 of 2: Which version?', '◆  2 of 2: Who uses it?', '◆  Do you approve?']) {
    await terminal.sees(question);
    await terminal.types('Enter');
  }
  await terminal.sees('show the whole patch');
  expect(await terminal.screen()).toMatch(/ {2}… \d+ more lines/);
  expect(lastShown(await terminal.screen())).not.toContain('+export const n60 = 1;');
  await terminal.types('Up', 'Enter');
  await terminal.sees('+export const n60 = 1;');
  await expect.poll(async () => (await terminal.screen()).split('◆').length).toBe(2);
  await terminal.types('Down', 'Enter');
  await terminal.sees(/left with \d/);
  expect(place.names()).not.toContain('src');
});

/** The part of the screen from the list of changed files on. */
function lastShown(screen: string): string {
  return screen.slice(screen.lastIndexOf('1 file'));
}
