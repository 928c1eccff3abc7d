/**
 * Parts of the page that are loaded with the first place that needs them: Markdown, the timeline and the diff are most of
 * the page's script.
 */
import { latePart } from './late-part.tsx';
import type { Route } from './route.ts';

export const ConversationView = latePart(
  async () => (await import('./talk/conversation-view.tsx')).ConversationView,
);
export const RunView = latePart(async () => (await import('./run/run-view.tsx')).RunView);
export const ReviewTab = latePart(async () => (await import('./run/review-tab.tsx')).ReviewTab);

/** Loads the parts of a place while the server is still asked for the reader and the data. */
export function loadAhead(route: Route): void {
  for (const part of partsOf(route)) part.ahead();
}

function partsOf(route: Route): readonly Pick<typeof RunView, 'ahead'>[] {
  if (route.kind === 'conversation') return [ConversationView];
  if (route.kind !== 'run') return [];
  return route.tab === null || route.tab === 'review' ? [RunView, ReviewTab] : [RunView];
}
