import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const lockSchema = z.object({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })),
});

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()),
  engines: z.record(z.string(), z.string()),
});

/**
 * The manifest and lock file of a project whose only dependency is our tarball. The lock is ours without the
 * development dependencies, so that `npm ci --offline` finds all of it in the cache that our own `npm ci` filled.
 */
export function lockFor(options: {
  readonly repository: string;
  readonly folder: string;
  readonly tarball: string;
}): { packageJson: object; packageLock: object } {
  const ours = lockSchema.parse(read(join(options.repository, 'package-lock.json')));
  const { name, version, dependencies, bin, engines } = packageSchema.parse(
    read(join(options.repository, 'package.json')),
  );
  const specifier = `file:${options.tarball}`;
  const shipped = Object.entries(ours.packages).filter(([path, entry]) => path !== '' && entry.dev !== true);
  const packageJson = {
    name: 'consumer',
    version: '1.0.0',
    private: true,
    dependencies: { [name]: specifier },
  };
  const integrity = sha512(readFileSync(join(options.folder, options.tarball)));
  const packages = {
    '': packageJson,
    [`node_modules/${name}`]: { version, resolved: specifier, integrity, dependencies, bin, engines },
    ...Object.fromEntries(shipped),
  };
  return {
    packageJson,
    packageLock: {
      name: 'consumer',
      version: '1.0.0',
      lockfileVersion: ours.lockfileVersion,
      requires: true,
      packages,
    },
  };
}

function sha512(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
