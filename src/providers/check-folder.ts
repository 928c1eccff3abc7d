/** The checklist of the contract over one folder, all of it (R003-50 … R003-61, X003-20). Runs the folder's code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { variableOf, type AiClientClass } from './ai-client.ts';
import { checkBehaviour } from './check-behaviour.ts';
import { startFakeUpstream, type RecordedAnswer } from './fake-upstream.ts';
import type { FolderFault } from './folder-fault.ts';
import { inspectFolder, type InspectedFolder, type InspectOptions } from './inspect-folder.ts';
import { loadClass } from './load-class.ts';

export interface CheckedFolder extends InspectedFolder {
  /** What could not be looked at, and why. */
  readonly notes: readonly string[];
}

export interface CheckOptions extends InspectOptions {
  /** Milliseconds until a call is given up. */
  readonly patienceMs: number;
}

export async function checkFolder(path: string, options: CheckOptions): Promise<CheckedFolder> {
  const folder = await inspectFolder(path, options);
  if (folder.entry === null) return { ...folder, notes: ['the code was not run: there is no entry file'] };
  const { Client, faults } = await loadClass(folder.name, folder.entry);
  const known = { ...folder, faults: [...folder.faults, ...faults] };
  if (Client === null) return { ...known, notes: ['behaviour was not checked: the class has faults'] };
  if (Client.authMode === 'cli_login') {
    return {
      ...known,
      notes: ['behaviour was not checked: a program with a login of its own has no API_BASE'],
    };
  }
  const behaviour = await behaviourFaults(Client, known, folder.entry, options);
  return { ...known, faults: [...known.faults, ...behaviour], notes: [] };
}

async function behaviourFaults(
  Client: AiClientClass,
  { name, path, profiles }: InspectedFolder,
  entry: string,
  { patienceMs }: CheckOptions,
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
    // A class of its own reads the process's environment; one that extends ours would take it from the options.
    Object.assign(process.env, env);
    const client = new Client();
    const modelId = profiles[0]?.basic_info.id ?? 'model';
    return await checkBehaviour({ client, upstream, modelId, path: entry, recorded, patienceMs });
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

/** `check.json`: an answer of the vendor, so that an abort can be tried at each of its chunks. */
function readRecorded(folder: string): RecordedAnswer | FolderFault | null {
  const path = join(folder, 'check.json');
  if (!existsSync(path)) return null;
  const parsed = recordedSchema.safeParse(parseJson(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  return {
    code: 'abort_ignored',
    path,
    expected: '{"headers": {…}, "chunks": ["…"]}, a recorded answer of the vendor',
    fix: 'Correct the file, or remove it: then an abort is tried before the first chunk alone.',
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
