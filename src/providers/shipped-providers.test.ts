/** Checks the built-in providers against the contract for all others. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { checkShipped } from './folders/check-folder.ts';
import { inspectFolder } from './folders/inspect-folder.ts';
import { loadShippedClient, providerNames } from './contract/registry.ts';
import { RehearsalClient } from './rehearsal/rehearsal_client.ts';
import { collect, request } from './scripted-client.test-helper.ts';
import { StaticReviewClient } from './static_review/static_review_client.ts';

test.each(providerNames)('R003-1 R003-6 the folder of %s is one of a provider', async (name) => {
  const folder = await inspectFolder(join(import.meta.dirname, name), { taken: [], stripsTypes: true });
  // Its tests are next to it and not part of it.
  expect(folder.faults.filter(({ path }) => !path.endsWith('.test.ts'))).toEqual([]);
  expect(folder.profiles.length).toBeGreaterThan(0);
});

const ownRequests = (name: string) =>
  `errors, abort and history were not checked: its requests do not go to ${name}_API_BASE`;
const told = 'history: told in its prompt as text, because it keeps a session of its own';
const ownTools = 'tools: its own; those of the caller are refused';
const noTools = 'tools: none; those of the caller are refused';
const notes: Readonly<Record<string, readonly string[]>> = {
  codex: [told, ownTools, ownRequests('CODEX')],
  claude_code: [told, ownTools, ownRequests('CLAUDE_CODE')],
  static_review: [
    'history: none; earlier messages do not affect its answer',
    noTools,
    ownRequests('STATIC_REVIEW'),
  ],
  rehearsal: [told, noTools, ownRequests('REHEARSAL')],
};

test.each(providerNames)(
  'R003-57 R003-59 %s passes the check, which says what it cannot do',
  async (name) => {
    const Client = await loadShippedClient(name);
    if (Client === null) throw new Error(`${name} has no client`);
    expect(await checkShipped(name, Client, { patienceMs: 20_000 })).toMatchObject({
      name,
      faults: [],
      warnings: [],
      notes: notes[name] ?? [],
    });
  },
);

const diff = `--- a/pay.js
+++ b/pay.js
@@ -1 +1,2 @@
 const total = sum(items);
+eval(request.body.formula);
`;

test('the client of static_review answers a diff, as text or as a file, in the form of a review', async () => {
  const path = join(scratchFolder(), 'change.diff');
  writeFileSync(path, diff);
  const client = new StaticReviewClient({ env: {} });
  const asText = await collect(client.sendRequestStream({ ...request, currentTextInput: diff }));
  const asFile = await collect(
    client.sendRequestStream({ ...request, currentTextInput: '', currentFilePaths: [path] }),
  );
  expect(asFile).toEqual(asText);
  const [chunk, complete] = asText;
  if (chunk?.type !== 'text_chunk') throw new Error('it printed nothing');
  expect(chunk.text).toMatch(/^\[RESPONSE:REVIEW\]/);
  expect(chunk.text).toContain('pay.js:2');
  expect(complete).toEqual({ type: 'complete', text: chunk.text, stop_reason: 'end_turn' });
});

test.each([
  ['no diff at all', 'Please review this.', 'there is none'],
  ['a damaged one', diff.replace('+1,2 @@', '+1,9 @@'), 'line '],
])('the client of static_review refuses %s', async (_name, currentTextInput, text) => {
  const client = new StaticReviewClient({ env: {} });
  const said = collect(client.sendRequestStream({ ...request, currentTextInput }));
  await expect(said).rejects.toThrow(`static_review reads a unified diff: ${text}`);
});

const abortSignal = AbortSignal.abort();

test('X003-7.1 an aborted signal also ends a call without a request', async () => {
  const reviewer = new StaticReviewClient({ env: {} });
  const script = scripted('  - answer: never\n');
  const player = new RehearsalClient({ env: {} });
  const aborted = [{ type: 'aborted', text: '', reason: 'user_abort' }];
  const wish = { ...request, abortSignal };
  expect(await collect(reviewer.sendRequestStream({ ...wish, currentTextInput: diff }))).toEqual(aborted);
  expect(await collect(player.sendRequestStream({ ...wish, modelId: script }))).toEqual(aborted);
});

test('the client of rehearsal plays a script and passes earlier messages to it', async () => {
  const script = scripted(
    "  - when: { role: lead, contains: hello }\n    stream: true\n    answer: 'You said hello.'\n",
  );
  const client = new RehearsalClient({ env: {} });
  const events = await collect(client.sendRequestStream({ ...request, modelId: script }));
  expect(events.at(-1)).toMatchObject({ type: 'complete', text: 'You said hello.' });
});

function scripted(turns: string): string {
  const path = join(scratchFolder(), 'script.yaml');
  writeFileSync(path, `turns:\n${turns}`);
  return path;
}
