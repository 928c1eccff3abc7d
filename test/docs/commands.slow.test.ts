/** Runs the commands that README and the pages about servers, tools, CI, pull requests, hosts and observation show, with the installed program. */
import { chmodSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';
import { smallDiff } from '../../src/runs/rehearsed-review.test-helper.ts';
import { runCommand } from '../../src/system/run-command.ts';
import { startGithubWorld } from '../forge/github-world.ts';
import { leads, scriptOf } from '../contract/workflow/workflow-script.ts';
import { finding, report } from '../fixtures/reports/sample-report.ts';
import { repository, test, type Place } from '../packed/place.ts';
import { until } from '../packed/started-command.ts';

const pages = [
  'README.md',
  ...['server', 'privacy', 'tools', 'ci', 'pull-requests', 'mcp', 'acp', 'observe'].map(
    (name) => `references/${name}.md`,
  ),
];

test.for(pages)(
  'every command of %s works as written',
  { timeout: 180_000 },
  async (page, { place, expect }) => {
    const shell = await openShell(place);
    const { performed } = commandsOf(page);
    expect(performed.length).toBeGreaterThan(0);
    for (const command of performed) {
      if (command.startsWith('echo apply ')) await shell.perform('collab fix --from finding.json F2');
      const { code, stderr } = await shell.perform(command);
      expect([command, code, stderr]).toEqual([
        command,
        expect.toBeOneOf(wantedCodes(command)),
        expect.any(String),
      ]);
      expect(stderr).not.toMatch(/unknown (?:option|command)|bug in collab/);
    }
  },
);

test.for(pages)('every flag in the overviews of %s belongs to its command', (page, { expect }) => {
  const program = createProgram(() => undefined);
  for (const line of commandsOf(page).overviews) {
    let [command] = program.commands;
    for (const word of line.replaceAll(/<[^>]*>/g, '').match(/--[a-z][a-z-]*|[a-z]+/g) ?? []) {
      const inner = [command, program]
        .flatMap((above) => above?.commands ?? [])
        .find((one) => one.name() === word);
      if (inner !== undefined) command = inner;
      const known = [...(command?.options ?? []), { long: '--help' }].map(({ long }) => long);
      if (word.startsWith('--')) expect(known, `${command?.name()} in: ${line}`).toContain(word);
    }
  }
});

interface PageCommands {
  readonly performed: readonly string[];
  /** Lines that list the possible commands. */
  readonly overviews: readonly string[];
}

/** Blocks of the console are run by readme.slow.test.ts, where their output counts, too. */
function commandsOf(page: string): PageCommands {
  const text = readFileSync(join(repository, page), 'utf8');
  const lines = [...text.matchAll(/^```(?:sh)?\n([^]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) =>
      line
        .replace(/ {2,}# .*$/, '')
        .replace(/^npx codex-collab/, 'collab')
        .trim(),
    )
    .filter((line) => /(?:^|[|;] )collab /.test(line) || line.includes('collab.example.org/'))
    // test/agents/mcp performs what adds collab to a host.
    .filter((line) => !/^(?:claude|codex) mcp add /.test(line));
  const inline = [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`(collab [^`]+)`/g)]
    .map(([, command = '']) => command)
    // The name of a command without what it needs.
    .map((command) => (/^collab [a-z]+$/.test(command) ? `${command} --help` : command));
  const all = [...new Set([...lines, ...inline])];
  return { performed: all.filter((line) => !isOverview(line)), overviews: all.filter(isOverview) };
}

function isOverview(line: string): boolean {
  return /…|\[| {3}|\|-/.test(line);
}

/** Findings, an open question, a missing agent and a result without a model are no fault of the command. */
function wantedCodes(command: string): number[] {
  if (command.includes('--help')) return [0];
  if (command.includes('collab run ')) return [10];
  // No collector listens there; test/packed/observe has one.
  if (command.includes('--otlp')) return [4];
  if (command.includes('collab doctor')) return [0, 4];
  if (command.includes('collab gate ')) return [0, 1, 3];
  return /collab (?:review|answer|wait) /.test(`${command} `) ? [0, 1, 10] : [0];
}

interface Shell {
  readonly perform: (command: string) => Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** The pull request that the pages name. Its commits are in no clone. */
const pull = {
  number: 123,
  title: 'Raise the total',
  body: null,
  base: '1'.repeat(40),
  head: '2'.repeat(40),
  diff: smallDiff,
};

/** A repository with a change, a result, a rehearsed pair that the user configured, and the other programs of the pages. */
async function openShell(place: Place): Promise<Shell> {
  const fixes = leads({ work: 'implement' }, 'F2: fixed\n', {
    repeat: 'forever',
    edits: [{ path: 'total.ts', content: 'export const total = 4;\n' }],
  });
  place.write('../pair.yaml', stringify(scriptOf(fixes)));
  const pair = `rehearsal:${join(place.folder, '../pair.yaml')}`;
  place.write('../home/.config/collab/collab.config.yaml', stringify({ lead: pair, advisor: pair }));
  const program = (name: string, script: string): void =>
    chmodSync(place.write(`../programs/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
  program('collab', `exec "${process.execPath}" "${place.command}" "$@"`);
  program('gh', `cat "${place.write('../pull.diff', smallDiff)}"`);
  program('reviewdog', 'cat >/dev/null');
  const github = await startGithubWorld({ pulls: [pull] });
  onTestFinished(() => github.close());
  place.git('init', '-q');
  place.git('remote', 'add', 'origin', `${github.url}/shop/till.git`);
  const materials = {
    'pr.md': 'Raise the total\n\nIt counts the last row.\n',
    'junit.xml': '<testsuite name="unit" tests="1"><testcase name="total"/></testsuite>\n',
    'lint.sarif': JSON.stringify({ version: '2.1.0', runs: [] }),
    'scan.sarif': JSON.stringify({ version: '2.1.0', runs: [] }),
    'finding.json': JSON.stringify(
      report({ findings: [finding({ id: 'F2', path: 'total.ts', start_line: 1, end_line: 1 })] }),
    ),
  };
  for (const [path, text] of Object.entries(materials)) place.write(path, text);
  place.write('.gitignore', ['review.json', ...Object.keys(materials)].join('\n'));
  place.write('total.ts', 'export const total = 1;\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'base');
  place.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  place.write('total.ts', 'export const total = 2;\n');
  place.git('commit', '-qam', 'change');
  place.write('total.ts', 'export const total = 3;\n');
  const reviewed = await place.collab(['review', '--report', 'json=review.json']);
  if (reviewed.code !== 0) throw new Error(reviewed.stderr);

  let token = '';
  let url = '';
  const perform = async (command: string): ReturnType<Shell['perform']> => {
    if (/^collab serve (?!token)/.test(command) && !command.includes('--help')) return serve(command);
    const { exitCode, stdout, stderr } = await runCommand({
      file: 'bash',
      args: ['--norc', '-euo', 'pipefail', '-c', await filled(command)],
      cwd: place.folder,
      env: {
        ...place.environment,
        PATH: `${join(place.folder, '../programs')}:${place.environment['PATH']}:/usr/bin:/bin`,
        COLLAB_TOKEN: token,
        ...github.env,
        GITHUB_TOKEN: 'token-of-a-test',
      },
      input: 'Write it.\n',
      maxOutputBytes: 4 * 1024 * 1024,
    });
    token ||= /collab_token_[\w-]+/.exec(stdout)?.[0] ?? '';
    return { code: exitCode, stderr };
  };
  /** On a free port; resolves when it serves, and leaves it running. */
  const serve = async (command: string): ReturnType<Shell['perform']> => {
    const started = place.start([...command.split(' ').slice(1), '--port', '0', '--json']);
    await until(`the address of ${command}`, () => started.stdout().includes('\n'));
    ({ url } = JSON.parse(started.stdout()));
    return { code: 0, stderr: started.stderr() };
  };
  const filled = async (command: string): Promise<string> => {
    const values: Readonly<Record<string, () => Promise<string>>> = {
      '<run>': async () => basename(place.lastRun()),
      '<n>': async () => '1',
      '<format>': async () => 'sarif',
      '<task>': async () => 'Write one.',
      '<id>': async () => {
        const made = await place.collab(['serve', 'token', 'create', '--tenant', 'other', '--json']);
        return JSON.parse(made.stdout).id;
      },
    };
    // The folder that the page serves.
    let text = command
      .replace('repo:shop', `repo:${basename(place.folder)}`)
      .replace('curl ', `curl -sS --fail-with-body -H 'host: collab.example.org' -o /dev/null `)
      .replace('https://collab.example.org', url);
    for (const [name, value] of Object.entries(values)) {
      if (text.includes(name)) text = text.replaceAll(name, await value());
    }
    return text;
  };
  return { perform };
}
