import { basename, dirname, resolve } from 'node:path';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { yamlOffset } from '../../parsers/yaml/read-yaml.ts';
import { readNamed } from '../../system/files/read.ts';
import { scriptSchema, type Script, type ScriptedTurn } from './script.ts';

export interface LoadedScript {
  /** A valid script: every turn without a fault has its `answer`. */
  readonly script: Script;
  /** Paths in the script are relative to this folder. */
  readonly folder: string;
  /** The name of its file. */
  readonly name: string;
}

/** Reads and checks a script. @throws CollabError `options` with file, line and column of the first fault */
export async function readScript(path: string): Promise<LoadedScript> {
  const lines = new LineCounter();
  const document = parseDocument(await readText(path), { lineCounter: lines });
  const [syntaxFault] = document.errors;
  if (syntaxFault !== undefined) {
    throw faulty(path, lines.linePos(syntaxFault.pos[0]), syntaxFault.message.split('\n')[0] ?? '');
  }
  const parsed = scriptSchema.safeParse(document.toJS());
  if (!parsed.success) throw faultOf(path, document, lines, parsed.error);
  const folder = dirname(resolve(path));
  return {
    folder,
    name: basename(path),
    script: { ...parsed.data, turns: await withAnswers(parsed.data.turns, folder) },
  };
}

async function readText(path: string): Promise<string> {
  try {
    return readNamed(path, path).toString('utf8');
  } catch (cause) {
    throw new CollabError('options', `${path} cannot be read`, {
      hint: 'Name a YAML file: rehearsal:<script.yaml>',
      details: { path },
      cause,
    });
  }
}

/** Reads the answer files now, so that a missing one is reported before the first call. */
function withAnswers(turns: readonly ScriptedTurn[], folder: string): Promise<ScriptedTurn[]> {
  return Promise.all(
    turns.map(async (turn) =>
      turn.answer_file === undefined
        ? turn
        : { ...turn, answer: await readText(resolve(folder, turn.answer_file)) },
    ),
  );
}

function faultOf(path: string, document: Document, lines: LineCounter, error: z.ZodError): CollabError {
  const issue = error.issues[0];
  if (issue === undefined) return faulty(path, { line: 1, col: 1 }, error.message);
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const offset = yamlOffset(document, issue.path, unknownKey);
  const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  return faulty(path, lines.linePos(offset), `${where}${issue.message}`);
}

function faulty(path: string, { line, col }: { line: number; col: number }, what: string): CollabError {
  return new CollabError('options', `${path}:${line}:${col}: ${what}`, {
    hint: 'See examples/rehearsal.yaml for an example.',
    details: { path, line, column: col },
  });
}
