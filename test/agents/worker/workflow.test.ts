/**
 * A run of phases that a person submits here and installed workers drive on other hosts, with the real Claude Code and the real
 * Codex: what Claude edits there arrives by `collab apply`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collabEventSchema } from '../../../src/events/collab-event.ts';
import { checkLaws } from '../../../src/events/laws.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import type { PackedResult } from '../../packed/packed-collab.ts';
import { recordsIn } from '../../packed/records-in.ts';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import type { Step } from '../../upstream/steps.ts';
import { advisorRows, byWords, leadRows, fixed, writesTooMuch, type Row } from '../pair/pair-scripts.ts';
import { workFolderIn } from '../pair/pair-user.ts';
import type { Models } from './other-host.ts';
import { commitAll, endModels, startModels, withSubmitter, type Submitter } from './submitter.ts';

let cluster: PostgresCluster;
let models: Models;
beforeAll(async () => {
  cluster = await startPostgres();
  models = await startModels();
});
afterAll(async () => {
  await endModels(models);
  await cluster.remove();
});

const limitMs = 300_000;

/** The words of all requests to both models when nothing disturbs the run. */
const undisturbed = [
  'Phase: requirements.',
  '[CONSULT:REQUIREMENTS]',
  'Write down what is settled',
  'Phase: design.',
  '[CONSULT:DESIGN]',
  'it asks a question before it answers',
  'export const rate = 19',
  '[RESPONSE:CLAUDE:CONTEXT]',
  'Write down the design',
  'Phase: implementation.',
  'src/total.ts',
  '[CONSULT:IMPLEMENTATION]',
  'ADVICE',
  'Phase: review.',
  '=> eval(',
  'The review found faults',
  'src/total.ts',
  'Phase: review.',
  '[REQUEST:REVIEW]',
];

test(
  'the file that Claude writes on another host, and fixes after the review by Codex, is applied where the run was submitted',
  async () => {
    await withRepository(async (person) => {
      const { place, host } = person;
      const worker = await host();
      const folders: string[] = [];
      const asked = play({ onLead: (request) => folders.push(workFolderIn(request)) });
      const ended = await submit(person);
      expect(ended).toMatchObject({ code: 0 });
      // Each turn of Claude works in a folder of the other host, below its own home.
      expect(folders.filter((folder) => !folder.startsWith(worker.world.home))).toEqual([]);
      expect(existsSync(join(place.folder, 'src/total.ts'))).toBe(false);
      expect(asked.toSorted()).toEqual(undisturbed.toSorted());
      await expectApplied(person, runIn(ended));
    });
  },
  limitMs,
);

test(
  'a host that is lost while Claude works is replaced: the edit begins again, and no recorded call is made twice',
  async () => {
    await withRepository(async (person) => {
      const { place, host } = person;
      const lost = await host();
      const asked = play({ hangs: 'src/total.ts' });
      const following = submit(person);
      await expect.poll(() => asked.at(-1), { timeout: 120_000 }).toBe('src/total.ts');
      await lost.lose();
      const first = [...asked];
      const again = play();
      const other = await host();
      const ended = await following;
      expect(ended).toMatchObject({ code: 0 });
      expect(other.stderr()).toContain(`takes over ${runIn(ended)}`);
      // The requests of the turn on its way, and no other.
      expect([...first, ...again].toSorted()).toEqual(
        [...undisturbed, 'Phase: implementation.', 'src/total.ts'].toSorted(),
      );
      await expectApplied(person, runIn(ended));
      expect(existsSync(join(place.folder, 'src/stray.ts'))).toBe(false);
    });
  },
  limitMs,
);

interface Played {
  readonly onLead?: (request: { readonly text: string; readonly lastInput: string }) => void;
  /** Claude's model does not answer a request with these words; the edit before it leaves more than it should. */
  readonly hangs?: string;
}

/** Returns the words of the requests to both models, which are added as they come. */
function play({ onLead, hangs }: Played = {}): readonly string[] {
  const asked: string[] = [];
  const isLost = hangs !== undefined;
  const rows = leadRows.map((row): Row<MessagesStep> =>
    isLost && row[0] === 'Phase: implementation.' ? [row[0], writesTooMuch] : row,
  );
  models.claude.play(
    byWords(rows, (words, request) => {
      asked.push(words);
      onLead?.(request);
      return words === hangs ? { hang: 'headers' } : null;
    }),
  );
  models.codex.play(
    byWords<Step>(advisorRows, (words) => {
      asked.push(words);
      return null;
    }),
  );
  return asked;
}

/** Submits the run and follows it to its end. The keys of a host are not sent to an address that the submitter names. */
function submit({ place, env }: Pick<Submitter, 'place' | 'env'>): Promise<PackedResult> {
  const config = join(place.folder, '../pair.yaml');
  const providers = `providers:\n  claude_code: { base_url: "http://127.0.0.1:9" }\n`;
  writeFileSync(config, `waits: [50ms]\n${providers}`);
  const agents = ['--lead', 'claude_code', '--advisor', 'codex'];
  return place.collab(['run', 'Totals with tax', ...agents, '--yes', '--remote', '--config', config], {
    env,
  });
}

function runIn({ stdout }: PackedResult): string {
  const [, run = ''] = /collab apply (\S+) --remote/.exec(stdout) ?? [];
  return run;
}

async function expectApplied({ place, env }: Pick<Submitter, 'place' | 'env'>, run: string): Promise<void> {
  const { stdout } = await place.collab(['show', run, '--events', '--remote'], { env });
  expect(checkLaws(recordsIn(stdout).map((record) => collabEventSchema.parse(record)))).toEqual([]);
  expect(await place.collab(['apply', run, '--remote'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  added    src/total.ts\n'),
  });
  expect(place.read('src/total.ts')).toBe(fixed);
  expect(place.read('notes.txt')).toBe('mine\n');
  expect(place.git('branch', '--list', 'collab/*')).toBe('');
}

/** A repository with the rate, and a file that is in no commit. */
function withRepository(use: (submitter: Submitter) => Promise<void>): Promise<void> {
  return withSubmitter({ cluster, models }, async (submitter) => {
    const { place } = submitter;
    place.write('src/rate.ts', 'export const rate = 19;\n');
    commitAll(place);
    place.write('notes.txt', 'mine\n');
    await use(submitter);
  });
}
