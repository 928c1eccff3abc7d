/** Machines of a test: each has a HOME and a working folder of its own, and shares nothing with the others but the database. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { expect } from 'vitest';
import { z } from 'zod';
import { checkLaws } from '../../../src/events/laws.ts';
import { collabEventSchema } from '../../../src/events/collab-event.ts';
import type { PackedResult } from '../packed-collab.ts';
import { inPlace } from '../place.ts';
import { recordsIn } from '../records-in.ts';
import type { StartedCommand } from '../started-command.ts';

export interface Machine {
  /** The working folder. */
  readonly folder: string;
  /** The folder for temporary files. */
  readonly temporary: string;
  readonly write: (path: string, content: string) => void;
  readonly read: (path: string) => string;
  /** Puts the script that {@link scripted} names into the working folder. */
  readonly plays: (turns: readonly object[]) => void;
  /** The calls that the script of this machine began, in order. */
  readonly calls: () => readonly string[];
  readonly git: (...args: readonly string[]) => string;
  readonly collab: (words: readonly string[], input?: string) => Promise<PackedResult>;
  /** A command on the runs of the database. */
  readonly remote: (
    words: readonly string[],
    input?: string,
    variables?: Readonly<Record<string, string>>,
  ) => Promise<PackedResult>;
  readonly worker: (...flags: readonly string[]) => StartedCommand;
  readonly start: (words: readonly string[]) => StartedCommand;
}

/** The agent of each machine plays the script in the working folder of the process that asks it. */
export const scripted = 'rehearsal:/proc/self/cwd/script.yaml';

/** Gives `use` a function that creates a machine on a database with tables; removes the machines afterward. */
export async function withMachines(
  address: string,
  use: (machine: (name: string) => Machine) => Promise<void>,
): Promise<void> {
  await inPlace(
    async (place) => {
      const machine = (name: string): Machine => {
        const part = (of: string): string => join(place.folder, '..', name, of);
        const [home, folder, temporary] = [part('home'), part('work'), part('tmp')];
        for (const path of [home, folder, temporary]) mkdirSync(path, { recursive: true });
        const at = { cwd: folder, env: { HOME: home, TMPDIR: temporary, COLLAB_ENGINE: address } };
        const write = (path: string, content: string): void => {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), content);
        };
        const collab = (
          words: readonly string[],
          input = '',
          variables: Readonly<Record<string, string>> = {},
        ) => place.collab(words, { ...at, env: { ...at.env, ...variables }, input });
        return {
          folder,
          temporary,
          write,
          read: (path) => readFileSync(join(folder, path), 'utf8'),
          plays: (turns) => write('script.yaml', stringify({ call_log: 'calls.log', turns })),
          calls() {
            const log = join(folder, 'calls.log');
            if (!existsSync(log)) return [];
            return [...readFileSync(log, 'utf8').matchAll(/^begin (.+)$/gm)].map(([, call = '']) => call);
          },
          git: (...args) =>
            execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
              cwd: folder,
              env: { ...place.environment, HOME: home },
              encoding: 'utf8',
              stdio: 'pipe',
            }),
          collab,
          remote: (words, input, variables) => collab([...words, '--remote'], input, variables),
          worker: (...flags) => place.start(['worker', ...flags], at),
          start: (words) => place.start(words, at),
        };
      };
      await machine('administrator').collab(['engine', 'migrate']);
      await use(machine);
    },
    ['pg'],
  );
}

/** A machine that does much else is slow, and a call that was lost waits before it is made again. */
export async function seen(what: string, holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 120_000, message: what }).toBe(true);
}

/** The id of a run that was submitted with `--detach`. */
export function idOf({ stdout }: PackedResult): string {
  return z.object({ run: z.string() }).parse(JSON.parse(stdout)).run;
}

export const idPattern = /\d{8}-\d{6}-\w{4}/g;

/** The first id of a run in a text; empty if there is none. */
export function runIn(text: string): string {
  return text.match(idPattern)?.[0] ?? '';
}

/** The records of a run follow the laws, and name no folder. */
export async function expectLawful(machine: Machine, run: string): Promise<void> {
  const { stdout } = await machine.remote(['show', run, '--events']);
  const events = recordsIn(stdout).map((record) => collabEventSchema.parse(record));
  expect(checkLaws(events)).toEqual([]);
  expect(events[0]).toMatchObject({ type: 'run.started', cwd: '' });
}
