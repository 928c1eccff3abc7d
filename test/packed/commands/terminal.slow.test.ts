/** At a terminal of forty columns, which `script` of util-linux makes: width, colours, and none with NO_COLOR. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe } from 'vitest';
import { displayWidth } from '../../../src/text/display-width.ts';
import { example, test, type Place } from '../place.ts';

const script = '/usr/bin/script';

describe.skipIf(process.platform !== 'linux' || !existsSync(script))('at a terminal', () => {
  test('a report fits forty columns, the same letters with and without colors, which mark code instead of backticks', async ({
    place,
    expect,
  }) => {
    await place.collab(['review', example('checkout.diff'), '--advisor', 'static_review']);
    const [colored, plain] = await Promise.all([atTerminal(place, {}), atTerminal(place, { NO_COLOR: '1' })]);
    // oxlint-disable-next-line no-control-regex
    expect(plain).not.toMatch(/\u001b/);
    expect(colored).toContain('\u001b[1m');
    expect(plain).toContain('`statement-without-where`');
    expect(colored).not.toContain('`statement-without-where`');
    expect(lettersOf(stripVTControlCharacters(colored))).toBe(lettersOf(plain));
    const report = plain.slice(plain.indexOf('db/migrations/'));
    // A path is not cut, so that it can be copied.
    const wide = report
      .split('\n')
      .filter((line) => displayWidth(line) > 40 && !line.endsWith('transcript.md'));
    expect(wide).toEqual([]);
    expect(report).toContain('\nfindings — 18 findings: 8 critical, 9\n');
  });
});

const run = promisify(execFile);

/** The characters of `text` without backticks and line breaks, which the width moves. */
function lettersOf(text: string): string {
  return text.replaceAll(/[`\s]/gu, '');
}

/** The report of the last run at the terminal, with plain line ends. */
async function atTerminal(place: Place, extra: Readonly<Record<string, string>>): Promise<string> {
  const command = `stty cols 40; exec '${process.execPath}' '${place.command}' show`;
  const env = { ...place.environment, PATH: '/usr/bin:/bin', TERM: 'xterm', ...extra };
  const { stdout } = await run(script, ['-qec', command, '/dev/null'], { cwd: place.folder, env });
  return stdout.replaceAll('\r\n', '\n');
}
