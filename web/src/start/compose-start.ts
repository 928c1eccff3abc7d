/** Converts a form to the request that starts a run. */
import { phases, type Phase } from '../../../src/client/questions.ts';
import { severities } from '../../../src/client/review.ts';
import type { OfferedBranches, RequestedReviewInput, RequestedRun } from '../../../src/client/run-types.ts';

export const inputKinds = ['working_tree', 'staged', 'base', 'range', 'commit', 'diff'] as const;
export type InputKind = (typeof inputKinds)[number];
/** The kinds with a value. */
export type ValuedKind = Exclude<InputKind, 'working_tree' | 'staged'>;

export const grades = [...severities, 'never'] as const;
export type Grade = (typeof grades)[number];

interface Agents {
  readonly advisor: string;
  readonly lead: string;
}

export interface ReviewDraft extends Agents {
  readonly input: InputKind;
  readonly value: string;
  readonly failOn: Grade;
  readonly focus: string;
}

export interface TaskDraft extends Agents {
  readonly task: string;
  readonly phases: readonly Phase[];
  readonly yes: boolean;
}

export function hasValue(kind: InputKind): kind is ValuedKind {
  return kind !== 'working_tree' && kind !== 'staged';
}

/** Returns the first value of a kind: the branch that others are compared with, or the range of the current branch. */
export function firstValue(
  kind: InputKind,
  branches: Pick<OfferedBranches, 'default' | 'current'> | null,
): string {
  const main = branches?.default ?? '';
  const current = branches?.current ?? '';
  if (kind === 'base') return main;
  return kind === 'range' && main !== '' && current !== '' && main !== current ? `${main}...${current}` : '';
}

export function composeReview(draft: ReviewDraft): RequestedRun {
  const { focus, failOn } = draft;
  return { kind: 'review', input: inputOf(draft), fail_on: failOn, ...said({ focus }), ...agentsOf(draft) };
}

export function composeTask(draft: TaskDraft): RequestedRun {
  const { task, phases: chosen, yes } = draft;
  const isWhole = chosen.length === phases.length;
  return {
    kind: 'run',
    task: task.trim(),
    ...(isWhole ? {} : { phases: [...chosen] }),
    ...(yes ? { yes } : {}),
    ...agentsOf(draft),
  };
}

/** A diff is sent unchanged. */
function inputOf({ input, value }: ReviewDraft): RequestedReviewInput {
  switch (input) {
    case 'working_tree':
      return {};
    case 'staged':
      return { staged: true };
    case 'base':
      return { base: value.trim() };
    case 'range':
      return { range: value.trim() };
    case 'commit':
      return { commit: value.trim() };
    case 'diff':
      return { diff: value };
  }
}

function agentsOf({ advisor, lead }: Agents): Readonly<Record<string, string>> {
  return said({ advisor, lead });
}

/** Empty fields are not sent: the server's own default applies. */
function said(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const filled = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
}
