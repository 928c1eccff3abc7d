/** Reads the text of a change into the parts to review. Secrets are masked first; the mask keeps every line's length. */
import type { CountedChange } from '../../machine/review/review-machine.ts';
import type { DiffFault, DiffFile } from '../../parsers/diff/types.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { filesWithin, linesOf, subtractRanges } from '../../parsers/diff/ranges.ts';
import { takeCensus, type Census } from '../../review/census/census.ts';
import { shownWhole } from '../../review/census/unseen.ts';
import { readChecklists, type ChecklistTexts } from '../../prompts/review/checklists.ts';
import type { CheckReport } from '../../prompts/review/check-reports.ts';
import type { RelatedFile } from '../../prompts/review/related-files.ts';
import type { DismissedKind } from '../../review/dismissals/kinds.ts';
import type { Convention, ReadConventions } from '../../prompts/review/conventions.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { visibleName } from '../../text/neutralise.ts';
import { maskChange, secretsWithin, type ChangeSecrets } from './change-secrets.ts';
import type { ReviewRunInput, ReviewSettings } from '../folder/run-input.ts';

export interface ReadChange {
  readonly counted: CountedChange;
  /** Contradictions within the diff; such a diff is not reviewed. */
  readonly faults: readonly DiffFault[];
  /** The whole change, masked, as a run keeps it. */
  readonly diff: string;
  /** Secrets of the whole change. */
  readonly allSecrets: ChangeSecrets;
  /** Secrets in the files under review. */
  readonly secrets: ChangeSecrets;
  /** The lines that are not reviewed, masked: issues that rules report in them still count. */
  readonly skipped: readonly DiffFile[];
}

export interface ChangeToRead {
  readonly change: Pick<
    ReviewRunInput['change'],
    'diff' | 'secrets' | 'description' | 'messages' | 'attributes' | 'hidden'
  > &
    Readonly<Pick<ReviewRunInput['change'], 'pull_request'>> & {
      readonly conventions: readonly Convention[];
      readonly checks: readonly CheckReport[];
      readonly related: readonly RelatedFile[];
    };
  readonly settings: Pick<
    ReviewSettings,
    | 'include'
    | 'exclude'
    | 'repository'
    | 'only'
    | 'focus'
    | 'instructions'
    | 'checklists'
    | 'dismissed'
    | 'language'
  >;
}

/** Reads a change: a run does it once, when it starts or when it is opened. */
export function readChange({ change, settings }: ChangeToRead): ReadChange {
  const { include, exclude, repository, only } = settings;
  const selection = { include, exclude, repository, only };
  // A run of version 0.1.0 kept the change unmasked, like a change that was only just read.
  const { diff: text, secrets } =
    change.secrets === undefined ? maskChange(change.diff) : { diff: change.diff, secrets: change.secrets };
  const diff = parseUnifiedDiff(text);
  const census = takeCensus(diff, selection, change);
  return {
    counted: {
      census,
      files: census.reviewable,
      fixed: null,
      brief: {
        subject: change.description,
        task: null,
        focus: covered(settings.focus),
        instructions: covered(settings.instructions),
        language: settings.language,
        checklists: readChecklists(census.reviewable, coveredTexts(settings.checklists)),
        conventions: change.conventions,
        dismissed: coveredKinds(settings.dismissed),
        pullRequest: change.pull_request,
        related: change.related,
        checks: change.checks.map((report) => aimAt(census.reviewable, report)),
        messages: covered(change.messages),
        manifest: manifestOf(census.reviewable),
      },
    },
    faults: diff.faults,
    diff: text,
    allSecrets: secrets,
    secrets: secretsWithin(census.reviewable, secrets),
    skipped: unreviewedOf(census),
  };
}

/** A rename does not show the text of a file that was skipped at its old path: it is shown as a new file instead. */
export function pathsToShow({ counted }: ReadChange): readonly string[] {
  return counted.census.files.filter(({ unseen }) => shownWhole.includes(unseen)).map(({ path }) => path);
}

/** Returns skipped files, and the parts cut off from files that are reviewed in part. */
function unreviewedOf({ files, reviewable }: Census): readonly DiffFile[] {
  const unreviewed = files.filter(({ skipped, unseen }) => skipped !== null || unseen !== null);
  const changed = unreviewed.map(({ file }) => file);
  return filesWithin(changed, subtractRanges(linesOf(changed), linesOf(reviewable)));
}

/** The request is recorded as a value in addition to its prompt. */
function covered(text: string | null): string | null {
  return text === null ? null : masked(text);
}

function coveredTexts(texts: ChecklistTexts = {}): ChecklistTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, masked(text)]));
}

function coveredKinds(kinds: readonly DismissedKind[] = []): readonly DismissedKind[] {
  return kinds.map((kind) => ({
    ...kind,
    examples: kind.examples.map(({ title, reason }) => ({ title: masked(title), reason: masked(reason) })),
  }));
}

export function maskConventions({ kept, left }: ReadConventions): ReadConventions {
  return { kept: kept.map(({ path, text }) => ({ path, text: masked(text) })), left };
}

/** Finds the changed file of each item: tools name files by paths of the machine that they ran on. */
function aimAt(files: readonly DiffFile[], report: CheckReport): CheckReport {
  const items = report.items.map((item) => ({ ...item, path: fileNamed(item.path, files)?.path ?? null }));
  return { ...report, items };
}

/** Returns the changed file that a tool names by a path of the machine that it ran on; null if it names none. */
export function fileNamed(named: string | null, files: readonly DiffFile[]): DiffFile | null {
  const path = (named ?? '').replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return files.find((file) => path === file.path || path.endsWith(`/${file.path}`)) ?? null;
}

/** Lists every file with its line counts, one per line. */
export function manifestOf(files: readonly DiffFile[]): string {
  return files
    .map(
      (file) =>
        `${visibleName(file.path)} (${file.change}, +${count(file, 'added')} −${count(file, 'removed')})`,
    )
    .join('\n');
}

function count(file: DiffFile, kind: 'added' | 'removed'): number {
  return file.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
}
