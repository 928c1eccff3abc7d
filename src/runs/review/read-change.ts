/** From the text of a change to what is reviewed of it. Secrets are masked first; the mask keeps every line's length. */
import type { CountedChange } from '../../machine/review/review-machine.ts';
import type { DiffFault, DiffFile } from '../../parsers/diff/types.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { takeCensus } from '../../review/census/census.ts';
import type { CoveredSecret } from '../../review/outcome/result.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { visibleName } from '../../text/neutralise.ts';
import { coveredInChange } from './covered-secrets.ts';
import type { ReviewRunInput, ReviewSettings } from '../folder/run-input.ts';

export interface ReadChange {
  readonly counted: CountedChange;
  /** Where the diff contradicts itself; such a diff is not reviewed. */
  readonly faults: readonly DiffFault[];
  /** The reviewed files with their secrets unmasked: only rules that look for secrets see them. */
  readonly unmasked: readonly DiffFile[];
  readonly covered: readonly CoveredSecret[];
}

export interface ChangeToRead {
  readonly change: Pick<ReviewRunInput['change'], 'diff' | 'description' | 'messages' | 'attributes'>;
  readonly settings: Pick<ReviewSettings, 'include' | 'exclude' | 'focus' | 'instructions' | 'language'>;
}

/** A run reads its change when it takes it, when it begins and for its report: what was read last is kept. */
export function readChange({ change, settings }: ChangeToRead): Promise<ReadChange> {
  const { include, exclude, focus, instructions, language } = settings;
  const about = JSON.stringify([
    change.description,
    change.messages,
    change.attributes,
    include,
    exclude,
    focus,
    instructions,
    language,
  ]);
  if (last?.diff !== change.diff || last.about !== about) {
    last = { diff: change.diff, about, read: read({ change, settings }) };
  }
  return last.read;
}

let last: { readonly diff: string; readonly about: string; readonly read: Promise<ReadChange> } | null = null;

async function read({ change, settings }: ChangeToRead): Promise<ReadChange> {
  const selection = { include: settings.include, exclude: settings.exclude };
  const masked = (await maskSecrets(change.diff)).text;
  const diff = parseUnifiedDiff(masked);
  const census = takeCensus(diff, selection, change.attributes);
  const unmasked =
    masked === change.diff ? census : takeCensus(parseUnifiedDiff(change.diff), selection, change.attributes);
  return {
    counted: {
      census,
      files: census.reviewable,
      fixed: null,
      brief: {
        subject: change.description,
        task: null,
        focus: await covered(settings.focus),
        instructions: await covered(settings.instructions),
        language: settings.language,
        messages: await covered(change.messages),
        manifest: manifestOf(census.reviewable),
      },
    },
    faults: diff.faults,
    unmasked: unmasked.reviewable,
    covered: await coveredInChange(unmasked.reviewable, census.reviewable),
  };
}

/** The request is recorded as a value besides its prompt. */
async function covered(text: string | null): Promise<string | null> {
  return text === null ? null : (await maskSecrets(text)).text;
}

/** Every file with its line counts, one a line. */
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
