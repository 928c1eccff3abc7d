import { openGitView, type KnownCommits, type OpenViewOptions, type PrivateView } from './git-view.ts';
import type { Repository } from './find-root.ts';

/** One view for all that the start of a run reads, so that no command of git runs twice and each name is one commit. */
export interface SharedView {
  /** Opens the view for the first reader. Closing the result has no effect. */
  readonly open: (repository: Repository, options: OpenViewOptions) => Promise<PrivateView>;
  /** Ends the work when the view is closed. Its error reaches only those who wait for it. */
  readonly during: (work: Promise<unknown>) => void;
  /** Safe to call twice. */
  readonly close: () => Promise<void>;
}

export interface SharedViewOptions extends OpenViewOptions {
  /** Opened and closed by the caller; a view of its own if omitted. */
  readonly view?: SharedView | undefined;
}

export function createSharedView(): SharedView {
  const commits: KnownCommits = new Map();
  const closing = new AbortController();
  const begun: Promise<unknown>[] = [];
  const opened = new Map<string, Promise<PrivateView>>();
  return {
    async open(repository, options) {
      const { signal = closing.signal } = options;
      const ends = AbortSignal.any([signal, closing.signal]);
      const view =
        opened.get(repository.gitDir) ?? openGitView(repository, { ...options, signal: ends, commits });
      opened.set(repository.gitDir, view);
      return { ...(await view), close: () => Promise.resolve() };
    },
    during(work) {
      begun.push(Promise.allSettled([work]));
    },
    async close() {
      closing.abort();
      await Promise.all(begun);
      const views = await Promise.allSettled(opened.values());
      opened.clear();
      for (const view of views) if (view.status === 'fulfilled') await view.value.close();
    },
  };
}

/** @throws CollabError `input` when there is no git or the repository cannot be read */
export function openView(
  repository: Repository,
  { view, ...options }: SharedViewOptions,
): Promise<PrivateView> {
  return view === undefined ? openGitView(repository, options) : view.open(repository, options);
}
