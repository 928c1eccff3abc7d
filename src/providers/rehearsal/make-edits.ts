/** Makes a turn's edits in the work's folder, and shows each as the tool call of a real lead. */
import { dirname } from 'node:path';
import type { CollabEventOf, EventBody } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { codeOf } from '../../errors/has-code.ts';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readText } from '../../system/files/read.ts';
import { removeFile } from '../../system/files/tree.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { LeadWork } from '../contract/contract.ts';
import type { ScriptedEdit } from './edit.ts';
import { jailPath } from './edit-path.ts';

export type EditPlace = Pick<LeadWork, 'access' | 'folder'>;

/** Makes one edit and returns its events. A refused edit changes nothing, and the turn continues, as a model's would. */
export function makeEdit(edit: ScriptedEdit, place: EditPlace, callId: string): readonly EventBody[] {
  const { name, args } = asTool(edit);
  const made = tryEdit(() => edited(edit, place));
  const isError = 'refusal' in made;
  return [
    {
      type: 'tool.call',
      call_id: callId,
      name,
      display_name: name,
      args,
      summary: edit.path,
      trigger: 'agent',
    },
    { type: 'tool.status', call_id: callId, status: 'running', message: '' },
    ...(isError ? [] : [{ type: 'file.changed' as const, path: edit.path, kind: made.kind }]),
    { type: 'tool.status', call_id: callId, status: isError ? 'error' : 'completed', message: '' },
    {
      type: 'tool.result',
      call_id: callId,
      name,
      content: isError ? made.refusal : `${made.kind} ${edit.path}`,
      is_error: isError,
      duration_ms: 0,
    },
  ];
}

function asTool(edit: ScriptedEdit): { readonly name: string; readonly args: Record<string, string> } {
  if ('content' in edit) return { name: 'Write', args: { file_path: edit.path, content: edit.content } };
  if ('delete' in edit) return { name: 'Delete', args: { file_path: edit.path } };
  const { from, to } = edit.replace;
  return { name: 'Edit', args: { file_path: edit.path, old_string: from, new_string: to } };
}

type Made = { readonly kind: CollabEventOf<'file.changed'>['kind'] } | { readonly refusal: string };

/** Reports an error of the file system to the agent as a tool would, including a folder in the place of a file. */
function tryEdit(perform: () => Made): Made {
  try {
    return perform();
  } catch (error) {
    if (error instanceof CollabError) return { refusal: error.message };
    const code = codeOf(error);
    if (code === null) throw error;
    return { refusal: code };
  }
}

function edited(edit: ScriptedEdit, { access, folder }: EditPlace): Made {
  if (access === 'read') return { refusal: 'this turn may only read: nothing was changed' };
  if (folder === null) return { refusal: 'there is no folder to change' };
  const place = jailPath(folder, edit.path);
  if ('refusal' in place) return place;
  if ('content' in edit && lookAt(place.file) === null) return add(place.file, edit.content);
  if (!isFile(place.file)) return { refusal: `${edit.path} is not a file` };
  if ('content' in edit) return update(place.file, edit.content);
  if ('delete' in edit) return remove(place.file);
  return replace(place.file, edit.replace);
}

const asUsers = { shared: true, synced: false };

function add(file: string, content: string): Made {
  makeFolder(dirname(file), { mode: 0o777 });
  writeAtomically(file, content, asUsers);
  return { kind: 'add' };
}

function update(file: string, content: string): Made {
  writeAtomically(file, content, asUsers);
  return { kind: 'update' };
}

function remove(file: string): Made {
  removeFile(file);
  return { kind: 'delete' };
}

function replace(file: string, { from, to }: { readonly from: string; readonly to: string }): Made {
  const parts = readText(file).split(from);
  if (parts.length !== 2)
    return { refusal: `the text to replace occurs ${parts.length - 1} times, not once` };
  return update(file, parts.join(to));
}

function isFile(file: string): boolean {
  return lookAt(file)?.isFile() === true;
}
