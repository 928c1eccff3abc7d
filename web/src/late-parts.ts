/** The parts of the page that are drawn as soon as their script is there. */
import { latePart } from './late-part.tsx';
import { lateScripts, lateScriptsOf } from './late-scripts.ts';
import type { Route } from './route.ts';

export const LateConversation = latePart(async () => (await lateScripts.conversation()).ConversationView);
export const LateRun = latePart(async () => (await lateScripts.run()).RunView);
export const LateReview = latePart(async () => (await lateScripts.review()).ReviewTab);

const parts = { conversation: LateConversation, run: LateRun, review: LateReview } as const;

/** Loads the parts of a place while the server is still asked for the reader and the data. */
export function loadAhead(route: Route): void {
  for (const name of lateScriptsOf(route)) parts[name].ahead();
}
