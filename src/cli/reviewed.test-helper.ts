/** A review that has ended, of a change with a secret and a call of `eval`. No model, no network. */
import { scratchRepository, type ScratchRepository } from '../../test/fixtures/scratch-repository.ts';
import { collab, type Performed } from './command.test-helper.ts';

export const sampleKey = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

/** A repository with a change that rules have something to say about. */
export function changedRepository(): ScratchRepository {
  const repository = scratchRepository();
  repository.write('src/a.js', 'export const a = 1;\n');
  repository.commit('begin');
  repository.write('src/a.js', `export const a = "${sampleKey}";\neval(process.argv[2]);\n`);
  return repository;
}

/** Reviews the change; returns the id of the run and what the command printed. */
export async function reviewed(
  repository: ScratchRepository,
  ...flags: readonly string[]
): Promise<Performed & { readonly run: string }> {
  const done = await collab(repository, ['review', '--advisor', 'static_review', ...flags]);
  const { out } = await collab(repository, ['runs', '--json']);
  return { ...done, run: JSON.parse(out)[0].run };
}
