/** Reports to devices, descriptors and pipes that take no text: a clear error, and no result is lost. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { example, test, type Place } from '../packed/place.ts';
import { asUser, isRoot, nobody, openTo } from './other-user.ts';

const patient = { timeout: 120_000 };
const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];

/** Runs the program as a user who cannot change a device, with the words of a shell behind it. */
function collab(place: Place, args: readonly string[], redirections = '') {
  if (isRoot) openTo(place, nobody);
  const [file, ...before] = asUser(nobody);
  const line = `exec "$0" "$@" ${redirections}`;
  const { status, stdout, stderr } = spawnSync(
    file,
    [...before, '/bin/bash', '-c', line, process.execPath, place.command, ...args],
    {
      cwd: place.folder,
      env: { ...place.environment, PATH: process.env['PATH'] ?? '' },
      encoding: 'utf8',
      input: '',
    },
  );
  return { code: status, stdout, stderr };
}

describe.skipIf(!existsSync('/dev/full'))('a report that cannot be written', () => {
  test('is named, and the findings and the other reports are there', patient, ({ place, expect }) => {
    const kept = join(place.folder, 'kept.json');
    const reports = ['--report', 'json=/dev/full', '--report', `json=${kept}`];
    const { code, stdout, stderr } = collab(place, [...review, ...reports]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('/dev/full cannot be written: the disk is full'),
    ]);
    expect(stdout).toMatch(/^findings — /m);
    expect(readFileSync(kept, 'utf8')).toContain('"state": "ended"');
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
    expect(collab(place, ['show']).stdout).toMatch(/^findings — /m);
  });

  test('a pipe whose reader ends is named', patient, ({ place, expect }) => {
    const { code, stdout, stderr } = collab(
      place,
      [...review, '--report', 'json=/dev/fd/9'],
      '9> >(exec true)',
    );
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('/dev/fd/9 cannot be written: its reader has ended'),
    ]);
    expect(stdout).toMatch(/^findings — /m);
  });
});

test.runIf(process.platform === 'linux')(
  'no descriptor of the program itself takes a report, and the error names it',
  patient,
  ({ place, expect }) => {
    for (let descriptor = 3; descriptor < 30; descriptor += 1) {
      const { code, stderr } = collab(place, [...review, '--report', `json=/dev/fd/${descriptor}`]);
      expect([descriptor, code === 2 || code === 4, stderr]).toEqual([
        descriptor,
        true,
        expect.stringMatching(
          new RegExp(`^collab: /dev/fd/${descriptor} (?:is not open|cannot be written): `, 'm'),
        ),
      ]);
    }
    for (const run of place.runs()) {
      const journal = join(run, 'journal.jsonl');
      if (existsSync(journal)) expect(readFileSync(journal, 'utf8')).not.toContain('collab.review/v1');
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a descriptor that a shell passes gets the report',
  patient,
  ({ place, expect }) => {
    const { code } = collab(place, [...review, '--report', 'json=/dev/fd/9'], '9>out.json');
    expect(code).toBe(1);
    expect(readFileSync(join(place.folder, 'out.json'), 'utf8')).toContain('"schema": "collab.review/v1"');
    execFileSync('rm', [join(place.folder, 'out.json')]);
    expect(collab(place, [...review, '--report', 'json=/dev/fd/9'], '9>&1').stdout).toContain(
      '"schema": "collab.review/v1"',
    );
    const closed = collab(place, [...review, '--report', 'json=/dev/fd/9'], `9<${example('checkout.diff')}`);
    expect([closed.code, closed.stderr]).toEqual([
      4,
      expect.stringContaining('/dev/fd/9 cannot be written: it is not open for writing'),
    ]);
  },
);
