/**
 * Carries out the command in a comment on a pull request, once. The comment is read again by its id, and its author's permission
 * too: an event is only a reason to look. Each answer has a mark with the comment's id, so that a process that is killed at any
 * request, and another one that does the same, leave nothing twice.
 */
import { requireMay } from '../../access/require.ts';
import { longestReason, whyNotDismissed } from '../../review/dismissals/dismissal.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { onOneLine } from '../../text/one-line.ts';
import {
  renderDismissed,
  renderForms,
  renderRefusal,
  renderReviewStart,
} from '../../views/rounds/command-answers.ts';
import { lastRound, tryIfAllowed } from '../round/publish-round.ts';
import { repeatUncertain } from '../round/repeat-uncertain.ts';
import { answerMark, dismissedMark, type RoundDismissal } from '../round/marks.ts';
import { withState } from '../round/round-texts.ts';
import { describeCommentName } from './comment-name.ts';
import type { CommandFacts, CommandReport, PullCommandOptions } from './command-facts.ts';
import { beginFix, endFix } from './fix-finding.ts';
import { findingsOfPull, nameOpen, type PullFinding } from './known-findings-of-pull.ts';
import { parsePullCommand, type PullCommand } from './parse-command.ts';

const commenter = { kind: 'commenter' } as const;

/** @throws ForgeError */
export async function carryOut(options: PullCommandOptions): Promise<CommandReport> {
  return repeatUncertain(options, () => carryOutOnce(options));
}

async function carryOutOnce(options: PullCommandOptions): Promise<CommandReport> {
  const { host, name, marks } = options;
  const comment = await host.readComment(name);
  if (comment === null) return ignored('the comment was deleted, or is not on this pull request');
  const command = parsePullCommand(comment.body);
  if (command === null) return ignored('its first line is no command');
  if (comment.isBot) return ignored(`${comment.author} is a program`);
  if (!(await host.mayWrite(comment))) return ignored(`${comment.author} may not write to the repository`);
  const pull = await host.readPullRequest();
  if (!pull.isOpen) return ignored('the pull request is closed');
  const found = await host.readRound();
  const last = lastRound(found, marks);
  const facts = { options, name, comment, pull, found, last, id: describeCommentName(name) };
  if (found.answered.has(facts.id)) return finish(facts);
  if (options.fix !== undefined) {
    if (command.kind !== 'fix') return ignored('it asks for no fix anymore');
    return endFix(facts, command, options.fix === 'missing' ? null : options.fix);
  }
  switch (command.kind) {
    case 'review':
      return startReview(facts);
    case 'dismiss':
      return dismiss(facts, command);
    case 'fix':
      return beginFix(facts, command);
    case 'unknown':
      return answer(facts, renderForms(), 'the forms of its commands');
  }
  return command satisfies never;
}

function ignored(because: string): CommandReport {
  return { did: 'ignored', because };
}

async function startReview({ options, pull, id }: CommandFacts): Promise<CommandReport> {
  requireMay(commenter, { does: 'start a review' }, 'a review');
  const { base, head } = pull;
  options.announce({ action: 'review', base, head });
  const { host, marks } = options;
  await host.say(`${marks.write(answerMark, { comment: id })}\n\n${renderReviewStart(head)}`);
  return { did: 'review', head };
}

async function answer({ options, id }: CommandFacts, words: string, what: string): Promise<CommandReport> {
  const { host, marks } = options;
  await host.say(`${marks.write(answerMark, { comment: id })}\n\n${words}`);
  return { did: 'answered', with: what };
}

async function dismiss(
  facts: CommandFacts,
  { number, reason: words }: Extract<PullCommand, { kind: 'dismiss' }>,
): Promise<CommandReport> {
  requireMay(commenter, { does: 'dismiss a finding' }, 'a dismissal');
  const { options, comment, found, last, id } = facts;
  const findings = findingsOfPull(found, last);
  const wanted = findings.filter((finding) => finding.number === number);
  const [finding] = wanted;
  const refusal = whyRefused(wanted, number, findings);
  const reason = onOneLine(maskSecrets(words).text);
  if (refusal !== null || finding === undefined) {
    const why = refusal ?? '';
    return answer(facts, renderRefusal(why), why);
  }
  if (reason.length > longestReason) {
    const why = `The reason has ${reason.length} characters; ${longestReason} is the limit.`;
    return answer(facts, renderRefusal(why), why);
  }
  const by = comment.author;
  const { identity, severity } = finding;
  const dismissal: RoundDismissal = {
    identity,
    number,
    severity,
    by,
    reason: reason.slice(0, longestMarkedReason),
    comment: id,
  };
  const { host, marks } = options;
  const body = `${marks.write(dismissedMark, dismissal)}\n\n${renderDismissed({ number, by, reason })}`;
  const [thread] = finding.threads;
  await (thread === undefined ? host.say(body) : host.reply(thread, body));
  return settle(facts, finding, dismissal);
}

/** The comment has the whole reason. */
const longestMarkedReason = 300;

/** Returns null for a finding that may be dismissed. */
function whyRefused(
  wanted: readonly PullFinding[],
  number: number,
  all: readonly PullFinding[],
): string | null {
  const [finding] = wanted;
  if (finding === undefined) return `There is no finding F${number} here.${nameOpen(all)}`;
  if (wanted.length > 1)
    return `F${number} means ${wanted.length} findings, because two reviews ran at the same time. Resolve their threads instead.`;
  const why = whyNotDismissed(finding);
  if (why !== null) return `F${number} is not dismissed: it is ${why}. Fix it.`;
  if (finding.isGone) return `F${number} is gone already.`;
  return finding.dismissal === null ? null : `F${number} is dismissed already.`;
}

/** The state is written last: with it, the dismissal is whole. */
async function settle(
  { options, found, last }: CommandFacts,
  { threads }: Pick<PullFinding, 'threads'>,
  dismissal: RoundDismissal,
): Promise<CommandReport> {
  const { host, marks } = options;
  for (const thread of threads)
    if (!thread.isResolved && !(await tryIfAllowed(() => host.resolve(thread)))) break;
  const [summary] = found.summaries;
  if (summary !== undefined && last !== null) {
    const dismissed = [
      ...last.dismissed.filter(({ identity }) => identity !== dismissal.identity),
      dismissal,
    ];
    await host.putSummary(summary, withState(summary.body, marks, { ...last, dismissed }));
  }
  return { did: 'dismissed', number: dismissal.number };
}

/** A process that answered may have been killed before the end. */
async function finish(facts: CommandFacts): Promise<CommandReport> {
  const { found, last, id } = facts;
  const done = [...found.dismissed, ...found.threads.flatMap(({ dismissed }) => dismissed ?? [])];
  const dismissal = done.find(({ comment }) => comment === id);
  const isKept = last?.dismissed.some(({ comment }) => comment === id) ?? true;
  if (dismissal === undefined || isKept) return ignored('its command was carried out before');
  const threads = found.threads.filter(({ dismissed }) => dismissed?.comment === id);
  return settle(facts, { threads }, dismissal);
}
