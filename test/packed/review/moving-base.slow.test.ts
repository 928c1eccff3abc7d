/** A branch that another process moves while a review starts. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { test, type Place } from '../place.ts';

const inputSchema = z.looseObject({
  notes: z.array(z.string()),
  change: z.looseObject({ base: z.string() }),
});

const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/**
 * Puts a `git` before the real one: once a process has read objects, the search of the merge base moves `main` to another
 * commit.
 */
function moveWhenRead(place: Place, other: string) {
  const folder = join(place.folder, '../moving');
  mkdirSync(folder);
  const git = place.write(
    '../moving/git',
    `#!/bin/sh
for word; do
  [ "$word" = cat-file ] && touch '${folder}/read'
  if [ "$word" = merge-base ] && [ -e '${folder}/read' ]; then
    (unset GIT_DIR GIT_WORK_TREE GIT_OBJECT_DIRECTORY GIT_INDEX_FILE
    cd '${place.folder}' && '${real}' update-ref refs/heads/main ${other} && touch '${folder}/moved')
  fi
done
exec '${real}' "$@"
`,
  );
  chmodSync(git, 0o755);
  return {
    env: { CI: 'true', PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    hasMoved: () => existsSync(join(folder, 'moved')),
  };
}

test.for([
  ['a base', ['--base', 'main']],
  ['a range', ['main...HEAD']],
  ['a base that is named for the configuration, too', ['--base', 'main', '--config-from', 'main']],
] as const)(
  '%s that moves meanwhile is one commit, for the settings and the change',
  async ([, args], { place, expect }) => {
    place.git('init', '-q', '-b', 'main');
    place.write('total.ts', 'export const total = 1;\n');
    place.write('collab.config.yaml', 'fail_on: minor\nexclude: ["docs/**"]\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'one');
    const one = place.git('rev-parse', 'HEAD').trim();
    place.write('collab.config.yaml', 'fail_on: never\nexclude: ["**"]\n');
    place.git('commit', '-qam', 'other');
    const other = place.git('rev-parse', 'HEAD').trim();
    place.git('checkout', '-qb', 'topic', one);
    place.write('total.ts', 'export const total = 2;\n');
    place.git('commit', '-qam', 'topic');
    place.git('update-ref', 'refs/heads/main', one);
    const { env, hasMoved } = moveWhenRead(place, other);
    const { stderr } = await place.collab(['review', ...args, '--advisor', 'static_review'], { env });
    expect([hasMoved(), stderr]).toEqual([true, expect.stringContaining('static_review')]);
    const { notes, change } = inputSchema.parse(
      JSON.parse(readFileSync(join(place.lastRun(), 'input.json'), 'utf8')),
    );
    const [, read = 'none'] = /collab\.config\.yaml of main \((\w{12})\)/.exec(notes.join('\n')) ?? [];
    expect([read, change.base]).toEqual([one.slice(0, 12), one]);
  },
);
