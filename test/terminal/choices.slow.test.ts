/** Questions with choices at a real terminal: numbers pick, wherever the question comes from. */
import { stringify } from 'yaml';
import { scriptOf } from '../contract/workflow/workflow-script.ts';
import { test, type Place } from '../packed/place.ts';
import { pair, project } from '../packed/run-project.ts';
import { openTerminal } from '../packed/terminal.ts';

const writes = {
  when: { work: 'converse' },
  repeat: 'forever',
  messages: [{ call: { name: 'Write', input: { file_path: 'note.txt', content: 'one\n' } } }],
  answer: 'That was the call.',
};

function chat(place: Place, columns: number) {
  place.write('lead.yaml', stringify({ agent: { name: 'Lead', model: 'm1' }, turns: [writes] }));
  return openTerminal(place, ['chat', '--lead', 'rehearsal:lead.yaml'], { columns });
}

test.for([40, 100])(
  'an approval in a conversation of %i columns has numbered choices, and breaks no word of them',
  async (columns, { place, expect }) => {
    const terminal = await chat(place, columns);
    await terminal.sees(/^>/m);
    await terminal.types('write', 'Enter');
    await terminal.sees(/◆ {2}Allow Write\?\n│ {2}● 1\. yes, once\n│ {2}○ 2\. yes, always in/);
    await terminal.sees(/1-3 choose, ↑\/↓ move, Enter\s+(?:│ {2})?confirms/);
    await terminal.types('9', '3');
    await terminal.sees('Why not?');
    await terminal.types('1 is the wrong number', 'Enter');
    await terminal.sees('That was the call.');
    expect(place.names()).not.toContain('note.txt');
    expect((await terminal.screen()).match(/\+one/g)).toHaveLength(1);
    expect((await terminal.screen()).match(/yes, always in/g)).toBeNull();
    await terminal.types('again', 'Enter');
    await terminal.sees('● 1. yes, once');
    await terminal.types('1');
    await terminal.sees('◇  Allow Write?\n│  yes, once');
    await expect.poll(() => place.names()).toContain('note.txt');
  },
);

test('the gates of a run take a number, and the text that follows one', async ({ place, expect }) => {
  project(place);
  const terminal = await openTerminal(place, ['run', 'one', ...pair(place, scriptOf())], { rows: 150 });
  for (const question of ['◆  1 of 2: Which version?', '◆  2 of 2: Who uses it?']) {
    await terminal.sees(question);
    await terminal.types('Enter');
  }
  await terminal.sees('● 1. approve');
  await terminal.types('2');
  await terminal.sees('◆  What should change?');
  await terminal.types('3 steps', 'Enter');
  await terminal.sees('◇  What should change?\n│  3 steps');
  await expect.poll(async () => (await terminal.screen()).split('◆').length).toBe(2);
  await terminal.sees('● 1. approve');
  await terminal.types('3');
  await terminal.sees(/left with \d/);
  expect(await terminal.screen()).toMatch(/◇ {2}Do you approve\?\n│ {2}stop/);
});

test('the picker of conversations and the question of init take a number', async ({ place, expect }) => {
  for (const said of ['one', 'two']) {
    const before = await chat(place, 100);
    await before.sees(/^>/m);
    await before.types(said, 'Enter');
    await before.sees('● 1. yes, once');
    await before.types('1');
    await before.sees('That was the call.');
    await before.types('C-d');
    await before.sees('left with 0');
  }
  const terminal = await chat(place, 100);
  await terminal.sees(/^>/m);
  await terminal.types('/resume', 'Enter');
  await terminal.sees(/○ 2\. \S+ +one/);
  await terminal.types('2');
  await terminal.sees(/◇ {2}Continue which conversation\?\n│ {2}\S+ +one/);
  const init = await openTerminal(place, ['init']);
  await init.sees('○ 2. yes, add');
  await init.types('2');
  await init.sees('left with 0');
  expect(place.read('.claude/settings.json')).toContain('Bash(collab *)');
});

test('a terminal that only prints lines gets each question as lines, and no sequence moves its cursor', async ({
  place,
  expect,
}) => {
  project(place);
  const args = ['run', 'one', ...pair(place, scriptOf())];
  const terminal = await openTerminal(place, args, { rows: 150, env: { TERM: 'dumb' } });
  await terminal.sees('1 of 2: Which version? (empty: the lead decides):');
  await terminal.types('Two.', 'Enter');
  await terminal.sees('2 of 2: Who uses it?');
  await terminal.types('Enter');
  await terminal.sees('Do you approve?\n  1. approve\n  2. revise: say what to change\n  3. stop\n1-3:');
  await terminal.types('9', 'Enter');
  await terminal.sees('1-3: 9\n1-3:');
  await terminal.types('1', 'Enter');
  await terminal.sees('Apply these changes to your own files?\n  1. apply');
  await terminal.types('2', 'Enter');
  await terminal.sees('left with 0');
  // oxlint-disable-next-line no-control-regex
  expect(terminal.written()).not.toMatch(/\u001B\[\??\d*[AJhl]/);
});

test('a conversation at a terminal that only prints lines takes inputs and approvals', async ({
  place,
  expect,
}) => {
  place.write('lead.yaml', stringify({ agent: { name: 'Lead', model: 'm1' }, turns: [writes] }));
  const terminal = await openTerminal(place, ['chat', '--lead', 'rehearsal:lead.yaml'], {
    env: { TERM: 'dumb' },
  });
  await terminal.sees(/^>/m);
  await terminal.types('write', 'Enter');
  await terminal.sees('Allow Write?\n  1. yes, once');
  await terminal.types('1', 'Enter');
  await terminal.sees('That was the call.');
  expect(place.names()).toContain('note.txt');
  await terminal.types('/exit', 'Enter');
  await terminal.sees('left with 0');
  // oxlint-disable-next-line no-control-regex
  expect(terminal.written()).not.toMatch(/\u001B\[\??\d*[AJhl]/);
});
