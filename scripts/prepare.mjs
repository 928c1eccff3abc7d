// Builds the package for npm, except for the first `npx collab` in a clone: npx links the clone into a folder of its own and has npm prepare
// it again, which takes half a minute that no output explains.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const isBuilt = existsSync(join(import.meta.dirname, '../dist/main.cjs'));
if (process.env.npm_command !== 'exec' || !isBuilt) await import('./build.mjs');
