/** The whole product on the real Codex: a diff goes in, an honest outcome comes out (DESIGN §8). */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { installPackedCollab } from '../packed/packed-collab.ts';
import { startUpstream, type Upstream } from '../upstream/responses-server.ts';
import { inOrder } from '../upstream/steps.ts';
import { createWorld, type World } from './codex-world.ts';

const wholeAnswer = `[RESPONSE:REVIEW]

## STRENGTHS
- Small functions.

## ISSUES
### Critical
1. **An amount is rounded too early** — \`src/checkout/total.ts:999\`
   \`\`\`
     const tax = Math.round(subtotal + shipping) * taxRate;
   \`\`\`
   Why: totals differ by cents.
   Fix: round once.

## SUGGESTIONS
None
`;

let opened: (World | Upstream)[] = [];
afterEach(async () => {
  await Promise.all(opened.map((part) => part.close()));
  opened = [];
});

test('a whole answer becomes a finding on the computed line', async () => {
  const upstream = await startUpstream(inOrder({ text: wholeAnswer }));
  const world = createWorld({ url: upstream.url });
  opened.push(upstream, world);
  copyFileSync(join(import.meta.dirname, '../../examples/checkout.diff'), join(world.root, 'checkout.diff'));
  const collab = await installPackedCollab();
  const ended = await collab.run(['review', 'checkout.diff', '--format', 'json'], {
    cwd: world.root,
    env: world.env,
  });
  expect(ended.code).toBe(1);
  expect(upstream.requests).toHaveLength(1);
});
