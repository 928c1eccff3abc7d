/** Fault 1.11: a made-up secret of each kind, given to each command; a model on loopback keeps what it was sent, and says it back. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { disguises, secretCorpus } from '../fixtures/secret-corpus.ts';
import { test, type Place } from '../packed/place.ts';
import { project } from '../packed/run-project.ts';
import { modelName, openModel } from './model.ts';

const patient = { timeout: 120_000 };
const [plain] = disguises;
const lines = secretCorpus.map((secret) => plain?.wrap(secret) ?? '');
const text = `${lines.map((line, index) => `// ${index}\n${line}`).join('\n')}\n`;
const every = disguises.map(({ wrap, telling }) =>
  secretCorpus.map((secret) => ({ line: wrap(secret), telling: telling(secret) })),
);

/** The kinds of which something can be read in a text. */
function toldBy(told: string): readonly string[] {
  return secretCorpus.filter(({ secret }) => told.includes(secret)).map(({ name }) => name);
}

async function open(place: Place, answer: string) {
  const { env, state, sent } = await openModel(place, { text: answer });
  const kept = () => [filesBelow(join(place.folder, '.collab')), filesBelow(state)].flat();
  /** What of the secrets is in a prompt, in a file of ours, or in what was said. */
  const leaks = (...said: readonly string[]): readonly string[] => [
    ...toldBy(sent()).map((name) => `prompt: ${name}`),
    ...kept().flatMap((file) =>
      toldBy(readFileSync(file, 'utf8')).map((name) => `${file.slice(place.folder.length)}: ${name}`),
    ),
    ...toldBy(said.join('\n')).map((name) => `said: ${name}`),
  ];
  return { env, sent, leaks };
}

/** The copy of the files under review is the repository's own text, and is gone with its run. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
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
  'a run: its task, what its lead says, and what the advisor is told of it',
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
