/** `npm run lock`, with an `npm` that knows one package. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './fixtures/scratch-repository.ts';

const script = resolve(import.meta.dirname, '../scripts/complete-lock.mjs');

test.skipIf(process.platform === 'win32')(
  'the lock gets the platform packages that npm left out and the digests that the registry has',
  () => {
    const folder = scratchFolder();
    const lock = join(folder, 'package-lock.json');
    const npm = join(folder, 'npm');
    writeFileSync(
      npm,
      `#!/bin/sh
echo "$*" >> '${join(folder, 'asked')}'
case "$*" in *'@x/linux-x64@1.2.3 dist.integrity'*) echo '"sha512-known"' ;; *) exit 1 ;; esac
`,
    );
    chmodSync(npm, 0o755);
    const owner = {
      version: '1.2.3',
      integrity: 'sha512-own',
      optionalDependencies: { '@x/linux-x64': '1.2.3', '@x/darwin-arm64': '1.2.3' },
    };
    const packages = {
      '': { name: 'own' },
      'node_modules/@x/linux-x64': { version: '1.2.3', cpu: ['x64'], optional: true, os: ['linux'] },
      'node_modules/x': owner,
    };
    writeFileSync(lock, JSON.stringify({ lockfileVersion: 3, packages }));
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
    const { status, stderr } = spawnSync(process.execPath, [script, lock], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      0,
      'without a digest, because the registry has none:\n@x/darwin-arm64@1.2.3\n',
    ]);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual({
      lockfileVersion: 3,
      packages: {
        ...packages,
        'node_modules/@x/linux-x64': {
          ...packages['node_modules/@x/linux-x64'],
          integrity: 'sha512-known',
        },
        'node_modules/@x/darwin-arm64': { version: '1.2.3', os: ['darwin'], cpu: ['arm64'], optional: true },
      },
    });
    expect(readFileSync(join(folder, 'asked'), 'utf8')).not.toContain('view x@');
  },
);
