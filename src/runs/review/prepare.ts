/** Turns the user's request into the input of a run: reads the change and chooses the advisor. Leaves nothing behind. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeInput, ChangeRequest } from '../../git/change/change-input.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import type { Baseline } from '../../review/findings/baseline.ts';
import { findMatchingState } from '../../git/change/matching-state.ts';
import { isGitRequest } from '../../git/change/compare-states.ts';
import type { EarlyStates } from '../../git/change/early-states.ts';
import { resolveChange, type KeepSnapshot, type ResolveOptions } from '../../git/change/resolve-change.ts';
import type { Snapshot } from '../../git/repository/snapshot.ts';
import { keepSnapshot } from '../../git/review-folder/keep-snapshot.ts';
import type { RepositoryStore } from '../../git/store/store.ts';
import { chooseAdvisor, noAdvisorNeeded, type AdvisorChoice } from '../agents/advisor-choice.ts';
import { advisorQuestion } from '../agents/advisor-question.ts';
import { priceOfCalls } from '../agents/call-price.ts';
import type { LeadChoice } from '../agents/lead-choice.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import { isCheckingLead } from './finding-checker.ts';
import type { DiffFault } from '../../parsers/diff/types.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { isSecretFile } from '../../secrets/secret-files.ts';
import type { CheckReport } from '../../prompts/review/check-reports.ts';
import { conventionNames, keepConventions, type ReadConventions } from '../../prompts/review/conventions.ts';
import type { RelatedFile } from '../../prompts/review/related-files.ts';
import { pick } from '../../text/pick.ts';
import { visibleName } from '../../text/neutralise.ts';
import type { EarlyRun } from './early-agent.ts';
import { findHeadTexts, keepHeadTexts } from './head-texts.ts';
import { maskConventions, pathsToShow, readChange, type ReadChange } from './read-change.ts';
import { findRelatedTests } from './related-tests.ts';
import type { ReportTarget } from '../../config/settings.ts';
import type { BaselineReader } from './follow-baseline.ts';
import type { HeadReader } from '../../providers/static_review/scan-change.ts';
import { importFindings, type ImportedReport } from './import-findings.ts';
import { examineChange, examineSkipped } from './static-evidence.ts';
import { withStore } from '../folder/repository-store.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import type { StartSettings } from '../folder/run-settings.ts';
import { stateBase } from '../../system/state-base.ts';
import { commonInput } from '../start/common-input.ts';
import type { StartPlace } from '../start/start-place.ts';

export interface ReviewOptions extends Pick<StartPlace, 'cwd' | 'env' | 'view' | 'signal' | 'clock'> {
  readonly change: ChangeRequest;
  readonly settings: StartSettings;
  /** The provider that `auto` tries after Codex; null if the configuration names none. */
  readonly configuredAdvisor: string | null;
  /** Settings by provider, such as the path of its program. */
  readonly providerSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The lead that answers reverse requests; none if omitted. */
  readonly lead?: LeadChoice | null;
  readonly reports: readonly ReportTarget[];
  /** Sources of settings and instructions, for the first lines; empty if the caller sets them. */
  readonly notes?: readonly string[];
  /** The run whose advisor has been started already; null if another process drives the run. */
  readonly early?: EarlyRun | null;
  /** The states of the change, if they are being read already. */
  readonly states?: EarlyStates | null;
  /** The baseline that new findings are measured against; none if omitted. */
  readonly baseline?: Baseline | null;
  /** The text of the pull request, masked. */
  readonly pullRequest?: string | null;
  /** Reports of checks, masked. */
  readonly checks?: readonly CheckReport[];
  /** Findings of other tools, masked. */
  readonly imports?: readonly ImportedReport[];
}

export interface PreparedChange {
  readonly taken: ChangeInput;
  readonly read: ReadChange;
  readonly conventions: ReadConventions;
  readonly related: readonly RelatedFile[];
  /** The baseline as of this change; null if there is none. */
  readonly baseline: Baseline | null;
  /** Returns the whole text of a changed file. */
  readonly headOf: HeadReader;
}

export interface TakeOptions extends Pick<ResolveOptions, 'whole'> {
  readonly keeps?: boolean;
  /** Reads the related files although they are not shown. */
  readonly measures?: boolean;
}

/**
 * With `keeps`, the state under review is kept for the agents, so that they read exactly the files of the change.
 * @throws CollabError `input`, `empty_input`, `range`, `file`
 */
export async function takeChange(
  options: ReviewOptions,
  { keeps = false, measures = false, whole = [] }: TakeOptions = {},
): Promise<PreparedChange> {
  const { cwd, env, signal, settings, view, states } = options;
  const base = keeps && mayReadFiles(options) && isGitRequest(options.change) ? stateBase(options) : null;
  const baseline = await openBaseline(options.baseline);
  const heads = keepHeadTexts();
  const tests = findRelatedTests();
  const resolved = await withStore(base, cwd, (store) =>
    resolveChange(options.change, {
      cwd,
      env,
      allowEmpty: settings.allow_empty,
      whole,
      beside: settings.conventions ? conventionNames : [],
      context: settings.context,
      signal,
      newTexts: [
        heads.newTexts,
        ...(settings.context === 'related' || measures ? [tests.newTexts] : []),
        ...(baseline === null ? [] : [baseline.newTexts]),
      ],
      view,
      states,
      ...(store === null ? {} : { keep: keepIn(store) }),
    }),
  );
  const taken = { ...resolved, description: masked(resolved.description) };
  const related = tests.found();
  const conventions = maskConventions(keepConventions(resolved.beside ?? []));
  const read = readChange({
    change: {
      ...taken,
      diff: taken.diffText,
      conventions: conventions.kept,
      pull_request: options.pullRequest ?? null,
      checks: options.checks ?? [],
      related: settings.context === 'related' ? related : [],
    },
    settings,
  });
  refuseDamage(options.change, taken, read);
  const hidden = whole.length === 0 && taken.root !== null ? pathsToShow(read) : [];
  if (hidden.length > 0) return takeChange(options, { keeps, measures, whole: hidden });
  const files = read.counted.census.files.map(({ file }) => file);
  const headOf = isGitRequest(options.change) ? heads.headOf : await findHeadTexts(cwd, files);
  return { taken, read, conventions, related, baseline: baseline?.follow(files) ?? null, headOf };
}

async function openBaseline(baseline: Baseline | null | undefined): Promise<BaselineReader | null> {
  if (baseline === null || baseline === undefined) return null;
  return (await import('./follow-baseline.ts')).readForBaseline(baseline);
}

function keepIn(store: RepositoryStore): KeepSnapshot {
  return {
    lists: store.trees,
    snapshot: (snapshot, changedPaths) => keepSnapshot(store, snapshot, changedPaths),
  };
}

/** `auto` is resolved to an advisor only later. */
function mayReadFiles(options: ReviewOptions): boolean {
  const [provider = ''] = options.settings.advisor.split(':');
  return !readsNoFiles.includes(provider) || leadMayCheck(options);
}

const readsNoFiles: readonly string[] = ['static_review', 'rehearsal'];

function refuseDamage(request: ChangeRequest, taken: ChangeInput, { counted, faults }: ReadChange): void {
  const [fault] = faults;
  if (fault !== undefined) {
    const { says, hint } = refusals[fault.kind];
    throw new CollabError('input', `${nameOf(request)} ${says}: line ${fault.line}: ${fault.message}`, {
      hint,
      details: { line: fault.line },
    });
  }
  if (!taken.empty && counted.census.filesChanged === 0) {
    throw new CollabError('input', `${nameOf(request)} contains no diff`, {
      hint: 'use the output of git diff, or a file with it',
    });
  }
}

const refusals: Readonly<Record<DiffFault['kind'], { readonly says: string; readonly hint: string }>> = {
  damaged: {
    says: 'is damaged',
    hint: 'make the diff again; an edited or truncated one cannot be reviewed as a whole',
  },
  merge: {
    says: 'holds a merge diff',
    hint: 'compare with one side: git diff <merge>^1 <merge> | collab review -, or: collab review --commit <merge>',
  },
  repeated: {
    says: 'holds several diffs',
    hint: 'make one diff of the whole range: git diff <first>^ <last> | collab review -',
  },
  text_missing: {
    says: 'leaves files out',
    hint: 'include the text of new and deleted files: diff -ruN <old> <new> | collab review -',
  },
};

/** @throws CollabError `usage`, `cli_missing`, `auth`, `options` */
export async function prepareReview(
  options: ReviewOptions,
  prepared: PreparedChange,
): Promise<ReviewRunInput> {
  const { taken, read, headOf } = prepared;
  const { lead = null } = options;
  const { brief } = read.counted;
  const isAsked = read.counted.files.length > 0;
  const question = advisorQuestion(options);
  const choice = isAsked ? await chooseAdvisor(question) : noAdvisorNeeded(options.settings.advisor);
  const verify = await checksFindings(options, isAsked ? choice : null);
  const agents = [choice, ...(lead === null ? [] : [lead])];
  const price = isAsked
    ? await priceOfCalls(options.settings.budget_usd, agents, question.environment)
    : null;
  const byRules = await (isAsked
    ? examineChange(read, { rules: options.settings.rules, headOf }, options.signal)
    : examineSkipped(read));
  const imported = importFindings(options.imports ?? [], read.counted.files);
  const examined = { ...byRules, issues: [...byRules.issues, ...imported.issues] };
  return {
    ...commonInput(
      {
        ...options,
        notes: [
          ...(options.notes ?? []),
          ...conventionsNote(prepared),
          ...secretFilesNote(taken),
          ...imported.notes,
        ],
      },
      { advisor: choice, price },
    ),
    kind: 'review',
    change: {
      ...pick(taken, ['kind', 'base', 'head', 'description']),
      diff: read.diff,
      secrets: read.allSecrets,
      messages: brief.messages,
      conventions: [...brief.conventions],
      pull_request: brief.pullRequest,
      checks: [...(options.checks ?? [])],
      related: [...brief.related],
      attributes: taken.attributes,
      ...(taken.hidden === undefined ? {} : { hidden: taken.hidden }),
      files:
        choice.assurance === 'model' || leadMayCheck(options)
          ? await filesUnderReview(options, prepared)
          : null,
    },
    settings: { ...options.settings, focus: brief.focus, instructions: brief.instructions },
    lead: lead === null ? null : { ...lead, settings: question.environment.settings },
    verify,
    ...(isAsked || examined.issues.length > 0 ? { examined } : {}),
    reports: [...options.reports],
    ...(prepared.baseline === null ? {} : { baseline: prepared.baseline }),
  };
}

function conventionsNote({ conventions: { kept } }: PreparedChange): readonly string[] {
  if (kept.length === 0) return [];
  return [`conventions from ${namesOf(kept.map(({ path }) => path))} before the change`];
}

/** An untracked file is part of the change if git does not ignore it, even if no one means to commit it. */
function secretFilesNote({ untracked = [] }: ChangeInput): readonly string[] {
  const found = untracked.filter(isSecretFile);
  if (found.length === 0) return [];
  return [
    `untracked files that may hold secrets are part of the change: ${namesOf(found)} (ignore them to leave them out)`,
  ];
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return `${paths.slice(0, mostNamed).map(visibleName).join(', ')}${more}`;
}

const mostNamed = 5;

/**
 * Returns true if the lead checks the findings, or the advisor if there is no such lead. `advisor` null: there is nothing
 * to review. @throws CollabError `usage` if neither can
 */
async function checksFindings(options: ReviewOptions, advisor: AdvisorChoice | null): Promise<boolean> {
  const { lead = null, settings } = options;
  const isWanted = settings.verify === 'auto' ? settings.effort !== 'quick' : settings.verify;
  if (!isWanted || leadMayCheck(options)) return isWanted;
  const can = advisor !== null && (await advisorMayCheck(advisor, options));
  if (can || settings.verify !== true) return can;
  const why = lead === null ? 'no lead takes part' : 'a person answers here, not an agent';
  throw new CollabError('usage', `--verify needs an agent that checks the findings: ${why}`, {
    hint: 'name a lead: --lead claude_code, or --lead caller inside Claude Code; or choose a model as advisor; or omit --verify',
  });
}

function leadMayCheck({ lead = null, settings: { verify, effort } }: ReviewOptions): boolean {
  return isCheckingLead(lead) && (verify === 'auto' ? effort !== 'quick' : verify);
}

async function advisorMayCheck(
  { provider: name, model, assurance }: AdvisorChoice,
  options: ReviewOptions,
): Promise<boolean> {
  const { environment } = advisorQuestion(options);
  const provider = await loadProvider(name, environment.settings);
  return (await provider.verifies?.(model, environment)) ?? assurance === 'model';
}

/** For a diff from elsewhere, the agents see the repository only if the diff's blobs prove that it is the same one. */
async function filesUnderReview(
  { cwd, env, signal }: ReviewOptions,
  { taken, read }: PreparedChange,
): Promise<ReviewRunInput['change']['files']> {
  if (taken.root !== null) {
    const isLive = taken.kind === 'staged' || taken.kind === 'working_tree';
    const state = isLive ? taken.kind : (taken.head ?? 'head');
    return { root: taken.root, state, ...(taken.tree === null ? {} : { tree: taken.tree }) };
  }
  const root = (await findRepository(cwd))?.root ?? null;
  if (root === null) return null;
  const blobs = read.counted.census.files.map(({ file }) => file);
  const paths = blobs.map(({ path }) => path);
  const found = await withStore(stateBase({ env }), root, (store) => {
    const match = { root, blobs, env, signal };
    if (store === null) return findMatchingState(match);
    const onSnapshot = (snapshot: Snapshot): Promise<void> => keepSnapshot(store, snapshot, paths);
    return findMatchingState({ ...match, lists: store.trees, onSnapshot });
  });
  return found === null ? null : { root, ...found };
}

function nameOf(request: ChangeRequest): string {
  return request.kind === 'file' ? request.path : 'the input';
}
