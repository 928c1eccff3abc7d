import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../system/package-folder.ts';

/** Where the profiles of a provider that ships lie: beside its source, and in the package beside the bundle. Absolute. */
export function shippedProfileDir(provider: string): string {
  const beside = join(import.meta.dirname, provider, 'ai_profile');
  return existsSync(beside) ? beside : join(packageFolder(), 'dist/providers', provider, 'ai_profile');
}
