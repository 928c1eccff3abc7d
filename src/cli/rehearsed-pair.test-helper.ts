/** Commands in a repository with a pair that plays a script. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { leads, scriptOf, type Turn } from '../../test/contract/workflow/workflow-script.ts';
import { scratchRepository, type ScratchRepository } from '../../test/fixtures/scratch-repository.ts';
import { collab, type Performed, type SessionHow } from './command.test-helper.ts';

export interface RehearsedPair {
  readonly repository: ScratchRepository;
  /** Both agents, as a flag names them. */
  readonly agent: string;
  readonly collab: (args: readonly string[], how?: SessionHow) => Promise<Performed>;
}

/** The first matching turn is played, and after these the ones of a straight way. */
export function createPair(...turns: readonly Turn[]): RehearsedPair {
  const repository = scratchRepository();
  repository.write('README.md', '# one\n');
  repository.commit('begin');
  const script = join(repository.env['HOME'] ?? '', 'pair.yaml');
  writeFileSync(script, stringify(scriptOf(...turns)));
  return {
    repository,
    agent: `rehearsal:${script}`,
    collab: (args, how) => collab(repository, args, how),
  };
}

/** The lead's turn that writes this file. */
export function writes(path: string, content: string): Turn {
  return leads({ work: 'implement' }, 'Done.\n', { edits: [{ path, content }], repeat: 'forever' });
}
