/**
 * Fault 1.11: a made-up secret of each kind, given to each command; a model on loopback keeps its requests, and
 * repeats them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { formOf } from '../../src/server/served.test-helper.ts';
import { readBelow } from '../fixtures/files-holding.ts';
import { disguises, halvesOf, secretCorpus } from '../fixtures/secret-corpus.ts';
import { test, type Place } from '../packed/place.ts';
import { recordsIn } from '../packed/records-in.ts';
import { project } from '../packed/run-project.ts';
import { serve } from '../packed/serve/served.ts';
import { modelName, openModel } from './model.ts';
import type { MessagesScript } from '../upstream/messages-steps.ts';
import { sendRaw } from './raw-request.ts';

const patient = { timeout: 120_000 };
const [plain] = disguises;
const lines = secretCorpus.map((secret) => plain?.wrap(secret) ?? '');
const text = `${lines.map((line, index) => `// ${index}\n${line}`).join('\n')}\n`;
const every = disguises.map(({ wrap, telling }) =>
  secretCorpus.map((secret) => ({ line: wrap(secret), telling: telling(secret) })),
);

/** The kinds of secrets of which at least half is readable in a text. */
function toldBy(told: string): readonly string[] {
  return secretCorpus
    .filter(({ secret }) => halvesOf(secret).some((half) => told.includes(half)))
    .map(({ name }) => name);
}

/** Files of git, the kept copy of the repository's files, and files that the tests write and that hold secrets. */
const inputs =
  /\/project\/\.git\/|\/state\/collab\/store\/|\/project\/(?:config\.ts|disguise-\d\.txt|brief\.md|task\.md|scripts\/lead\.yaml|keys\.txt)$/;

async function open(place: Place, answer: string) {
  const { env, sent, upstream } = await openModel(place, { text: answer });
  const root = join(place.folder, '..');
  /** Returns the secrets in a prompt, in any file that a test did not write, or in the output. */
  const leaks = (...said: readonly string[]): readonly string[] => [
    ...toldBy(sent()).map((name) => `prompt: ${name}`),
    ...readBelow(root)
      .filter(({ path }) => !inputs.test(path))
      .flatMap(({ path, text: held }) => toldBy(held).map((name) => `${path.slice(root.length)}: ${name}`)),
    ...toldBy(said.join('\n')).map((name) => `said: ${name}`),
  ];
  return { env, sent, leaks, upstream };
}

const review = `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- I saw ${lines.join('\n- I saw ')}\n\n## ISSUES\nNone\n\n## SUGGESTIONS\n- Drop ${lines.join('\n- Drop ')}\n`;
const consult = (section: string) =>
  `[RESPONSE:${section}]\n\n## APPROACH\n${lines.join('\n')}\n\n## RISKS\n${lines.join('\n')}\n`;

test(
  'a review: in no prompt, journal, input, report, transcript or line',
  patient,
  async ({ place, expect }) => {
    const { env, sent, leaks } = await open(place, review);
    project(place);
    place.write('config.ts', text);
    const reports = ['json', 'markdown', 'sarif', 'rdjson', 'github', 'gitlab'].flatMap((format) => [
      '--report',
      `${format}=.collab/out.${format}`,
    ]);
    const { code, stdout, stderr } = await place.collab(['review', '--advisor', modelName, ...reports], {
      env,
    });
    expect(sent()).toContain('config.ts');
    expect([code, leaks(stdout, stderr)]).toEqual([1, []]);
    const shown = await place.collab(['show', '--as-prompt'], { env });
    expect(toldBy(shown.stdout)).toEqual([]);
  },
);

test(
  'a range: the names of its branch and files and its commit messages, in no output of any command',
  patient,
  async ({ place, expect }) => {
    const { env, sent, leaks } = await open(place, review);
    project(place);
    const [, token = ''] = lines;
    const commit = place.git('symbolic-ref', '--short', 'HEAD').trim();
    place.git('checkout', '-q', '-b', `topic-${token}`);
    place.write(`src/${token}/key-${token}.js`, 'export const key = 1;\n');
    place.git('add', '--all');
    place.git('commit', '-q', '-m', `Use ${token}\n\n${text}`);
    const args = ['review', `${commit}...topic-${token}`, '--focus', `${token}: ${lines.join(' ')}`];
    const reviewed = await place.collab([...args, '--advisor', modelName, '--no-cache'], { env });
    expect(sent()).toContain('export const key = 1;');
    const others = [
      [...args, '--plan', '--show-prompt'],
      ['show', '--as-prompt'],
      ['show', '--prompt', '1'],
      ['show', '--events'],
      ['runs'],
      ['report', '.collab/runs/latest/result.json', '--format', 'markdown'],
      ['review', `${token}...nowhere`],
      ['review', '--base', token],
      ['show', token],
      ['review', '--fail-on', token],
    ];
    const said = [reviewed];
    for (const other of others) said.push(await place.collab(other, { env }));
    expect(leaks(...said.flatMap(({ stdout, stderr }) => [stdout, stderr]))).toEqual([]);
  },
);

test('a review of all kinds in all six disguises', patient, async ({ place, expect }) => {
  const { env, sent, leaks } = await open(place, review);
  project(place);
  for (const [index, kinds] of every.entries()) {
    place.write(`disguise-${index}.txt`, `${kinds.map(({ line }) => line).join('\n')}\n`);
  }
  const { stdout, stderr } = await place.collab(['review', '--advisor', modelName, '--verbose'], {
    env,
  });
  expect(leaks(stdout, stderr)).toEqual([]);
  const telling = every.flatMap((kinds) => kinds.flatMap((kind) => kind.telling));
  expect(telling.filter((part) => sent().includes(part))).toEqual([]);
});

test('a consult: its brief, its answer and the files that it keeps', patient, async ({ place, expect }) => {
  const { env, sent, leaks } = await open(place, consult('DESIGN'));
  project(place);
  place.write('brief.md', `How is this?\n\n${text}`);
  const asked = ['consult', 'design', '--advisor', modelName, '--file'];
  const { stdout, stderr } = await place.collab([...asked, 'brief.md'], { env });
  expect(sent()).toContain('How is this?');
  const piped = await place.collab([...asked, '-'], { env, input: `From a pipe.\n${text}` });
  expect(sent()).toContain('From a pipe.');
  expect(leaks(stdout, stderr, piped.stdout, piped.stderr)).toEqual([]);
});

test(
  'a run: its task, its lead’s text, and what the advisor gets of both',
  patient,
  async ({ place, expect }) => {
    const { env, leaks } = await open(place, consult('REQUIREMENTS'));
    project(place);
    place.write('task.md', `Do this.\n\n${text}`);
    const turns = [{ answer: `I begin.\n${text}\n[CONSULT:CODEX:REQUIREMENTS]\n${text}`, repeat: 'forever' }];
    place.write('scripts/lead.yaml', stringify({ agent: { name: 'Claude Code' }, turns }));
    const args = [
      'run',
      '--task-file',
      'task.md',
      '--yes',
      '--lead',
      'rehearsal:scripts/lead.yaml',
      '--advisor',
      modelName,
    ];
    const { stdout, stderr } = await place.collab(args, { env });
    expect(leaks(stdout, stderr)).toEqual([]);
  },
);

/** The first reply lets the tools read the file with the secrets; the next one repeats them. */
function readsThenSays(answer: string): MessagesScript {
  const tools = [
    { name: 'Read', input: { file_path: 'keys.txt' } },
    { name: 'Grep', input: { pattern: '.', path: 'keys.txt' } },
    { name: 'Bash', input: { command: 'while read -r line; do echo "$line"; done <keys.txt' } },
  ];
  return ({ lastInput, index }) => {
    if (!lastInput.includes('With tools')) return { thinking: answer, text: answer };
    return { text: answer, tools: tools.map((tool) => ({ ...tool, id: `toolu_${index}_${tool.name}` })) };
  };
}

const policy = ['--config', 'rules.yaml'];

async function openTurns(place: Place) {
  const { upstream, ...opened } = await open(place, '');
  const answer = `You said:\n${text}and ${lines.join(' ')}`;
  upstream.play(readsThenSays(answer));
  project(place);
  place.write('keys.txt', text);
  const rules = {
    providers: { anthropic: { base_url: upstream.url } },
    tools: { policy: { Bash: 'allow' } },
  };
  place.write('rules.yaml', stringify(rules));
  return { upstream, answer, ...opened };
}

test(
  'the turns of a server: in no prompt, title, message, event, stream or list, whether typed, attached, read by a tool or sent again',
  patient,
  async ({ place, expect }) => {
    const { env, sent, leaks, upstream, answer } = await openTurns(place);
    const served = await serve(place, ['--lead', modelName, ...policy], env);
    const at = '/api/tenants/local/conversations';
    const post = async (conversation: string, said: string, files: readonly File[] = []) => {
      const body = formOf(said, { tokens: { mine: lines[0] ?? '' } });
      for (const file of files) body.append('files', file);
      return (await fetch(`${served.url}${at}/${conversation}/stream`, { method: 'POST', body })).text();
    };
    const [token = ''] = lines;
    const streams = [
      await post('one', `${lines.join(' ')} On one line`),
      await post('one', `On many lines\n${text}`),
      await post('one', 'With tools'),
      await post('one', '/read keys.txt'),
      await post('two', 'See the file', [
        new File([text], 'keys.txt', { type: 'text/plain' }),
        new File([lines.join(' ')], `${lines[1]}.txt`, { type: 'text/plain' }),
        new File(['%PDF-1.7'], `${lines[2]}.pdf`, { type: 'application/pdf' }),
      ]),
      await post('two', 'On another turn'),
    ];
    upstream.play(() => ({ status: 400, message: answer }));
    streams.push(await post('two', `Refused ${token}`));
    for (const said of ['On one line', 'On many lines', 'With tools', 'See the file', 'On another turn']) {
      expect(sent()).toContain(said);
    }
    expect(sent()).toContain('keys.txt:');
    const lists = await Promise.all(
      [at, `${at}/one`, `${at}/two`].map(async (path) => (await sendRaw(served.url, path)).text),
    );
    // An attached file is kept as it came, and nothing else.
    const found = leaks(...streams, ...lists, served.stderr());
    expect(found.filter((leak) => !/\/files\/\d+: /.test(leak))).toEqual([]);
  },
);

/** Sends everything letter by letter; the first request of a message about tools uses them. */
function readsLetterByLetter(answer: string): MessagesScript {
  const step = readsThenSays(answer);
  return (request) => ({ ...step(request), pieceLength: 1 });
}

test(
  'a chat: in no prompt, message, event, title, file or line, whether typed, read by a tool, sent again or in a later process',
  patient,
  async ({ place, expect }) => {
    const { env, sent, leaks, upstream, answer } = await openTurns(place);
    upstream.play(readsLetterByLetter(answer));
    const chat = (args: readonly string[], ...typed: readonly string[]) =>
      place.collab(['chat', '--ascii', ...policy, ...args], { env, input: `${typed.join('\n')}\n` });
    const [token = '', another = ''] = lines;
    const onMany = `On many lines\\\n${lines.join('\\\n')}`;
    const halfByHalf = `/bash 'while read -r line; do rest="\${line#????????}"; printf %s "\${line%"$rest"}"; echo "$rest"; done <keys.txt'`;
    const first = await chat(
      ['--lead', modelName],
      `${lines.join(' ')} On one line`,
      onMany,
      'With tools',
      '/read keys.txt',
      '/grep . keys.txt',
      halfByHalf,
      `/bash 'echo ${another}'`,
      `/read ${token}`,
      'After the commands',
      '/resend',
      `/resend #1 Said another way: ${lines.join(' ')}`,
      '/history',
      '/history #1',
      '/branch',
      `/history #${token}`,
      `/${token}`,
      `/consult ${token}`,
      `/review ${token}`,
    );
    const second = await chat(['--resume', '--json'], 'On another day', '/resend', '/history #1', '/branch');
    upstream.play(() => ({ status: 400, message: answer }));
    const third = await chat(['--resume'], `Refused ${token}`);
    for (const said of [
      'On one line',
      'On many lines',
      'With tools',
      'After the commands',
      'Said another way',
      'On another day',
      'Refused',
      'keys.txt:',
    ]) {
      expect(sent()).toContain(said);
    }
    const [folder = ''] = readdirSync(join(place.folder, '.collab/conversations'));
    const ran = recordsIn(place.read(`.collab/conversations/${folder}/journal.jsonl`)).filter(
      ({ type }) => type === 'tool.result',
    );
    expect(ran.map(({ name, is_error: isError }) => [name, isError])).toEqual([
      ...['Read', 'Grep', 'Bash', 'Read', 'Grep', 'Bash', 'Bash'].map((name) => [name, false]),
      ['Read', true],
    ]);
    // Each read the last line of the file, and its secret is masked.
    for (const { content } of ran.slice(0, 6)) expect(content).toMatch(/Authorization: Bearer \*{40}/);
    expect(ran[6]?.['content']).toBe('*'.repeat(40));
    expect([first.code, second.code, third.code]).toEqual([0, 0, 4]);
    expect(leaks(...[first, second, third].flatMap(({ stdout, stderr }) => [stdout, stderr]))).toEqual([]);
  },
);
