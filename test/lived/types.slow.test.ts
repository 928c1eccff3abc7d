/** The declarations of the installed client against those that specification 002 writes, in a strict consumer. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installPackedCollab } from '../packed/packed-collab.ts';
import { repository } from '../packed/place.ts';

const specified = join(repository, 'test/fixtures/streaming/specification-types.ts');

test('R002-41 X002-D5 each type of the specification is assigned to the one of the installed client, and back', async () => {
  const { folder } = await installPackedCollab();
  const consumer = mkdtempSync(join(folder, 'consumer-'));
  onTestFinished(() => rmSync(consumer, { recursive: true }));
  const names = [...readFileSync(specified, 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(35);
  cpSync(specified, join(consumer, 'specified.ts'));
  writeFileSync(join(consumer, 'package.json'), '{"type":"module"}');
  const both = names.map(
    (name) => `export const to${name}: (value: Specified.${name}) => Ours.${name} = (value) => value;
export const from${name}: (value: Ours.${name}) => Specified.${name} = (value) => value;`,
  );
  writeFileSync(
    join(consumer, 'consumer.ts'),
    `import type * as Specified from './specified.js';
import type * as Ours from 'codex-collab/client';
${both.join('\n')}
const handlers: Ours.StreamingHandlers = {
  onContextStatus: ({ usage_percent }) => usage_percent,
  onInputDisabled: (disabled: boolean, message: string | null) => [disabled, message],
};
// @ts-expect-error there is no such handler, so the type is not any
const wrong: Ours.StreamingHandlers = { onNothing: () => undefined };
export { handlers, wrong };
`,
  );
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, ...flags, 'consumer.ts'], {
    cwd: consumer,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
