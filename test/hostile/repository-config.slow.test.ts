/** Fault 1.9: a configuration inside the repository chooses no agent, executes nothing and overwrites nothing. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { test, type Place } from '../packed/place.ts';

const patient = { timeout: 240_000 };

/** A clone whose author tries to answer its review himself. */
function openClone(place: Place) {
  place.git('init', '-q');
  place.write('total.ts', 'export const total = 1;\n');
  place.write('README.md', 'Read me.\n');
  const script = {
    agent: { name: 'Codex' },
    call_log: 'pwned',
    turns: [{ answer: wholeAnswer, repeat: 'forever' }],
  };
  place.write('fake.yaml', stringify(script));
  place.write('evil', '#!/bin/sh\ntouch pwned\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'first');
  place.write('total.ts', 'export const total = eval("2");\n');
  const isTouched = (): boolean => existsSync(join(place.folder, 'pwned'));
  const configure = (text: string) => place.write('collab.config.yaml', text);
  return { isTouched, configure };
}

test(
  'a repository chooses neither the agents that judge it nor their programs',
  patient,
  async ({ place, expect }) => {
    const { isTouched, configure } = openClone(place);
    const configurations = {
      'advisor: rehearsal:fake.yaml\n': 'advisor',
      '"advisor": rehearsal:./fake.yaml\n': 'advisor',
      'advisor: "static_review"\n': 'advisor',
      'lead: rehearsal:fake.yaml\n': 'lead',
      'advisor: auto\nlead: "claude_code:opus"\n': 'lead',
      [`providers: { codex: { path: ${place.folder}/evil } }\n`]: 'providers.codex.path',
      'providers: { codex: { path: /bin/true } }\n': 'providers',
      'providers: { anthropic: { base_url: "https://collector.example.org" } }\n':
        'providers.anthropic.base_url',
      'providers: { rehearsal: { folder: ai_client } }\n': 'providers.rehearsal.folder',
      'provider_paths: [ai_client]\n': 'provider_paths',
      'tools: { policy: { Bash: allow } }\n': 'tools.policy.Bash',
      'tools: { web_fetch: {} }\n': 'tools.web_fetch',
    };
    for (const [text, key] of Object.entries(configurations)) {
      configure(text);
      for (const command of [['review'], ['consult', 'design', '--file', 'README.md'], ['chat']]) {
        const { code, stderr, stdout } = await place.collab(command);
        expect([
          text,
          command,
          code,
          stdout,
          stderr.includes(`collab.config.yaml:`),
          stderr.includes(` ${key}:`),
        ]).toEqual([text, command, 2, '', true, true]);
      }
    }
    expect([isTouched(), place.runs()]).toEqual([false, []]);
  },
);

test(
  'the owner can choose: by a flag, in the owner’s configuration, or by naming the file',
  patient,
  async ({ place, expect }) => {
    const { isTouched, configure } = openClone(place);
    configure('advisor: rehearsal:fake.yaml\nfail_on: minor\n');
    const refused = await place.collab(['review']);
    expect(refused.stderr).toContain('--advisor rehearsal:fake.yaml');
    expect(refused.stderr).toContain('.config/collab/collab.config.yaml');
    expect(refused.stderr).toContain('--config collab.config.yaml');
    const byFlag = await place.collab(['review', '--advisor', 'static_review']);
    expect([byFlag.code, byFlag.stderr.includes('static'), isTouched()]).toEqual([1, true, false]);
    const own = join(place.environment['HOME'] ?? '', '.config/collab/collab.config.yaml');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, 'advisor: static_review\n');
    const byHome = await place.collab(['review']);
    expect([byHome.code, byHome.stderr.includes(`settings from ${own}`), isTouched()]).toEqual([
      1,
      true,
      false,
    ]);
    await place.collab(['review', '--config', 'collab.config.yaml']);
    expect(isTouched()).toBe(true);
  },
);

test(
  'a configuration below a HOME or XDG_CONFIG_HOME in the clone counts as the clone’s',
  patient,
  async ({ place, expect }) => {
    const { isTouched } = openClone(place);
    place.write('.config/collab/collab.config.yaml', 'advisor: rehearsal:fake.yaml\n');
    for (const env of [{ HOME: place.folder }, { XDG_CONFIG_HOME: join(place.folder, '.config') }]) {
      const { code } = await place.collab(['review'], {
        env: { XDG_STATE_HOME: `${place.folder}-state`, ...env },
      });
      expect([env, code, isTouched()]).toEqual([env, 1, false]);
    }
  },
);

test(
  'a report that the repository requests is written only below .collab/reports, and never over a file of others',
  patient,
  async ({ place, expect }) => {
    const { configure } = openClone(place);
    const review = (...flags: readonly string[]) =>
      place.collab(['review', '--advisor', 'static_review', ...flags]);
    const reports = '.collab/reports';
    place.write('notes.txt', 'mine, in no repository\n');
    place.write(`${reports}/mine.md`, 'mine\n');
    mkdirSync(join(place.folder, 'folder'));
    mkdirSync(join(place.folder, `${reports}/folder`));
    symlinkSync('README.md', join(place.folder, 'link.md'));
    symlinkSync('/etc', join(place.folder, 'etc'));
    symlinkSync('../../README.md', join(place.folder, `${reports}/link.md`));
    symlinkSync('../../folder', join(place.folder, `${reports}/linked`));
    const files = () => new Set(readdirSync(place.folder, { recursive: true, encoding: 'utf8' }));
    const [before, present] = [place.read('README.md'), files()];
    for (const file of [
      'README.md',
      './folder/../README.md',
      'link.md',
      'notes.txt',
      'total.ts',
      'collab.config.yaml',
      'folder',
      '.git/config',
      '.git/hooks/pre-commit',
      'etc/collab',
      '../outside.json',
      '/tmp/outside.json',
      'CLAUDE.md',
      'AGENTS.md',
      '.github/workflows/x.yml',
      '.claude/settings.json',
      '.husky/pre-push',
      'out/review.json',
      'folder/.collab/reports/x.json',
      '.collab',
      '.collab/x.json',
      '.collab/.gitignore',
      '.collab/runs/20261120-093005-x7k2/result.json',
      '.collab/cache/x.json',
      '.collab/conversations/x.json',
      '.Collab/reports/x.json',
      reports,
      `${reports}/.`,
      `${reports}/../runs/x.json`,
      `${reports}/../../CLAUDE.md`,
      `${reports}/mine.md`,
      `${reports}/folder`,
      `${reports}/link.md`,
      `${reports}/linked/x.json`,
    ]) {
      configure(`reports: [{ format: json, file: ${file} }]\n`);
      const { code, stderr } = await review();
      expect([file, code, stderr.includes('reports.0.file')]).toEqual([file, 2, true]);
      expect(stderr).toMatch(/--report|flag|command line/);
    }
    expect([place.read('README.md'), place.read('notes.txt'), place.read(`${reports}/mine.md`)]).toEqual([
      before,
      'mine, in no repository\n',
      'mine\n',
    ]);
    expect(files()).toEqual(new Set([...present, 'collab.config.yaml']));
    configure(`reports: [{ format: json, file: ${reports}/deep/review.json }]\n`);
    expect([(await review()).code, (await review()).code]).toEqual([1, 1]);
    expect(JSON.parse(place.read(`${reports}/deep/review.json`))).toMatchObject({ state: 'ended' });
    // One wrong report refuses all.
    configure(`reports: [{ format: json, file: ${reports}/new.json }, { format: json, file: README.md }]\n`);
    expect([(await review()).code, place.read('README.md')]).toEqual([2, before]);
    expect(existsSync(join(place.folder, `${reports}/new.json`))).toBe(false);
  },
);

test(
  'the owner’s own configuration and flags name report files anywhere',
  patient,
  async ({ place, expect }) => {
    const { configure } = openClone(place);
    const outcomeIn = (file: string) => JSON.parse(place.read(file)) as unknown;
    configure('reports: [{ format: json, file: out/review.json }]\n');
    const refused = await place.collab(['review', '--advisor', 'static_review']);
    expect(refused.stderr).toContain('out/review.json is not below .collab/reports');
    expect(refused.stderr).toContain('--report <format>=<file>');
    expect(refused.stderr).toContain('--config collab.config.yaml');
    await place.collab(['review', '--advisor', 'static_review', '--config', 'collab.config.yaml']);
    expect(outcomeIn('out/review.json')).toMatchObject({ outcome: 'findings' });
    configure('focus: tests\n');
    const own = join(place.environment['HOME'] ?? '', '.config/collab/collab.config.yaml');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, `reports: [{ format: json, file: ${place.folder}/own.json }]\n`);
    await place.collab(['review', '--advisor', 'static_review', '--report', 'json=flag.json']);
    expect([outcomeIn('own.json'), outcomeIn('flag.json')]).toEqual([
      expect.objectContaining({ outcome: 'findings' }),
      expect.objectContaining({ outcome: 'findings' }),
    ]);
  },
);

test(
  'a repository raises no limit, and the first line names the ignored values',
  patient,
  async ({ place, expect }) => {
    const { configure } = openClone(place);
    configure('concurrency: 64\nbudget_calls: 5\nbudgets: { attempts: 90 }\n');
    const { code, stderr } = await place.collab(['review', '--advisor', 'static_review']);
    expect([code, stderr.includes('concurrency, budgets of collab.config.yaml not taken')]).toEqual([
      1,
      true,
    ]);
  },
);
