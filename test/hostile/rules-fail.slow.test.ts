/** A review whose rules cannot run, such as without their native parser: it is never clean, and secrets are still found. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sampleSecrets } from '../fixtures/sample-secrets.ts';
import { test, type Place } from '../packed/place.ts';
import { startMessagesUpstream } from '../upstream/messages-server.ts';

const nothingFound = `[RESPONSE:REVIEW]

## STRENGTHS
None

## ISSUES
None

## SUGGESTIONS
None
`;

async function withoutParser(place: Place, added: string) {
  const upstream = await startMessagesUpstream(({ text }) => ({
    text: `${nothingFound}\n${/`(END [0-9a-f]{16})`/.exec(text)?.[1] ?? 'no line was asked for'}\n`,
  }));
  onTestFinished(() => upstream.close());
  const config = `providers:\n  anthropic: { base_url: "${upstream.url}" }\n`;
  place.write('../config.yaml', config);
  const broken = join(place.folder, '../broken.cjs');
  place.write('../broken.cjs', "process.dlopen = () => { throw new Error('no parser here'); };\n");
  place.write('a.js', 'export const a = 1;\n');
  place.git('init', '-q');
  place.git('add', '.');
  place.git('commit', '-qm', 'one');
  place.write('a.js', `export const a = 1;\n${added}\n`);
  return place.collab(
    ['review', '--advisor', 'anthropic', '--config', '../config.yaml', '--format', 'json'],
    { env: { NODE_OPTIONS: `--require ${broken}`, ANTHROPIC_API_KEY: 'sk-scripted' } },
  );
}

test('it is incomplete although the advisor found nothing, and says why', async ({ place, expect }) => {
  const { code, stdout } = await withoutParser(place, 'export const b = eval(a);');
  const result = JSON.parse(stdout);
  expect([code, result.outcome, result.findings]).toEqual([3, 'incomplete', []]);
  expect(result.reasons[0]).toMatch(/^rules_failed: the rules failed and looked at nothing: \S/);
});

test('a secret is still found', async ({ place, expect }) => {
  const { code, stdout } = await withoutParser(place, `export const b = eval(a);\n${sampleSecrets[3]?.line}`);
  const result = JSON.parse(stdout);
  expect([code, result.outcome]).toEqual([3, 'incomplete']);
  expect(result.findings).toMatchObject([{ severity: 'critical', source: 'rule:hardcoded-secret' }]);
});
