/**
 * Parts of the page that are loaded with the first place that needs them: Markdown, the timeline and the diff are most of
 * the page's script.
 */
import type { Route } from '../route.ts';

export const loadConversation = () => import('../talk/conversation-view.tsx');
export const loadRun = () => import('../run/run-view.tsx');
const loadReview = () => import('../run/review-tab.tsx');

/** Loads the parts of a place while the server is still asked for the reader and the data. */
export function loadAhead(route: Route): void {
  const parts = partsOf(route).map(async (load) => load());
  // The place itself reports a part that cannot be loaded.
  void Promise.allSettled(parts);
}

function partsOf(route: Route): readonly (() => Promise<unknown>)[] {
  if (route.kind === 'conversation') return [loadConversation];
  if (route.kind !== 'run') return [];
  return route.tab === null || route.tab === 'review' ? [loadRun, loadReview] : [loadRun];
}
