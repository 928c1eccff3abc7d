/** The input of a run that another machine drives: without the paths and the programs of the machine that submits it. */
import { isAbsolute } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { parseJson } from '../../text/parse-json.ts';
import { runInputSchema, type ReviewRunInput, type RunInput } from '../folder/run-input.ts';
import { submittedKinds, type SubmittedKind } from './submitted-kinds.ts';

/** The form of submitted inputs. A worker reads this form and older ones; a newer one waits for a newer worker. */
export const inputProtocol = 1;

export type SubmittedInput = Extract<RunInput, { readonly kind: SubmittedKind }>;

/** @throws CollabError `usage` for a kind of run that cannot be submitted yet */
export function inputToSubmit(input: RunInput): SubmittedInput {
  if (travels(input)) return input;
  throw new CollabError('usage', `A run of the kind ${input.kind} cannot be submitted to workers`, {
    hint: 'Start it here: leave out --remote.',
  });
}

function travels(input: RunInput): input is SubmittedInput {
  return submittedKinds.some((kind) => kind === input.kind);
}

/** `tree`: the tree of its files; null if it has none. */
export function writePortable(input: SubmittedInput, tree: string | null): string {
  const files = tree === null ? null : { root: '', state: tree, tree };
  return JSON.stringify(withFiles(withoutPlaces(input), files));
}

function withoutPlaces<Input extends SubmittedInput>(input: Input): Input {
  const { lead, advisor } = input;
  return {
    ...input,
    cwd: '',
    // The command that submits the run writes them.
    reports: [],
    advisor: { ...advisor, settings: withoutPaths(advisor.settings) },
    lead: lead === null ? null : { ...lead, settings: withoutPaths(lead.settings) },
  };
}

type Files = ReviewRunInput['change']['files'];

/** The files that the agents of a run read; null if they read none, and for a run with a copy of its own. */
export function filesOf(input: SubmittedInput): Files {
  switch (input.kind) {
    case 'review':
      return input.change.files;
    case 'consult':
      return input.files;
    case 'workflow':
      return null;
  }
}

function withFiles(input: SubmittedInput, files: Files): SubmittedInput {
  switch (input.kind) {
    case 'review':
      return { ...input, change: { ...input.change, files } };
    case 'consult':
      return { ...input, files };
    case 'workflow':
      return input;
  }
}

/** The folders of a run on one machine. */
export interface InputPlaces {
  readonly cwd: string;
  /** The folder for its files. */
  readonly root: string;
}

/** Each machine has folders of its own for a submitted run: without them, its input is the same on all. */
export const nowhere: InputPlaces = { cwd: '', root: '' };

export function placedAt(input: SubmittedInput, { cwd, root }: InputPlaces): SubmittedInput {
  // Its copy is that of the repository in the folder.
  if (input.kind === 'workflow') return { ...input, cwd: root };
  const files = filesOf(input);
  return withFiles({ ...input, cwd }, files === null ? null : { ...files, root });
}

/** @throws CollabError `journal_corrupt` */
export function readPortable(text: string, places: InputPlaces): RunInput {
  const input = parsePortable(text);
  return travels(input) ? placedAt(input, places) : { ...input, cwd: places.cwd };
}

/** Returns null for an input of another version. */
export function portableIfReadable(text: string): RunInput | null {
  return runInputSchema.safeParse(parseJson(text)).data ?? null;
}

/** @throws CollabError `journal_corrupt` */
export function parsePortable(text: string): RunInput {
  const read = runInputSchema.safeParse(parseJson(text));
  if (read.success) return read.data;
  throw new CollabError('journal_corrupt', 'The input of the run in the database cannot be read', {
    hint: 'Use the version of collab that submitted it, or a newer one.',
    cause: read.error,
  });
}

/** Names of the providers whose programs or keys the run needs. */
export function providersOf({ advisor, lead }: RunInput): readonly string[] {
  const asked = advisor.assurance === 'none' ? [] : [advisor.provider];
  const leads = lead === null || withoutProgram.includes(lead.provider) ? [] : [lead.provider];
  return [...new Set([...asked, ...leads])];
}

/** People, and agents that call collab, answer through `collab answer`. */
const withoutProgram: readonly string[] = ['user', 'caller'];

function withoutPaths(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isAbsolute(value)));
}
