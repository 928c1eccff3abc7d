import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { listCommitted, type FileLists } from './file-list.ts';
import { findRepository } from './find-root.ts';
import { openGitView, type PrivateView } from './git-view.ts';

/** The view, and the git commands that ran through it. */
export async function watchedView(repository: {
  readonly root: string;
  readonly env: Record<string, string>;
}) {
  const found = await findRepository(repository.root);
  if (found === null) throw new Error('no repository');
  const view = await openGitView(found, { env: repository.env });
  const ran: string[] = [];
  const watched: PrivateView = {
    ...view,
    onObjects(args, options) {
      ran.push(args.slice(0, args.indexOf('--') === -1 ? 1 : undefined).join(' '));
      return view.onObjects(args, options);
    },
  };
  return { view: watched, ran };
}

export async function listTwice(
  second: (repository: ReturnType<typeof scratchRepository>) => void,
  lists: FileLists,
) {
  const repository = scratchRepository();
  for (let index = 0; index < 30; index += 1) repository.write(`${index}.txt`, `${index}\n`);
  repository.commit('first');
  const first = repository.git('rev-parse', 'HEAD^{tree}').trim();
  second(repository);
  repository.commit('second');
  const { view, ran } = await watchedView(repository);
  await listCommitted(view, lists, first);
  ran.length = 0;
  const { entries } = await listCommitted(view, lists, repository.git('rev-parse', 'HEAD^{tree}').trim());
  await view.close();
  return { ran: ran.map((args) => args.split(' ')[0]), last: ran.at(-1), files: entries.length };
}
