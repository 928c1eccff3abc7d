/** Another process repeatedly replaces a folder of the run by a link while the installed program works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { example, repository, test, type Place } from '../packed/place.ts';

const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];
const report = ['--report', 'json=out/deep/report.json', '--report', 'markdown=out/report.md'];

/** At any moment, a run ends with its result, or with a message about the lost path or lock. */
const sentence = /^collab: .*\/project\/|another process has taken over the run/m;

describe.skipIf(process.platform !== 'linux')('a folder that becomes a link at any moment', () => {
  test.for(['.collab', '.collab/runs', '.collab/cache', 'out'])(
    'as %s leads nowhere, and each run ends',
    async (path, { place, expect }) => {
      place.git('init', '--quiet');
      mkdirSync(join(place.folder, path), { recursive: true });
      const canary = canaryOf(place);
      const swapper = await startSwapper(place, join(place.folder, path), canary.folder);
      const ended = await Promise.all(
        Array.from({ length: 6 }, async (_, turn) => {
          const { code, stderr } = await place.collab([...review, ...(turn % 2 === 0 ? report : [])]);
          return { code, stderr };
        }),
      );
      expect(await swapper.stop()).toBeGreaterThan(6);
      for (const { code, stderr } of ended) {
        expect(stderr).not.toMatch(/internal error|^ {4}at /m);
        expect([1, 2, 4]).toContain(code);
        if (code !== 1) expect(stderr).toMatch(sentence);
      }
      expect(canary.content()).toEqual(['.gitignore', 'kept', 'kept']);
    },
  );
});

function canaryOf(place: Place) {
  const folder = join(place.folder, '../canary');
  mkdirSync(folder);
  for (const name of ['.gitignore', 'kept']) writeFileSync(join(folder, name), 'kept');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    folder,
    content: () => [...readdirSync(folder), ...new Set(readdirSync(folder).map(read))],
  };
}

async function startSwapper(place: Place, path: string, target: string) {
  const spare = join(place.folder, '../spare');
  mkdirSync(spare);
  const program = join(repository, 'test/fixtures/bin/swap.mjs');
  const child = spawn(process.execPath, [program, path, target, spare], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let links = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (links += text));
  await once(child.stdout, 'data');
  return {
    /** Returns how often the path was a link. */
    async stop(): Promise<number> {
      child.stdin.end();
      await once(child, 'close');
      return links.split('\n').length - 1;
    },
  };
}
