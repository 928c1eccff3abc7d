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
