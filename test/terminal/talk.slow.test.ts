/** A run of phases at a real terminal: a conversation in words, with the live lines below it. */
import { test } from '../packed/place.ts';
import { openTerminal } from '../packed/terminal.ts';

const live = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;
const tags = /\[(?:CONSULT|RESPONSE|REQUEST):/;

test.for([40, 61, 100, 200])(
  'at %i columns, a run is a conversation without a broken word',
  async (columns, { place, expect }) => {
    const terminal = await openTerminal(place, ['demo', '--no-pauses'], { columns, rows: 60 });
    await terminal.sees('left with 0');
    const screen = await terminal.screen();
    expect(screen).toMatch(/━━ Requirements ━+/);
    expect(screen).toMatch(/^Claude Code · rehearsed lead/m);
    expect(screen).toMatch(/^ {2}↳ Codex answers on the design$/m);
    expect(screen).not.toMatch(live);
    const talk = screen.slice(screen.indexOf('━━ Requirements'), screen.indexOf('On the way:'));
    // The answer in a fence is quoted as it came.
    expect(talk.replace('[RESPONSE:REQUIREMENTS]', '')).not.toMatch(tags);
    const words = ['remaining', 'distributes', 'assumptions', 'requirements', 'implementation'];
    expect(words.filter((word) => !talk.includes(word))).toEqual([]);
    const strengths = screen.slice(screen.lastIndexOf('Strengths:'), screen.indexOf('On the way:'));
    expect(strengths).toContain('test/split.test.js');
    expect(strengths).not.toContain('`');
    const items = screen.slice(screen.indexOf('On the way:'), screen.lastIndexOf('collab show')).split('\n');
    expect(items.slice(1).filter((line) => line.trim() !== '' && !/^ {2}(?:- | {2})\S/.test(line))).toEqual(
      [],
    );
  },
);

test('a pipe gets the screen of specification 000, and a terminal says the same', async ({
  place,
  expect,
}) => {
  const piped = await place.collab(['demo', '--no-pauses']);
  const terminal = await openTerminal(place, ['demo', '--no-pauses'], { columns: 200, rows: 60 });
  await terminal.sees('left with 0');
  const screen = (await terminal.screen()).replace(/[\s`*]+/g, ' ');
  const said = [
    'The first people at the table pay one cent more',
    'Reading README.md',
    'Editing test/split.test.js',
    'Cents get lost',
  ];
  for (const text of said) {
    expect(piped.stdout).toContain(text);
    expect(screen).toContain(text);
  }
  expect(piped.stdout).toMatch(tags);
});

test('--plain shows the screen of specification 000 at a terminal', async ({ place, expect }) => {
  const terminal = await openTerminal(place, ['demo', '--no-pauses', '--plain'], { columns: 100, rows: 60 });
  await terminal.sees('left with 0');
  expect(await terminal.screen()).toMatch(tags);
});
