/** The steps of a workflow that are not an agent's turn: the initial tree, phases, commits, the change to review. */
import type { CountedChange, ReviewScope } from '../../machine/review/review-machine.ts';
import type {
  ApplyResult,
  CommitInput,
  CommittedWork,
  PhaseEnd,
  PhasePass,
} from '../../machine/workflow/workflow-types.ts';
import type { TakenTrees } from '../../git/change/resolve-change.ts';
import { changedLinesOf } from '../../parsers/diff/ranges.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { conventionNames, keepConventions, type Convention } from '../../prompts/review/conventions.ts';
import { digestOf } from '../../text/digest.ts';
import type { RunContext } from '../../engine/port.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { applyQuestion, gateDecisions } from '../calls/gate-question.ts';
import { knownFindings } from '../review/known-findings.ts';
import { applyRun } from './apply.ts';
import { maskChange, type ChangeSecrets } from '../review/change-secrets.ts';
import {
  maskConventions,
  manifestOf,
  pathsToShow,
  readChange,
  type ChangeToRead,
} from '../review/read-change.ts';
import { recordEdits } from './edits.ts';
import type { MetAgent } from '../run-kind.ts';
import { renderPatch } from '../../text/patch.ts';
import { firstLineOf } from '../../text/title-of.ts';
import type { WorkflowDrive } from './types.ts';

/** Records the digest of all outside input in a step: `input.json` cannot change during a run. */
export function takeTree(context: RunContext, { everywhere, copy }: WorkflowDrive): Promise<string> {
  const input = digestOf(everywhere);
  return context.step('open', { input }, async () => ({ value: await copy.snapshot() }));
}

/** Records who takes part: a later drive that makes no call reports the same pair. */
export async function meetPair(context: RunContext, drive: WorkflowDrive): Promise<void> {
  const { met } = drive;
  const recorded = await context.step<WorkflowDrive['met']>('pair', {}, async () => {
    await drive.introduce();
    return { value: { lead: factsOf(met.lead), advisor: factsOf(met.advisor) } };
  });
  met.lead ??= recorded.lead;
  met.advisor ??= recorded.advisor;
}

function factsOf(agent: MetAgent | null): MetAgent | null {
  return agent === null ? null : { model: agent.model, version: agent.version };
}

export function beginPhase(
  context: RunContext,
  { leadAgent }: WorkflowDrive,
  { phase, round }: PhasePass,
): Promise<null> {
  return context.step(`${phase}/${round}/begin`, {}, async (attempt) => {
    attempt.emit({ type: 'phase.started', phase, round }, { agent: leadAgent });
    return { value: null };
  });
}

/** `final` is false if a second start may end the phase differently: then this end is not remembered. */
export function endPhase(
  context: RunContext,
  { leadAgent }: WorkflowDrive,
  { phase, round, result }: PhaseEnd,
  final: boolean,
): Promise<null> {
  return context.step(`${phase}/${round}/end`, { result }, async (attempt) => {
    attempt.emit({ type: 'phase.ended', phase, round, result }, { agent: leadAgent });
    return { value: null, remember: final };
  });
}

/** Makes one commit per round; repeated after a crash, it produces the same commit. */
export function commitRound(
  context: RunContext,
  { copy, keep, runId, runFolder, input }: WorkflowDrive,
  { phase, round, tree, text }: CommitInput,
): Promise<CommittedWork> {
  return context.step<CommittedWork>(`${phase}/${round}/commit`, { tree }, async (attempt) => {
    const before = copy.head();
    const head = await copy.commit(tree, commitMessage(input.task, round, text));
    recordEdits({ runId, path: runFolder }, copy.edits());
    const { files } = parseUnifiedDiff(await copy.diff(copy.base, tree));
    const made = { head, manifest: manifestOf(files) };
    if (keep === undefined || head === before) return { value: made };
    const kept = await keep(attempt, { tree, commit: head });
    if (kept === null) throw new CollabError('input', 'The commits of the run are too large to be stored');
    return { value: { ...made, kept } };
  });
}

function commitMessage(task: string, round: number, text: string): string {
  const subject = firstLineOf(task);
  const title = subject.length > 60 ? `${subject.slice(0, 57)}...` : subject;
  return `${round === 1 ? title : `${title} (fix ${round - 1})`}\n\n${text.trim()}\n`;
}

interface TakenWork extends Pick<TakenTrees, 'diffText' | 'attributes'> {
  readonly secrets: ChangeSecrets;
  /** Omitted in a step of an older run. */
  readonly conventions?: readonly Convention[];
}

/** Reads the lead's work so far as a change to review. The trees identify it: it is the same on every drive. */
export async function countMade(
  context: RunContext,
  { copy, input, reviewed }: WorkflowDrive,
  { path, made }: ReviewScope,
): Promise<CountedChange> {
  if (made === null) throw new Error('the review of a workflow knows its trees');
  const readMade = (taken: Pick<ChangeToRead['change'], 'diff' | 'secrets' | 'attributes' | 'conventions'>) =>
    readChange({
      change: {
        ...taken,
        description: 'what the lead has made',
        messages: null,
        pull_request: null,
        checks: [],
        related: [],
      },
      settings: { ...input.settings, focus: made.words },
    });
  const { conventions: isShown, context: level } = input.settings;
  const shown = { beside: isShown ? conventionNames : [], context: level };
  const {
    diffText: diff,
    secrets,
    attributes,
    conventions = [],
  } = await context.child(path, (scope) =>
    scope.step<TakenWork>('census', { made }, async () => {
      const first = await copy.change(made.base, made.head, shown);
      const whole = first.diffText.includes('\nrename from ')
        ? pathsToShow(readMade({ ...first, diff: first.diffText, secrets: undefined, conventions: [] }))
        : [];
      const {
        beside: found = [],
        contextCosts: _costs,
        ...taken
      } = whole.length === 0 ? first : await copy.change(made.base, made.head, { whole, ...shown });
      const masked = maskChange(taken.diffText);
      const { kept } = maskConventions(keepConventions(found));
      return { value: { ...taken, diffText: masked.diff, secrets: masked.secrets, conventions: kept } };
    }),
  );
  const fix = made.former === null ? null : await copy.diff(made.former, made.head);
  const change = readMade({ diff, secrets, attributes, conventions });
  reviewed.change = change;
  const { counted } = change;
  return {
    ...counted,
    brief: {
      ...counted.brief,
      task: made.task,
      sections: made.sections,
      ...(made.fixes === undefined ? {} : { fixes: made.fixes }),
    },
    known: knownFindings(input),
    fixed:
      fix === null ? null : changedLinesOf(parseUnifiedDiff(fix).files).filter(({ side }) => side === 'new'),
  };
}

/**
 * Passes the last gate: the user's own tree is only changed if the user wants it (`--apply`, or the answer to the
 * question). Another machine does not have that tree: there the edits are left to `collab apply`.
 */
export async function applyToUser(
  context: RunContext,
  { input, copy, keep, runId, runFolder, env, signal }: WorkflowDrive,
  { head, manifest }: CommittedWork,
): Promise<ApplyResult> {
  if (keep !== undefined) return { kind: 'left' };
  const asks = async () => askWhether(context, runId, { manifest, patch: await copy.diff(copy.base, head) });
  const wanted = input.apply || (input.gates === 'ask' && (await asks()));
  if (!wanted) return { kind: 'left' };
  return context.step<ApplyResult>('apply/tree', { head }, async () => {
    const outcome = await applyRun({ run: { runId, path: runFolder }, cwd: input.cwd, env, signal });
    switch (outcome.kind) {
      case 'applied':
        return { value: { kind: 'applied', paths: outcome.paths.map(({ path }) => path) } };
      case 'refused':
        return { value: { kind: 'refused', reason: reasonOf(outcome.obstacles) } };
      case 'nothing':
        return { value: { kind: 'left' } };
      default:
        return outcome satisfies never;
    }
  });
}

function askWhether(
  context: RunContext,
  runId: string,
  { manifest, patch }: { readonly manifest: string; readonly patch: string },
): Promise<boolean> {
  const shown = renderPatch(maskChange(patch).diff, `collab apply ${runId} --patch`);
  const later = `\`collab apply ${runId}\` applies them later as well.`;
  return context.child('apply', (scope) =>
    scope.receive('gate', applyQuestion([manifest, shown, later, gateDecisions.apply].join('\n\n'))),
  );
}

function reasonOf(obstacles: readonly { readonly path: string; readonly reason: string }[]): string {
  return obstacles.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
}
