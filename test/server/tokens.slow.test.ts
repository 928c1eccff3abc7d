/** The tokens of a request: a tool gets them by name, and no output has their values. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { advises, designAnswer } from '../contract/workflow/workflow-script.ts';
import { filesHolding } from '../fixtures/files-holding.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';
import { serveWorld } from './served-folder.ts';

test('X002-24 a tool prints the token that it was handed by name, and its value is in no file, frame or answer', async () => {
  const secret = 'tok-5f1c9d2e8b7a';
  const rules = join(scratchFolder(), 'rules.yaml');
  writeFileSync(rules, 'tools: { policy: { Bash: allow } }\n');
  const prints = 'printf tok-; echo "${COLLAB_TOKEN_GIT_HUB#tok-}: ${#COLLAB_TOKEN_GIT_HUB}"';
  const { ask, say, faults, root, state } = await serveWorld({
    flags: { config: rules },
    turns: [
      {
        when: { work: 'converse' },
        messages: [{ call: { name: 'Bash', input: { command: prints } } }],
        answer: 'Done.',
        repeat: 'forever',
      },
      advises({ tag: '[CONSULT:DESIGN]' }, designAnswer),
    ],
  });
  const tokens = { 'git-hub': secret };
  const streams = [
    await say(`Push it with ${secret}.`, { tokens }),
    await say(`/bash ${JSON.stringify({ command: prints })}`, { tokens }),
    await say(`/consult design Is ${secret} a good one?`, { tokens }),
    await say('Push it again.'),
  ];
  const base = '/api/tenants/local/conversations/first';
  const shown = [await ask(base), await ask(`${base}/runs`)].map(({ text }) => text);
  expect(streams[0]).toContain('[token git-hub]: 16');
  expect(streams[1]).toContain('[token git-hub]: 16');
  expect(streams[2]).toContain('Is [token git-hub] a good one?');
  expect(streams[3]).toContain('tok-: 0');
  expect(JSON.stringify([streams, shown, faults])).not.toContain(secret);
  expect([root, state].flatMap((folder) => filesHolding(folder, secret))).toEqual([]);
  expect(faults).toEqual([]);
});
