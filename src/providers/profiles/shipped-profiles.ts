import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../system/package-folder.ts';

/** Returns the profile folder of a provider that ships: beside its source, or in the package beside the bundle. Absolute. */
export function shippedProfileDir(provider: string): string {
  const beside = join(import.meta.dirname, '..', provider, 'ai_profile');
  return existsSync(beside) ? beside : join(packageFolder(), 'dist/providers', provider, 'ai_profile');
}
