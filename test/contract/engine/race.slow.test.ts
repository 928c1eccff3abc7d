import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../setup/build-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-race-'));
const rounds = 50;
const racersAtOnce = 6;
const alive = new Set<ChildProcessWithoutNullStreams>();
let program = '';

beforeAll(async () => {
  program = await buildProgram(join(import.meta.dirname, 'lock-racer.program.ts'), folder);
});
afterAll(() => {
  for (const child of alive) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('six racing owners, fifty rounds, each after the last owner was killed: never two', async () => {
  const run = join(folder, 'run');
  mkdirSync(run);
  let racers = await Promise.all(Array.from({ length: racersAtOnce }, startRacer));
  for (let round = 1; round <= rounds; round += 1) {
    const results = await Promise.all(racers.map((racer) => racer.race(run)));
    expect({ round, results: results.toSorted() }).toEqual({ round, results: oneWinner });
    const winner = results.indexOf('won');
    await racers[winner]?.kill();
    racers = [...racers.toSpliced(winner, 1), await startRacer()];
  }
  expect(readdirSync(run).filter((name) => name.startsWith('lock.'))).toHaveLength(rounds);
}, 240_000);

const oneWinner = [...Array.from({ length: racersAtOnce - 1 }, () => 'locked'), 'won'];

async function startRacer() {
  const child = spawn(process.execPath, [program], { env: { TMPDIR: folder } });
  alive.add(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async race(run: string): Promise<string> {
      child.stdin.write(`${run}\n`);
      const { value } = await lines.next();
      return String(value);
    },
    async kill(): Promise<void> {
      const gone = once(child, 'close');
      child.kill('SIGKILL');
      await gone;
      alive.delete(child);
    },
  };
}
