/** Additions to `.claude/settings.json`: everything else in the file keeps its text, comments and order. */
import { applyEdits, modify, parse, type JSONPath, type ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { permissionRule } from './permission-rule.ts';

/** Path of the hook of `collab init --stop-hook`, from the root of the project. */
export const stopHookPath = '.claude/hooks/collab-stop.mjs';

export interface ClaudeAdditions {
  readonly permission: boolean;
  readonly stopHook: boolean;
}

/** The changed text, or why the file stays as it is. */
export type Addition = { readonly text: string } | { readonly why: string };

/** Returns the same text if nothing is missing. `text` is a whole settings file. */
export function addToClaudeSettings(text: string, wanted: ClaudeAdditions): Addition {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const steps = [...(wanted.permission ? [addPermission] : []), ...(wanted.stopHook ? [addStopHook] : [])];
  let changed = text.slice(mark.length);
  for (const step of steps) {
    const settings = readSettings(changed);
    if (settings === null) return { why: 'it is not a JSON object' };
    const added = step(changed, settings);
    if ('why' in added) return added;
    changed = added.text;
  }
  return { text: mark + changed };
}

export function hasPermission(text: string): boolean {
  const settings = readSettings(text.replace(byteOrderMark, ''));
  return settings !== null && rulesOf(settings, 'allow').some(isOurRule);
}

const objectSchema = z.record(z.string(), z.unknown());

type Settings = Readonly<z.infer<typeof objectSchema>>;

function objectIn(value: unknown): Settings | null {
  return objectSchema.safeParse(value).data ?? null;
}

function addPermission(text: string, settings: Settings): Addition {
  for (const list of ['deny', 'ask']) {
    if (rulesOf(settings, list).some(isOurRule)) return { why: `permissions.${list} has this rule` };
  }
  if (rulesOf(settings, 'allow').some(isOurRule)) return { text };
  return append({ text, settings }, ['permissions', 'allow'], permissionRule);
}

function addStopHook(text: string, settings: Settings): Addition {
  const registered = JSON.stringify(objectIn(settings['hooks'])?.['Stop'] ?? null);
  return registered.includes(stopHookPath)
    ? { text }
    : append({ text, settings }, ['hooks', 'Stop'], stopEntry);
}

const stopEntry = {
  hooks: [{ type: 'command', command: `node "$CLAUDE_PROJECT_DIR/${stopHookPath}"`, timeout: 3600 }],
};

/** Appends to the list at the path of two names; the list and the object around it may be missing. */
function append(
  { text, settings }: { readonly text: string; readonly settings: Settings },
  [outer, inner]: readonly [string, string],
  value: unknown,
): Addition {
  const around = objectIn(settings[outer] ?? {});
  if (around === null) return { why: `${outer} is not an object` };
  const list = around[inner] ?? [];
  if (!Array.isArray(list)) return { why: `${outer}.${inner} is not a list` };
  const isMissing = around[inner] === undefined || around[inner] === null;
  const place: JSONPath = isMissing ? [outer, inner] : [outer, inner, list.length];
  const edits = modify(text, place, isMissing ? [value] : value, {
    formattingOptions: formattingOf(text),
    isArrayInsertion: !isMissing,
  });
  const changed = applyEdits(text, edits);
  const expected = { ...settings, [outer]: { ...around, [inner]: [...list, value] } };
  // A file with the same key twice is read by the last one and edited at the first.
  if (JSON.stringify(readSettings(changed)) !== JSON.stringify(expected))
    return { why: `${outer} is there twice` };
  return { text: changed };
}

/** Returns null if the text is not a JSON object; comments and trailing commas are accepted. */
function readSettings(text: string): Settings | null {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length === 0 ? objectIn(value) : null;
  } catch (error) {
    // Too deep for the parser.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function rulesOf(settings: Settings, list: string): readonly unknown[] {
  const rules = objectIn(settings['permissions'])?.[list];
  return Array.isArray(rules) ? rules : [];
}

/** Claude Code reads `:*` at the end of a rule like ` *`. */
function isOurRule(rule: unknown): boolean {
  return rule === permissionRule || rule === 'Bash(collab:*)';
}

function formattingOf(text: string) {
  const indent = /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

const byteOrderMark = '\uFEFF';
