/** Makes requests of parsed command lines. */
import type {
  ConsultStart,
  NamedChange,
  ReviewStart,
  WorkflowStart,
} from '../../runs/start/start-request.ts';
import type { ShownFlags, StartLine } from '../driving/present-start.ts';
import type { ReviewFlags } from './review-flags.ts';

export type RunFlags = Omit<WorkflowStart, 'kind' | 'task'> & ShownFlags;
export type ConsultFlags = Omit<ConsultStart, 'kind' | 'phase' | 'brief'> & ShownFlags;

export function reviewLine(diff: string | undefined, flags: ReviewFlags): StartLine {
  const { base, staged, commit, cache, ...others } = flags;
  const { asked, shown } = split(others);
  const changes: readonly NamedChange[] = [
    ...(diff === undefined ? [] : [{ kind: 'argument', words: diff } as const]),
    ...(base === undefined ? [] : [{ kind: 'base', ref: base } as const]),
    ...(staged === true ? [{ kind: 'staged' } as const] : []),
    ...(commit === undefined ? [] : [{ kind: 'commit', sha: commit } as const]),
  ];
  // Commander sets a flag that begins with "no-" to true if it is absent.
  const request: ReviewStart = { kind: 'review', changes, ...asked, ...(cache === false ? { cache } : {}) };
  return { request, shown };
}

export function runLine(task: string | undefined, flags: RunFlags): StartLine {
  const { asked, shown } = split(flags);
  return { request: { kind: 'run', ...(task === undefined ? {} : { task }), ...asked }, shown };
}

export function consultLine(phase: ConsultStart['phase'], flags: ConsultFlags): StartLine {
  const { asked, shown } = split(flags);
  return { request: { kind: 'consult', phase, ...asked }, shown };
}

/** Separates what is asked from how it is shown. */
function split<Flags extends ShownFlags>(flags: Flags) {
  const { detach, verbose, ascii, format, plan, showPrompt, ...asked } = flags;
  const shown: ShownFlags = { detach, verbose, ascii, format, plan, showPrompt };
  return { asked, shown };
}
