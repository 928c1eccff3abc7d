/** Turns parsed command lines into requests. */
import type {
  ConsultStart,
  NamedChange,
  ReviewStart,
  WorkflowStart,
} from '../../runs/start/start-request.ts';
import type { ShownFlags, StartLine } from '../driving/present-start.ts';
import { settingNames, settingRow, type SettingWords } from '../../config/settings-table.ts';

/** The flags as Commander reads them. */
export interface ReviewFlags extends Omit<ReviewStart, 'kind' | 'changes'>, ShownFlags {
  readonly base?: string;
  readonly staged?: boolean;
  readonly commit?: string;
}
export type RunFlags = Omit<WorkflowStart, 'kind' | 'task'> & ShownFlags;
export type ConsultFlags = Omit<ConsultStart, 'kind' | 'phase' | 'brief'> & ShownFlags;

export function reviewLine(change: string | undefined, flags: ReviewFlags): StartLine {
  const { base, staged, commit, ...others } = flags;
  const { asked, shown } = split(others);
  const changes: readonly NamedChange[] = [
    ...(change === undefined ? [] : [{ kind: 'argument', words: change } as const]),
    ...(base === undefined ? [] : [{ kind: 'base', ref: base } as const]),
    ...(staged === true ? [{ kind: 'staged' } as const] : []),
    ...(commit === undefined ? [] : [{ kind: 'commit', sha: commit } as const]),
  ];
  return { request: { kind: 'review', changes, ...asked }, shown };
}

export function runLine(task: string | undefined, flags: RunFlags): StartLine {
  const { asked, shown } = split(flags);
  return { request: { kind: 'run', ...(task === undefined ? {} : { task }), ...asked }, shown };
}

export function consultLine(phase: ConsultStart['phase'], flags: ConsultFlags): StartLine {
  const { asked, shown } = split(flags);
  return { request: { kind: 'consult', phase, ...asked }, shown };
}

/** Separates the request from the options about its display. */
function split<Flags extends ShownFlags>(flags: Flags) {
  const { detach, verbose, plain, ascii, format, plan, showPrompt, ...words } = flags;
  const shown: ShownFlags = { detach, verbose, plain, ascii, format, plan, showPrompt };
  return { asked: withoutUnasked(words), shown };
}

/** Commander sets a setting that has only a `--no-…` flag to true if the flag is absent. */
function withoutUnasked<Words extends SettingWords>(words: Words): Words {
  const unasked = settingNames.filter((name) => settingRow(name).flag === undefined && words[name] === true);
  return unasked.reduce((left, name) => ({ ...left, [name]: undefined }), words);
}
