/**
 * Scripts of the page that are loaded with the first place that needs them: Markdown, the timeline and the diff are most of
 * its script.
 */
import type { Route } from './route.ts';

export const lateScripts = {
  conversation: () => import('./talk/conversation-view.tsx'),
  run: () => import('./run/run-view.tsx'),
  review: () => import('./run/review-tab.tsx'),
} as const;

/** Returns the scripts that a place needs at once. */
export function lateScriptsOf(route: Route): readonly (keyof typeof lateScripts)[] {
  if (route.kind === 'conversation') return ['conversation'];
  if (route.kind !== 'run') return [];
  return route.tab === null || route.tab === 'review' ? ['run', 'review'] : ['run'];
}
