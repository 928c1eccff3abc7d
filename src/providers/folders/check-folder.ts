/** Runs the contract's whole checklist on one folder (R003-50 … R003-61, X003-20). Runs the folder's code. */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { modelAbilities, variableOf, type AiClientClass, type ClientAbilities } from '../client/ai-client.ts';
import { checkBehavior } from './check-behavior.ts';
import { startFakeUpstream, type RecordedAnswer } from './fake-upstream.ts';
import type { FolderFault } from './folder-fault.ts';
import {
  inspectFolder,
  inspectProfiles,
  type InspectedFolder,
  type InspectOptions,
} from './inspect-folder.ts';
import { classFaults, loadClass } from './load-class.ts';
import { shippedProfileDir } from '../profiles/shipped-profiles.ts';
import { readNamedIfThere } from '../../system/files/read.ts';
import { parseJson } from '../../text/parse-json.ts';

export interface CheckedFolder extends InspectedFolder {
  /** The checks that were not possible, with the reasons. */
  readonly notes: readonly string[];
}

export interface CheckOptions extends InspectOptions {
  /** Milliseconds before a call is aborted. */
  readonly patienceMs: number;
}

export async function checkFolder(path: string, options: CheckOptions): Promise<CheckedFolder> {
  const folder = await inspectFolder(path, options);
  if (folder.entry === null) return { ...folder, notes: ['the code was not run: there is no entry file'] };
  const { Client, faults } = await loadClass(folder.name, folder.entry);
  const known = { ...folder, faults: [...folder.faults, ...faults] };
  if (Client === null) return { ...known, notes: ['behavior was not checked: the class has faults'] };
  return withBehavior(known, Client, options);
}

/** Runs the same checks on the class and profiles of a provider that ships; loading it has already shown that its files exist. */
export async function checkShipped(
  name: string,
  Client: AiClientClass,
  options: Pick<CheckOptions, 'patienceMs'>,
): Promise<CheckedFolder> {
  const path = dirname(shippedProfileDir(name));
  const { found, faults, warnings } = inspectProfiles(path, name);
  const entry = join(path, `${name}_client`);
  const known = { name, path, entry, profiles: found, warnings };
  return withBehavior(
    { ...known, faults: [...faults, ...classFaults(name, entry, Client)] },
    Client,
    options,
  );
}

async function withBehavior(
  folder: InspectedFolder,
  Client: AiClientClass,
  options: Pick<CheckOptions, 'patienceMs'>,
): Promise<CheckedFolder> {
  const abilities = Client.abilities ?? modelAbilities;
  const told = abilityNotes(abilities);
  if (abilities.requests === 'own' || Client.authMode === 'cli_login') {
    const note = `errors, abort and history were not checked: its requests do not go to ${variableOf(folder.name, 'API_BASE')}`;
    return { ...folder, notes: [...told, note] };
  }
  const behavior = await behaviorFaults(Client, folder, folder.entry ?? folder.path, options);
  return { ...folder, faults: [...folder.faults, ...behavior], notes: told };
}

function abilityNotes({ history, tools }: ClientAbilities): readonly string[] {
  const histories = {
    converted: [],
    told: ['history: told in its prompt as text, because it keeps a session of its own'],
    none: ['history: none; earlier messages do not affect its answer'],
  };
  const toolNotes = {
    callers: [],
    own: ['tools: its own; those of the caller are refused'],
    none: ['tools: none; those of the caller are refused'],
  };
  return [...histories[history], ...toolNotes[tools]];
}

async function behaviorFaults(
  Client: AiClientClass,
  { name, path, profiles }: InspectedFolder,
  entry: string,
  { patienceMs }: Pick<CheckOptions, 'patienceMs'>,
): Promise<readonly FolderFault[]> {
  const recorded = readRecorded(path);
  if (recorded !== null && 'code' in recorded) return [recorded];
  const upstream = await startFakeUpstream();
  const env = {
    [variableOf(name, 'API_KEY')]: 'check-key-0123456789',
    [variableOf(name, 'API_BASE')]: upstream.url,
  };
  const before = Object.keys(env).map((key) => [key, process.env[key]] as const);
  try {
    // A class that does not extend ours reads the environment of the process; one that does would take it from the options.
    Object.assign(process.env, env);
    const client = new Client();
    const modelId = profiles[0]?.basic_info.id ?? 'model';
    return await checkBehavior({ client, upstream, modelId, path: entry, recorded, patienceMs });
  } finally {
    for (const [key, value] of before) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
    await upstream.close();
  }
}

const recordedSchema = z.object({
  headers: z.record(z.string(), z.string()),
  chunks: z.array(z.string()).min(1),
});

/** Reads `check.json`: a recorded answer of the vendor, for testing an abort at each of its chunks. */
function readRecorded(folder: string): RecordedAnswer | FolderFault | null {
  const path = join(folder, 'check.json');
  const bytes = readNamedIfThere(path);
  if (bytes === null) return null;
  const parsed = recordedSchema.safeParse(parseJson(bytes.toString('utf8')));
  if (parsed.success) return parsed.data;
  return {
    code: 'abort_ignored',
    path,
    expected: '{"headers": {…}, "chunks": ["…"]}, a recorded answer of the vendor',
    fix: 'Correct the file, or remove it: then an abort is tested only before the first chunk.',
  };
}
