/** `collab chat` at a real terminal: the line editor and its menus, approvals, and other conversations. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { test, type Place } from '../packed/place.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../packed/terminal.ts';

const answer = (text: string) => ({ when: { work: 'converse' }, repeat: 'forever', answer: text });

/** A conversation with a scripted lead that is ready for the first input. */
async function chat(
  place: Place,
  turns: readonly object[] = [answer('An answer.')],
  flags: readonly string[] = [],
  options: TerminalOptions = {},
): Promise<Terminal> {
  place.write('lead.yaml', stringify({ agent: { name: 'Lead', model: 'm1' }, turns }));
  const terminal = await openTerminal(place, ['chat', '--lead', 'rehearsal:lead.yaml', ...flags], options);
  await terminal.sees(/^>/m);
  return terminal;
}

const writes = (file_path: string, content: string) => ({
  messages: [{ text: 'I write.' }, { call: { name: 'Write', input: { file_path, content } } }],
  answer: 'That was the call.',
});

const lastLine = async (terminal: Terminal): Promise<string> =>
  (await terminal.screen()).trimEnd().split('\n').at(-1) ?? '';

test.for(['C-c', 'Escape'])(
  '%s at an approval stops the answer, and the next prompt, approval and picker have their keys',
  async (key, { place, expect }) => {
    const turn = { when: { work: 'converse' }, repeat: 'forever', ...writes('note.txt', 'one\n') };
    const other = await chat(place);
    await other.types('an earlier conversation', 'Enter');
    await other.sees('An answer.');
    await other.types('C-d');
    await other.sees('left with 0');
    const terminal = await chat(place, [turn]);
    await terminal.types('first', 'Enter');
    await terminal.sees('◆  Allow Write?');
    await terminal.types(key);
    await terminal.sees(/stopped\n(?:.*\n)*?> *$/m);
    expect(place.names()).not.toContain('note.txt');
    await terminal.types('second', 'Enter');
    await terminal.sees('◆  Allow Write?');
    await terminal.types('Enter');
    await terminal.sees('That was the call.');
    expect(place.read('note.txt')).toBe('one\n');
    await terminal.types('/resume', 'Enter');
    await terminal.sees('◆  Continue which conversation?');
    await terminal.types(key);
    await terminal.sees('■  Continue which conversation?');
    await terminal.types('/resume', 'Enter');
    await terminal.sees('◆  Continue which conversation?');
    await terminal.types('Enter');
    await terminal.sees('◇  Continue which conversation?');
    await terminal.types('/history', 'Enter');
    await terminal.sees('#1 you: an earlier conversation');
    await terminal.types('C-d');
    await terminal.sees('left with 0');
  },
);

test('an approval shows an edit as a diff, folded beyond 30 lines, and all of it on request', async ({
  place,
  expect,
}) => {
  const content = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');
  const terminal = await chat(place, [{ when: { work: 'converse' }, ...writes('long.txt', content) }], [], {
    rows: 120,
  });
  await terminal.types('write', 'Enter');
  await terminal.sees('show all 62 lines');
  expect(await terminal.screen()).toContain('+line 27');
  expect(await terminal.screen()).not.toContain('+line 60');
  await terminal.types('Up', 'Enter');
  await terminal.sees('+line 60');
  await terminal.sees('◆  Allow Write?');
  await terminal.types('Enter');
  await terminal.sees('That was the call.');
  expect(place.read('long.txt')).toBe(content);
});

test('a consult that the lead asks for gives it Markdown, and draws nothing into the conversation', async ({
  place,
  expect,
}) => {
  place.write(
    'advisor.yaml',
    stringify({
      agent: { name: 'Codex', model: 'm' },
      turns: [
        {
          delay_ms: 1200,
          answer:
            '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nIt is `sound`.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep it.\n',
        },
      ],
    }),
  );
  const call = { name: 'Consult', input: { phase: 'design', brief: 'Is it sound?' } };
  const turn = { when: { work: 'converse' }, messages: [{ call }], answer: 'I have asked.' };
  const terminal = await chat(place, [turn], ['--advisor', 'rehearsal:advisor.yaml']);
  await terminal.types('ask', 'Enter');
  await terminal.sees('◆  Allow Consult?');
  await terminal.types('Enter');
  await terminal.sees('I have asked.');
  const [conversation = ''] = readdirSync(join(place.folder, '.collab/conversations'));
  const results = place
    .read(`.collab/conversations/${conversation}/journal.jsonl`)
    .split('\n')
    .filter((line) => line.includes('"tool.result"'));
  expect(results).toHaveLength(1);
  expect(results[0]).toContain('# Consult on design: ');
  expect(results[0]).toContain('## ASSESSMENT');
  expect(terminal.written()).not.toContain('asking about the design');
  // The live lines are those of the conversation alone.
  expect(terminal.written()).not.toMatch(/consult \d/);
});

test('a consult of the user and collab consult render the answer, and the lead gets its Markdown', async ({
  place,
  expect,
}) => {
  const text =
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nIt is **quite** `sound`.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep it.\n';
  const turns = [{ when: {}, repeat: 'forever', answer: text }];
  place.write('advisor.yaml', stringify({ agent: { name: 'Codex', model: 'm' }, turns }));
  const advisor = ['--advisor', 'rehearsal:advisor.yaml'];
  const terminal = await chat(place, [answer('An answer.')], advisor, { columns: 80 });
  await terminal.types('/consult design Is it sound?', 'Enter');
  await terminal.sees(/Assessment\n\n *It is quite sound\./);
  await expect.poll(() => lastLine(terminal)).toBe('>');
  expect(await terminal.screen()).not.toMatch(/##|\*\*|ASSESSMENT/);
  await terminal.types('go on', 'Enter');
  await terminal.sees('An answer.');
  const [conversation = ''] = readdirSync(join(place.folder, '.collab/conversations'));
  expect(place.read(`.collab/conversations/${conversation}/history.json`)).toContain(
    'It is **quite** `sound`.',
  );
  place.write('brief.md', 'Is it sound?\n');
  const args = ['consult', 'design', '--file', 'brief.md', ...advisor];
  const alone = await openTerminal(place, args, { columns: 80 });
  await alone.sees('left with 0');
  expect(await alone.screen()).toMatch(/Assessment\n\n *It is quite sound\./);
  const piped = await place.collab(args);
  expect(piped.stdout).toContain('## ASSESSMENT\n\nIt is **quite** `sound`.');
});

test('a conversation that another process holds is refused, and the present one continues', async ({
  place,
  expect,
}) => {
  const holder = await chat(place);
  await holder.types('held words', 'Enter');
  await holder.sees('An answer.');
  const terminal = await chat(place);
  await terminal.types('/resume', 'Enter');
  await terminal.sees('◆  Continue which conversation?');
  await terminal.types('Enter');
  await terminal.sees('This conversation is open in another process');
  await terminal.types('go on', 'Enter');
  await terminal.sees(/> go on\n(?:.*\n)* {2}An answer\./);
  await terminal.types('/history', 'Enter');
  await terminal.sees('#1 you: go on');
  expect(await terminal.screen()).not.toContain('#1 you: held words');
});

test('text and Enter before the prompt and during an answer become the next inputs, in their order', async ({
  place,
}) => {
  const turns = [
    { when: { work: 'converse', contains: 'first' }, delay_ms: 3000, answer: 'The first answer.' },
    answer('Another answer.'),
  ];
  place.write('lead.yaml', stringify({ agent: { name: 'Lead', model: 'm1' }, turns }));
  const terminal = await openTerminal(place, ['chat', '--lead', 'rehearsal:lead.yaml']);
  await terminal.types('the first', 'Enter');
  await terminal.sees(/^> the first/m);
  await terminal.sees(/at work|thinking|starting/);
  await terminal.types('the second', 'Enter', 'and a beginning');
  await terminal.sees('The first answer.');
  await terminal.sees('> the second');
  await terminal.sees('Another answer.');
  await terminal.sees(/> and a beginning *$/m);
});

test('Esc interrupts an answer, and what has been said of it is kept', async ({ place, expect }) => {
  const turns = [{ when: { work: 'converse' }, fault: 'never' }];
  const terminal = await chat(place, turns);
  await terminal.types('say it', 'Enter');
  await terminal.sees(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  await terminal.types('Escape');
  await terminal.sees('stopped');
  expect(await terminal.screen()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  await terminal.types('/history', 'Enter');
  await terminal.sees('#1 you: say it');
});

test('a message can have several lines: pasted, after a backslash, and by Alt-Enter', async ({
  place,
  expect,
}) => {
  const terminal = await chat(place);
  await terminal.types('one \\', 'Enter');
  await terminal.sees('\n… ');
  await terminal.pastes('two\n\tthree');
  await terminal.sees('… two⏎⇥three');
  await terminal.types('M-Enter', 'four');
  await terminal.sees('three⏎four');
  await terminal.types('Enter');
  await terminal.sees('An answer.');
  await terminal.types('/history #1', 'Enter');
  await terminal.sees(/one \ntwo\n +three\nfour/);
  expect(place.names()).toContain('.collab');
});

test('the slash menu finds commands by letters, explains them, and leaves nothing behind', async ({
  place,
  expect,
}) => {
  const terminal = await chat(place);
  await terminal.types('/rs');
  await terminal.sees('continues another conversation');
  await terminal.types('BSpace', 'BSpace', 'hlp');
  await terminal.types('BSpace', 'BSpace');
  await terminal.sees('› /help');
  await terminal.types('Down');
  await terminal.sees('› /history');
  await terminal.types('Up', 'Up', 'Down', 'Enter');
  await expect.poll(() => lastLine(terminal)).toBe('> /help');
  await terminal.types('Enter');
  await terminal.sees('//text sends a text');
  await terminal.types('/re');
  await terminal.sees('› /re');
  await terminal.resize(40, 30);
  await terminal.types('s');
  await terminal.sees('› /resend');
  await terminal.types('Escape');
  await expect.poll(() => lastLine(terminal)).toBe('> /res');
});

test('earlier inputs are searched with Ctrl-R', async ({ place, expect }) => {
  const terminal = await chat(place);
  for (const input of ['run the tests', 'read the manual']) {
    await terminal.types(input, 'Enter');
    await terminal.sees(`> ${input}`);
    await expect.poll(() => lastLine(terminal)).toBe('>');
  }
  await terminal.types('C-r');
  await terminal.sees('› read the manual');
  await terminal.types('tst');
  await terminal.sees('› run the tests');
  await terminal.types('Enter');
  await expect.poll(() => lastLine(terminal)).toBe('> run the tests');
  await terminal.types('C-u', 'C-r');
  await terminal.sees('› read the manual');
  await terminal.types('Escape');
  await expect.poll(() => lastLine(terminal)).toBe('>');
});

test('@ mentions a file of the project, however many others there are', async ({ place, expect }) => {
  place.git('init', '-q');
  for (let part = 0; part < 20; part += 1)
    for (let file = 0; file < 1000; file += 1) place.write(`a/${part}/file-${file}.txt`, '');
  place.write('src/invoice.ts', 'export {};\n');
  place.write('.gitignore', 'ignored\n');
  place.write('ignored/invoice.log', '');
  const terminal = await chat(place);
  await terminal.types('look at @invoi');
  await terminal.sees('› @src/invoice.ts');
  expect(await terminal.screen()).not.toContain('invoice.log');
  await terminal.types('Tab');
  await expect.poll(() => lastLine(terminal)).toBe('> look at @src/invoice.ts');
  await terminal.types('please', 'Enter');
  await terminal.sees('An answer.');
});

test('a pipe gets the facts of a terminal, and the prompt line the context and the cost', async ({
  place,
  expect,
}) => {
  const turns = [
    { ...answer('# A heading\n\nSome **bold** words.\n'), usage: { input: 40, output: 2, cost: 0.5 } },
  ];
  const terminal = await chat(place, turns);
  await terminal.types('hello', 'Enter');
  await terminal.sees('m1 · context 42 tokens · $0.50');
  const shown = await terminal.screen();
  expect(shown).toMatch(/^Lead|^Rehearsal/m);
  expect(shown).not.toContain('**');
  await terminal.types('C-d');
  const piped = await place.collab(['chat', '--lead', 'rehearsal:lead.yaml'], { input: 'hello\n' });
  for (const text of ['A heading', 'bold', 'words.', 'm1']) {
    expect(shown).toContain(text);
    expect(piped.stdout).toContain(text);
  }
});
