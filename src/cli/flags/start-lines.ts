/** Turns parsed command lines into requests. */
import type {
  ConsultStart,
  FixStart,
  NamedChange,
  ReviewStart,
  WorkflowStart,
} from '../../runs/start/start-request.ts';
import type { ShownFlags, StartLine } from '../driving/present-start.ts';
import { settingNames, settingRow, type SettingWords } from '../../config/settings-table.ts';

/** The flags as Commander reads them. */
export interface ReviewFlags extends Omit<ReviewStart, 'kind' | 'changes'>, ShownFlags {
  readonly base?: string | undefined;
  readonly staged?: boolean | undefined;
  readonly commit?: string | undefined;
}
export type RunFlags = Omit<WorkflowStart, 'kind' | 'task'> & ShownFlags;
export type FixFlags = Omit<FixStart, 'kind' | 'run' | 'findings'> & ShownFlags;
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

/** The first word names the run unless it names a finding. */
export function fixLine(words: readonly string[], flags: FixFlags): StartLine {
  const { asked, shown } = split(flags);
  const [first] = words;
  const namesRun = first !== undefined && !namesFinding(first);
  const findings = namesRun ? words.slice(1) : words;
  const request: FixStart = {
    kind: 'fix',
    ...(namesRun ? { run: first } : {}),
    ...(findings.length === 0 ? {} : { findings }),
    ...asked,
  };
  return { request, shown };
}

/** `2`, `F2` or digits of an identity; the parts of a run's id that people type are longer, or have other letters. */
function namesFinding(word: string): boolean {
  return /^f?\d{1,3}$/i.test(word) || /^[0-9a-f]{12,64}$/.test(word);
}

export function consultLine(phase: ConsultStart['phase'], flags: ConsultFlags): StartLine {
  const { asked, shown } = split(flags);
  return { request: { kind: 'consult', phase, ...asked }, shown };
}

/** Separates the request from the options about its display. */
function split<Flags extends ShownFlags>(flags: Flags) {
  const { detach, verbose, plain, ascii, format, plan, showPrompt, engine, remote, ...words } = flags;
  const shown: ShownFlags = { detach, verbose, plain, ascii, format, plan, showPrompt, engine, remote };
  return { asked: withoutUnasked(words), shown };
}

/** Commander sets a setting that has only a `--no-…` flag to true if the flag is absent. */
function withoutUnasked<Words extends SettingWords>(words: Words): Words {
  const unasked = settingNames.filter((name) => settingRow(name).flag === undefined && words[name] === true);
  return unasked.reduce((left, name) => ({ ...left, [name]: undefined }), words);
}
