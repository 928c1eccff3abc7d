/** An advisor with a vendor's SDK for a user: requested without its SDK, and with it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { everyProvider } from '../../contract/providers/every-provider.ts';
import { environmentOf, upstreamOf, type ProviderFixture } from '../../contract/providers/fixture.ts';
import { change, wholeAnswer } from '../../fixtures/review-answers.ts';
import { scratchFolder } from '../../fixtures/scratch-repository.ts';
import { installBeside } from '../packed-collab.ts';

const sdkNames: Readonly<Record<string, string>> = { openai: 'openai', gemini: '@google/genai' };
const vendors = everyProvider.filter(
  ({ provider, settings }) => provider.name in sdkNames && settings === undefined,
);

// One after the other: what a helper clears away belongs to the test that runs.
describe.each(vendors)('$name', (fixture) => {
  const { name } = fixture.provider;
  const sdk = sdkNames[name] ?? '';

  test('without its SDK ends with the command that installs it', async () => {
    const { folder, collab } = await consumer(fixture, { url: 'http://127.0.0.1:9', sdks: [] });
    const { exitCode, stdout, stderr } = await collab('review', 'change.diff', '--advisor', name);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`${sdk} is not installed`);
    expect(`${stdout}${stderr}`.replace(/\s+/g, '')).toContain(`npminstall--prefix${folder}"${sdk}@^`);
  });

  test('reviews a change as its advisor, and a key alone selects no vendor', async () => {
    const upstream = await upstreamOf(fixture, { text: wholeAnswer });
    const { collab } = await consumer(fixture, { url: upstream.url, sdks: [sdk] });
    const auto = await collab('review', 'change.diff');
    expect(`${auto.stdout}${auto.stderr}`).toContain('static');
    expect(upstream.requests).toHaveLength(0);
    const asked = await collab(
      'review',
      'change.diff',
      '--advisor',
      `${name}:gemini-pro-latest`,
      '--effort',
      'quick',
      '--format',
      'json',
    );
    expect([asked.exitCode, asked.stderr]).toEqual([1, expect.stringContaining(new URL(upstream.url).host)]);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      outcome: 'findings',
      assurance: 'model',
      usage: fixture.usage,
    });
    const listed = await collab('provider', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ name, ready: true, roles: ['lead', 'advisor'], auth_mode: 'api_key' }),
    );
  });
});

/** A project of its own: everything in it except the package belongs to the test. */
async function consumer(
  fixture: ProviderFixture,
  { url, sdks }: { readonly url: string; readonly sdks: readonly string[] },
) {
  const folder = scratchFolder();
  const { command, environment } = await installBeside(folder, sdks);
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'change.diff'), change);
  const env = { ...environment, ...environmentOf(fixture.name, url), HOME: folder };
  const collab = (...args: readonly string[]) =>
    execa(process.execPath, [command, ...args], {
      cwd: folder,
      env,
      extendEnv: false,
      input: '',
      reject: false,
    });
  return { folder, collab };
}
