/** `collab run --remote`: submitted on one machine, driven by workers on others, applied in the repository that it started in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leads, straightWay, type Turn } from '../../contract/workflow/workflow-script.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import type { PackedResult } from '../packed-collab.ts';
import {
  expectLawful,
  idOf,
  idPattern,
  runIn,
  scripted,
  seen,
  withMachines,
  type Machine,
} from './machines.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

const limitMs = 300_000;

test(
  'a run that a worker drives ends as one that runs here, and its edits are applied where it started',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host] = [machine('laptop'), machine('host')];
      for (const one of [laptop, host]) one.plays(straightWay);
      project(laptop);
      const worker = host.worker();
      const report = join(laptop.folder, '../report.md');
      const there = await laptop.remote([...run, '--yes', '--report', `markdown=${report}`]);
      const id = runIn(there.stdout);
      expect(there.stderr).toContain(`${id} is submitted; it continues without this command:`);
      expect(there.stdout).toContain(`next: collab apply ${id} --remote applies the work`);
      expect(readFileSync(report, 'utf8')).toContain(`next: collab apply ${id} --remote applies the work`);
      expect(laptop.calls()).toEqual([]);
      expect(existsSync(join(laptop.folder, '.collab'))).toBe(false);
      expect(laptop.git('for-each-ref', 'refs/heads').trim().split('\n')).toHaveLength(1);
      const here = await laptop.collab([...run, '--yes']);
      expect([there.code, lastLines(there)]).toEqual([0, lastLines(here)]);
      const [listed] = JSON.parse((await laptop.remote(['runs', '--json'])).stdout);
      expect(listed).toMatchObject({ run: id, kind: 'run', state: 'ended', outcome: 'clean' });
      expect(await laptop.remote(['show', id])).toMatchObject({ code: 0, stdout: there.stdout });
      await expectLawful(laptop, id);
      const { stdout: patch } = await laptop.remote(['apply', id, '--patch']);
      expect(patch).toContain('+export const one = 1;\n');
      expect(laptop.git('branch', '--list', `collab/${id}`)).toBe('');
      expect(await laptop.remote(['apply', id])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('  added    src/one.js\n'),
      });
      expect(laptop.read('src/one.js')).toBe('export const one = 1;\n');
      expect(laptop.read('notes.txt')).toBe('mine\n');
      expect(laptop.git('branch', '--list', `collab/${id}`)).toBe('');
      worker.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
    });
  },
  limitMs,
);

test(
  'its questions are answered on a third machine, and another worker continues',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, first] = [machine('laptop'), machine('first')];
      const [phone, second] = [machine('phone'), machine('second')];
      for (const one of [laptop, first, second]) one.plays(straightWay);
      project(laptop);
      const asking = first.worker();
      const asked = await laptop.remote(run);
      const id = runIn(asked.stdout);
      expect(asked).toMatchObject({ code: 10, stdout: expect.stringContaining('1. Which version?') });
      asking.kill('SIGTERM');
      await asking.ended;
      expect((await phone.remote(['status', id])).stdout).toContain('waiting');
      expect(await phone.remote(['answer', id, '--file', '-'], 'Version 2.')).toMatchObject({ code: 11 });
      second.worker();
      const gate = await phone.remote(['wait', id, '--timeout', '3m']);
      expect(gate).toMatchObject({ code: 10, stdout: expect.stringContaining('# Do you approve?') });
      expect(await phone.remote(['answer', id, '--file', '-'], 'approve')).toMatchObject({ code: 11 });
      // No worker can change the files of the laptop: no one is asked whether to.
      expect(await phone.remote(['wait', id, '--timeout', '3m'])).toMatchObject({ code: 0 });
      expect(repeated([...first.calls(), ...second.calls()])).toEqual([]);
      await expectLawful(laptop, id);
      expect(await laptop.remote(['apply', id])).toMatchObject({ code: 0 });
    });
  },
  limitMs,
);

test(
  'a worker is killed after a turn that edits: another has the edits, and makes no recorded call again',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, first, second] = [machine('laptop'), machine('first'), machine('second')];
      project(laptop);
      for (const one of [laptop, second]) one.plays([...consults, ...straightWay]);
      first.plays([
        { when: { tag: '[CONSULT:IMPLEMENTATION]' }, fault: 'never' },
        ...consults,
        ...straightWay,
      ]);
      const victim = first.worker();
      const id = idOf(await laptop.remote([...run, '--yes', '--detach']));
      await seen('the consult', () => first.calls().some((call) => call.startsWith('ex_implementation')));
      victim.kill('SIGKILL');
      const heir = second.worker();
      expect(await laptop.remote(['wait', id, '--timeout', '4m'])).toMatchObject({ code: 0 });
      expect(heir.stderr()).toContain(`takes over ${id}`);
      const lost = first.calls().at(-1);
      expect(repeated([...first.calls().slice(0, -1), ...second.calls()])).toEqual([]);
      expect(lost).toMatch(/^ex_implementation.*\/1$/);
      await expectLawful(laptop, id);
      expect(await laptop.remote(['apply', id])).toMatchObject({ code: 0 });
      expect([laptop.read('src/one.js'), laptop.read('src/two.js')]).toEqual(['one\n', 'two\n']);
    });
  },
  limitMs,
);

test(
  'a worker is killed in a turn that edits: the turn begins again with the files that it began with, and nothing of it is left',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host] = [machine('laptop'), machine('host')];
      project(laptop);
      laptop.plays(straightWay);
      const half = { path: 'src/half.js', content: 'half\n' };
      host.plays([
        { when: { role: 'lead', work: 'implement' }, fault: 'never', edits: [half] },
        ...straightWay,
      ]);
      const victim = host.worker();
      const id = idOf(await laptop.remote([...run, '--yes', '--detach']));
      const state = join(host.folder, '../home/.local/state/collab');
      const stateFolders = () => (existsSync(state) ? readdirSync(state) : []);
      const isEdited = (name: string) => existsSync(join(state, name, 'tree', half.path));
      await seen('the edit', () => stateFolders().some(isEdited));
      victim.kill('SIGKILL');
      await victim.ended;
      expect(stateFolders()).toEqual([expect.stringContaining(id)]);
      const [left, ...others] = scratchFolders(host);
      expect([typeof left, others]).toEqual(['string', []]);
      host.plays(straightWay);
      host.worker();
      await seen('the end of the killed folder', () => !scratchFolders(host).includes(left ?? ''));
      expect(await laptop.remote(['wait', id, '--timeout', '4m'])).toMatchObject({ code: 0 });
      expect(stateFolders()).toEqual([]);
      expect(await laptop.remote(['apply', id])).toMatchObject({ code: 0 });
      expect([existsSync(join(laptop.folder, 'src/half.js')), laptop.read('src/one.js')]).toEqual([
        false,
        'export const one = 1;\n',
      ]);
    });
  },
  limitMs,
);

test(
  'it is canceled from elsewhere, queued or driven, and changes nothing',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host, phone] = [machine('laptop'), machine('host'), machine('phone')];
      for (const one of [laptop, host])
        one.plays([{ when: { role: 'lead' }, fault: 'never', repeat: 'forever' }, ...straightWay]);
      project(laptop);
      const queued = idOf(await laptop.remote([...run, '--yes', '--detach']));
      expect(await laptop.remote(['apply', queued])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${queued} is running; only finished runs can be applied`),
      });
      expect(await phone.remote(['cancel', queued])).toMatchObject({ stdout: `${queued} is cancelled\n` });
      host.worker();
      const driven = idOf(await laptop.remote([...run, '--yes', '--detach']));
      await seen('the call', () => host.calls().length === 1);
      expect(await phone.remote(['cancel', driven])).toMatchObject({ code: 0 });
      for (const id of [queued, driven]) {
        expect(await phone.remote(['wait', id, '--timeout', '3m'])).toMatchObject({
          code: 3,
          stdout: expect.stringContaining('cancelled'),
        });
        expect(await laptop.remote(['apply', id])).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('nothing to apply'),
        });
      }
    });
  },
  limitMs,
);

test(
  'the edits go into no other repository, and over no file that has changed since',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, other, host] = [machine('laptop'), machine('other'), machine('host')];
      for (const one of [laptop, host])
        one.plays([
          leads({ work: 'implement' }, 'Done.', { edits: [{ path: 'README.md', content: '# two\n' }] }),
          ...straightWay,
        ]);
      project(laptop);
      other.git('init', '-q');
      other.write('a.txt', 'other\n');
      other.git('add', '--all');
      other.git('commit', '-q', '-m', 'another history');
      host.worker();
      const id = runIn((await laptop.remote([...run, '--yes'])).stdout);
      const elsewhere = await other.remote(['apply', id]);
      expect(elsewhere).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/does not have the commit [0-9a-f]{40}, from which the run started\n/),
      });
      laptop.write('README.md', '# mine\n');
      expect(await laptop.remote(['apply', id])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/README\.md [\s\S]*git merge collab\//),
      });
      expect(laptop.git('show', `collab/${id}:README.md`)).toBe('# two\n');
      laptop.write('README.md', '# one\n');
      expect(await laptop.remote(['apply', id])).toMatchObject({ code: 0 });
      expect(laptop.read('README.md')).toBe('# two\n');
      expect(laptop.git('branch', '--list', 'collab/*')).toBe('');
    });
  },
  limitMs,
);

test(
  'what cannot travel is refused before anything is stored, and a worker of other kinds leaves it alone',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host, heir] = [machine('laptop'), machine('host'), machine('heir')];
      for (const one of [laptop, host, heir]) one.plays(straightWay);
      project(laptop);
      for (const [flags, words] of [
        [['--apply'], 'A worker cannot change your files: --apply is for a run on this machine'],
        [['--lead', 'caller'], 'The caller cannot lead a run on another machine'],
      ] as const) {
        const refused = await laptop.remote([...run, '--yes', '--detach', ...flags]);
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
      }
      const nameless = await laptop.remote([...run, '--yes'], '', { COLLAB_ENGINE: '' });
      expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('No database is named') });
      expect(await laptop.collab([...run, '--priority', 'batch'])).toMatchObject({ code: 2 });
      expect(JSON.parse((await laptop.remote(['runs', '--json'])).stdout)).toEqual([]);
      const older = host.worker('--kinds', 'review,consult');
      const id = idOf(await laptop.remote([...run, '--yes', '--detach']));
      const review = ['review', '--advisor', 'static_review', '--detach'];
      const next = idOf(await laptop.remote(review));
      await laptop.remote(['wait', next, '--timeout', '3m']);
      expect(older.stderr()).toContain(next);
      expect(older.stderr()).not.toContain(id);
      heir.worker('--kinds', 'workflow');
      expect(await laptop.remote(['wait', id, '--timeout', '3m'])).toMatchObject({ code: 0 });
    });
  },
  limitMs,
);

const run = ['run', 'Write one.', '--lead', scripted, '--advisor', scripted];

/** The lead writes a file, asks the advisor, and writes another one. */
const consults: readonly Turn[] = [
  leads({ work: 'implement' }, '[CONSULT:IMPLEMENTATION]\n\nIs it right?\n', {
    edits: [{ path: 'src/one.js', content: 'one\n' }],
  }),
  leads({ work: 'implement', contains: 'Export `one` by name.' }, 'Done.', {
    edits: [{ path: 'src/two.js', content: 'two\n' }],
  }),
];

/** A repository with a commit, and a file that is in none. */
function project(machine: Machine): void {
  machine.git('init', '-q');
  machine.write('README.md', '# one\n');
  machine.write('.gitignore', 'script.yaml\ncalls.log\n.collab/\n');
  machine.git('add', '--all');
  machine.git('commit', '-q', '-m', 'begin');
  machine.write('notes.txt', 'mine\n');
}

/** The temporary folders of the runs that workers of the machine drive, or left. */
function scratchFolders({ temporary }: Machine): readonly string[] {
  return readdirSync(temporary).filter((name) => name.startsWith('collab-run-'));
}

/** The report, without what differs: the id, and how a command names the database. */
function lastLines({ stdout }: PackedResult): string {
  return stdout
    .slice(stdout.lastIndexOf('clean — '))
    .replaceAll(idPattern, '(id)')
    .replaceAll(' --remote', '')
    .replaceAll(/\s+/g, ' ');
}

function repeated(calls: readonly string[]): readonly string[] {
  return calls.filter((call, index) => calls.indexOf(call) !== index);
}
