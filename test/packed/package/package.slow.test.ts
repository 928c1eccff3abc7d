import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installPackedCollab } from '../packed-collab.ts';
import { repository } from '../place.ts';

test('the declarations compile in a strict consumer, with all that they import installed', async () => {
  const { folder } = await installPackedCollab();
  const consumer = mkdtempSync(join(folder, 'consumer-'));
  writeFileSync(join(consumer, 'package.json'), '{"type":"module"}');
  writeFileSync(join(consumer, 'consumer.ts'), consumerSource);
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  const result = spawnSync(process.execPath, [tsc, ...flags, 'consumer.ts'], {
    cwd: consumer,
    encoding: 'utf8',
  });
  expect({ status: result.status, stdout: result.stdout }).toEqual({ status: 0, stdout: '' });
});

const consumerSource = `
import { collabEventSchema, review, type CollabEvent, type ReviewResult } from 'codex-collab';
import { AgentPainException, type IProvider, type ITool, type ProviderResponse } from 'codex-collab/interfaces';
const outcome: (result: ReviewResult) => 'clean' | 'nothing_reviewed' | 'findings' | 'incomplete' | 'failed' | null = (result) => result.outcome;
const parse: (value: unknown) => CollabEvent = (value) => collabEventSchema.parse(value);
// @ts-expect-error a result has no such field, so its type is not any
const wrong = (result: ReviewResult) => result.nothing;
const provider: IProvider = {
  name: 'echo',
  generate: async (prompt, { tools }): Promise<ProviderResponse> => {
    const tool: ITool | undefined = tools.get(prompt);
    if (tool === undefined) throw new AgentPainException('no tool', { raw: prompt });
    return { segments: [{ type: 'text', text: tool.description }] };
  },
};
console.log(outcome, parse, wrong, review, provider);
`;
