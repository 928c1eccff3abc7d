/**
 * Carries out the command in a comment on a pull request, once. The comment is read again by its id, and its author's permission
 * too: an event is only a reason to look. Each answer has a mark with the comment's id, so that a process that is killed at any
 * request, and another one that does the same, leave nothing twice.
 */
import { requireMay } from '../../access/require.ts';
import { commenter } from '../../access/speaker.ts';
import { longestReason, whyNotDismissed } from '../../review/dismissals/dismissal.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { onOneLine } from '../../text/one-line.ts';
import { renderDismissed, renderForms, renderReviewStart } from '../../views/rounds/command-answers.ts';
import { lastRound, tryIfAllowed } from '../round/publish-round.ts';
import { repeatUncertain } from '../round/repeat-uncertain.ts';
import { dismissedMark, type RoundDismissal } from '../round/marks.ts';
import { withState } from '../round/round-texts.ts';
import { describeCommentName } from './comment-name.ts';
import {
  answerCommand,
  answerTo,
  refuseCommand,
  type CommandFacts,
  type CommandReport,
  type PullCommandOptions,
} from './command-facts.ts';
import { beginFix, endFix } from './fix-finding.ts';
import { findingsOfPull, findNumbered, type Chosen, type PullFinding } from './known-findings-of-pull.ts';
import { parsePullCommand, type PullCommand } from './parse-command.ts';

/** @throws ForgeError */
export async function carryOut(options: PullCommandOptions): Promise<CommandReport> {
  return repeatUncertain(options.host.waits, () => carryOutOnce(options));
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
      return answerCommand(facts, renderForms(), 'the forms of its commands');
  }
  return command satisfies never;
}

function ignored(because: string): CommandReport {
  return { did: 'ignored', because };
}

async function startReview(facts: CommandFacts): Promise<CommandReport> {
  requireMay(commenter, { does: 'start a review' }, 'a review');
  const { options, pull } = facts;
  const { base, head } = pull;
  options.announce({ action: 'review', base, head });
  await options.host.say(answerTo(facts, renderReviewStart(head)));
  return { did: 'review', head };
}

async function dismiss(
  facts: CommandFacts,
  { number, reason: words }: Extract<PullCommand, { kind: 'dismiss' }>,
): Promise<CommandReport> {
  requireMay(commenter, { does: 'dismiss a finding' }, 'a dismissal');
  const { options, comment, found, last, id } = facts;
  const chosen = chooseDismissed(findingsOfPull(found, last), number);
  if ('refusal' in chosen) return refuseCommand(facts, chosen.refusal);
  const { finding } = chosen;
  const reason = onOneLine(maskSecrets(words).text);
  if (reason.length > longestReason)
    return refuseCommand(facts, `The reason has ${reason.length} characters; ${longestReason} is the limit.`);
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

function chooseDismissed(all: readonly PullFinding[], number: number): Chosen {
  const chosen = findNumbered(all, number);
  if ('refusal' in chosen) return chosen;
  const why = whyNotDismissed(chosen.finding);
  if (why !== null) return { refusal: `F${number} is not dismissed: it is ${why}. Fix it.` };
  return chosen.finding.dismissal === null ? chosen : { refusal: `F${number} is dismissed already.` };
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
