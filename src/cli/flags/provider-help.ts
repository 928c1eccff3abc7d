/** The provider names in help. */
import { providerNames } from '../../providers/contract/registry.ts';

/** The providers that help lists separately; all others are bare models. */
const named: ReadonlySet<string> = new Set(['codex', 'claude_code', 'static_review', 'rehearsal']);
const bare = providerNames.filter((name) => !named.has(name)).join(', ');
const models = `${bare}, one of ./ai_client/`;
const script = 'rehearsal:<script.yaml>';

const lists: ReadonlyMap<string, string> = new Map([
  ['advisors', `auto, codex, claude_code, ${models}, ${script}`],
  ['reviewers', `auto, codex, static_review, claude_code, ${models}, ${script}`],
  ['leads', `auto, claude_code, ${models}, ${script}`],
  ['chatLeads', `auto, claude_code, ${bare}, rehearsal[:<script.yaml>]`],
]);

/** Inserts the lists of providers: `choose the advisor: {advisors}`. */
export function withProviders(help: string): string {
  return help.replaceAll(/\{(\w+)\}/g, (place, list: string) => lists.get(list) ?? place);
}
