/** Begins and ends the fix of a finding: the job between the two has no token, and what it leaves is not trusted. */
import { requireMay } from '../../access/require.ts';
import { commenter } from '../../access/speaker.ts';
import type { Finding } from '../../events/collab-event.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile, Hunk } from '../../parsers/diff/types.ts';
import { renderFixBranch, renderFixSuggestion } from '../../views/rounds/command-answers.ts';
import { makeVisible } from '../../text/neutralise.ts';
import { placeComment } from '../round/comment-place.ts';
import { applyFile, checkPatch } from './check-patch.ts';
import { answerTo, refuseCommand, type CommandFacts, type CommandReport } from './command-facts.ts';
import type { CommentHost, NewBranch } from './comment-host.ts';
import type { FixResult } from './fix-result.ts';
import { findingsOfPull, findNumbered, type Chosen, type PullFinding } from './known-findings-of-pull.ts';
import { placeQuote, type QuotePlace } from './place-quote.ts';

interface FixCommand {
  readonly number: number;
}

/** Announces the finding for the job that fixes it. The answer is written when that has ended. */
export async function beginFix(facts: CommandFacts, { number }: FixCommand): Promise<CommandReport> {
  const { options, pull } = facts;
  const chosen = chooseFinding(facts, number);
  if ('refusal' in chosen) return refuseCommand(facts, chosen.refusal);
  const files = parseUnifiedDiff(await options.host.readDiff()).files;
  const finding = findingForLead(chosen.finding, files);
  options.announce({ action: 'fix', base: pull.base, head: pull.head, finding });
  return { did: 'fix', number };
}

/** Publishes what the job left, as a suggestion or a branch. `result` null: it left nothing. */
export async function endFix(
  facts: CommandFacts,
  { number }: FixCommand,
  result: FixResult | null,
): Promise<CommandReport> {
  const { options, pull } = facts;
  const { host } = options;
  const chosen = chooseFinding(facts, number);
  if ('refusal' in chosen) return refuseCommand(facts, chosen.refusal);
  const refused = whyNoFix(facts, number, result);
  if (refused !== null || result?.patch === null || result?.patch === undefined)
    return refuseCommand(facts, refused ?? `F${number} is not fixed.`);
  const checked = checkPatch(result.patch);
  if ('fault' in checked)
    return refuseCommand(facts, `The fix of F${number} is not published: ${checked.fault}.`);
  const { finding } = chosen;
  const files = parseUnifiedDiff(await host.readDiff()).files;
  const suggested = suggestionOf(checked.files, finding, { host, files });
  if (suggested !== null) return suggest(facts, number, suggested, files);
  const changed = await applyAll(facts, checked.files);
  if (changed === null)
    return refuseCommand(
      facts,
      `The fix of F${number} is not published: its patch does not apply to ${pull.head}.`,
    );
  const name = `collab/fix-${number}-${facts.name.id}`;
  const message = `Fix F${number} of ${nameRequest(pull)}`;
  const url = await host.branches.putBranch({ name, parent: pull.head, message, files: changed });
  const words = renderFixBranch({ number, branch: name, url, files: changed.length });
  await host.say(answerTo(facts, words));
  return { did: 'fixed', number, as: `the branch ${name}` };
}

function chooseFinding(facts: CommandFacts, number: number): Chosen {
  requireMay(commenter, { does: 'fix on a branch of ours' }, 'a fix');
  const refusal = whyNotHere(facts);
  if (refusal !== null) return { refusal };
  const chosen = findNumbered(findingsOfPull(facts.found, facts.last), number);
  if ('refusal' in chosen) return chosen;
  const [thread] = chosen.finding.threads;
  if (thread === undefined) return { refusal: `F${number} has no place in the change: fix it by hand.` };
  return thread.finding.suggested === true
    ? { refusal: `The comment of F${number} has a suggestion already.` }
    : chosen;
}

/** Returns null for a pull request that gets fixes. */
function whyNotHere({ pull }: CommandFacts): string | null {
  if (!pull.isFork) return null;
  return 'The pull request is from a fork: it gets no fixes from here. Use collab fix in a clone.';
}

function findingForLead(
  { number, identity, severity, title, threads }: PullFinding,
  files: readonly DiffFile[],
): Finding {
  const [thread] = threads;
  const marked = thread?.finding;
  const place = marked === undefined ? null : placeQuote(marked, files);
  return {
    id: `F${number}`,
    identity: marked?.identity ?? identity,
    severity,
    title,
    body: (thread?.body ?? '').split(/\r?\n/).slice(1).join('\n').trim(),
    path: marked?.path ?? null,
    start_line: place?.start ?? null,
    end_line: place?.end ?? null,
    side: marked?.side ?? null,
    placement: place === null ? 'unplaced' : 'exact',
    quote: marked?.quote ?? null,
    verdict: 'unverified',
    ...(marked?.anchor === undefined ? {} : { anchor: marked.anchor }),
    ...(marked?.claim === undefined ? {} : { claim: marked.claim }),
  };
}

const goneFates: readonly string[] = ['fixed', 'not_seen_again'];

/** Returns null if there is a patch for the present head. */
function whyNoFix({ pull }: CommandFacts, number: number, result: FixResult | null): string | null {
  if (result === null) return `The job that was to fix F${number} left no result: its log says why.`;
  const refused = result.findings.find(({ id, fate }) => id === `F${number}` && fate === 'refused');
  if (refused !== undefined)
    return `The lead refused to fix F${number}: ${refused.reason ?? 'without a reason'}`;
  const isGone = result.findings.some(({ id, fate }) => id === `F${number}` && goneFates.includes(fate));
  if (!isGone) return `F${number} is not fixed: the review of the fix did not end, or reports it again.`;
  if (result.patch === null) return `The lead changed no file for F${number}.`;
  if (result.head === pull.head) return null;
  return `The fix of F${number} is for another commit than ${pull.head}: ask for it again.`;
}

interface Suggestion extends QuotePlace {
  readonly path: string;
  readonly text: string;
  /** The information string of its block. */
  readonly fence: string;
}

/** Returns null unless the patch replaces exactly the quoted lines, and the host can show it as a suggestion. */
function suggestionOf(
  patched: readonly DiffFile[],
  { threads: [thread] }: PullFinding,
  { host, files }: { readonly host: CommentHost; readonly files: readonly DiffFile[] },
): Suggestion | null {
  const [file, another] = patched;
  const [hunk, second] = file?.hunks ?? [];
  if (file === undefined || hunk === undefined || another !== undefined || second !== undefined) return null;
  const place = thread === undefined ? null : placeQuote(thread.finding, files);
  if (place === null || file.path !== thread?.finding.path || file.change !== 'modified') return null;
  const text = replacementAt(hunk, place, thread.finding.quote ?? '');
  // People accept a suggestion as they see it.
  const isVisible = text?.split('\n').every((line) => makeVisible(line) === line) === true;
  if (text === null || !isVisible) return null;
  const fence = host.suggestionOf(place.end - place.start + 1, text);
  return fence === null ? null : { path: file.path, ...place, text, fence };
}

/** Returns the text that takes the place of the quotation; null if the hunk changes anything around it. */
function replacementAt({ lines, oldStart }: Hunk, { start, end }: QuotePlace, quote: string): string | null {
  const [old, made]: [string[], string[]] = [[], []];
  let before = oldStart - 1;
  for (const { kind, text, oldLine, noNewline } of lines) {
    const at = oldLine ?? before;
    const isInside = kind === 'added' ? at >= start - 1 && at <= end : at >= start && at <= end;
    if ((!isInside && kind !== 'context') || noNewline) return null;
    if (isInside && kind !== 'added') old.push(text);
    if (isInside && kind !== 'removed') made.push(text);
    before = at;
  }
  return `${old.join('\n')}\n` === `${quote.replace(/\n$/, '')}\n` ? made.join('\n') : null;
}

async function suggest(
  facts: CommandFacts,
  number: number,
  { path, start, end, text, fence }: Suggestion,
  files: readonly DiffFile[],
): Promise<CommandReport> {
  const { host } = facts.options;
  const { head } = facts.pull;
  const place = placeComment({ path, side: 'new', start_line: start, end_line: end }, files);
  const body = answerTo(facts, renderFixSuggestion({ number, fence, text }));
  if (place === null) return refuseCommand(facts, `The fix of F${number} has no place in the change.`);
  await host.postComment(head, { place, body });
  return { did: 'fixed', number, as: 'a suggestion' };
}

async function applyAll(
  { options, pull }: CommandFacts,
  files: readonly DiffFile[],
): Promise<NewBranch['files'] | null> {
  const { branches } = options.host;
  const made: NewBranch['files'][number][] = [];
  for (const file of files) {
    const { path, change } = file;
    const old = change === 'added' ? null : await branches.readFile(pull.head, path);
    if (change === 'added' ? await branches.hasPath(pull.head, path) : old === null) return null;
    const done = applyFile(old?.text ?? null, file);
    if (done === null) return null;
    made.push({
      path,
      mode: old?.mode ?? file.newMode ?? '100644',
      text: done.text,
      isNew: change === 'added',
    });
  }
  return made;
}

function nameRequest({ forge, number }: CommandFacts['pull']): string {
  return forge === 'github' ? `pull request #${number}` : `merge request !${number}`;
}
