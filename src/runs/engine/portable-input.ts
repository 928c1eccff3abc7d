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

/** Returns the part of an input that is the same on all machines; the paths of its files are not removed. */
export function withoutPlaces<Input extends AgentInput>(input: Input): Input {
  return { ...withOwnPrograms(input, nowhere), cwd: nowhere.cwd };
}

type AgentInput = Pick<RunInput, 'advisor' | 'cwd' | 'lead' | 'reports'>;
type ProviderSettings = Readonly<Record<string, string>>;

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

/** Parts of an input that are those of the machine which drives the run. */
export interface InputPlaces {
  readonly cwd: string;
  /** The folder for its files. */
  readonly root: string;
  /** The machine's own settings of providers, by `<provider>.<key>`: its programs, and the addresses that get its keys. */
  readonly providerSettings: ProviderSettings;
}

/** Each machine has folders and programs of its own for a submitted run: without them, its input is the same on all. */
export const nowhere: InputPlaces = { cwd: '', root: '', providerSettings: {} };

export function placedAt(input: SubmittedInput, places: InputPlaces): SubmittedInput {
  const { cwd, root } = places;
  const placed = withOwnPrograms(input, places);
  // Its copy is that of the repository in the folder.
  if (placed.kind === 'workflow') return { ...placed, cwd: root };
  const files = filesOf(placed);
  return withFiles({ ...placed, cwd }, files === null ? null : { ...files, root });
}

/**
 * Programs, addresses and written files are those of the machine, whatever the input says: else a person who submits could get
 * its keys. The command that submits the run writes its reports.
 */
function withOwnPrograms<Input extends AgentInput>(
  input: Input,
  { providerSettings }: Pick<InputPlaces, 'providerSettings'>,
): Input {
  const { lead, advisor } = input;
  const own = pickBy(providerSettings, isOfMachine);
  const settingsOf = ({ settings }: RunInput['advisor'] | NonNullable<RunInput['lead']>) => ({
    ...portable(settings),
    ...own,
  });
  return {
    ...input,
    reports: [],
    advisor: { ...advisor, settings: settingsOf(advisor) },
    lead: lead === null ? null : { ...lead, settings: settingsOf(lead) },
  };
}

/** @throws CollabError `journal_corrupt`; `usage` for a kind of run that is never submitted */
export function readPortable(text: string, places: InputPlaces): SubmittedInput {
  return placedAt(inputToSubmit(parsePortable(text)), places);
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

/** Settings of a provider that only the machine decides which has its programs and its keys. */
function isOfMachine(key: string): boolean {
  return /\.(?:path|folder|base_url)$/.test(key);
}

function portable(settings: ProviderSettings): Record<string, string> {
  return pickBy(settings, (key, value) => !isOfMachine(key) && !isAbsolute(value));
}

function pickBy(
  settings: ProviderSettings,
  isWanted: (key: string, value: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => isWanted(key, value)));
}
