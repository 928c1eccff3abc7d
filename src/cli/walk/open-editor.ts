/** Opens a file in the editor that the user's environment names. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { ProjectPlace } from '../../runs/folder/project-file.ts';
import { safePath } from '../../system/safe-path.ts';
import type { Session } from '../session.ts';

/** Resolves when the editor has ended: with null, or with what went wrong. */
export function openEditor(
  { env, cwd }: Pick<Session, 'env' | 'cwd'>,
  place: ProjectPlace,
): Promise<string | null> {
  const named = [env['VISUAL'], env['EDITOR']].find((value) => value !== undefined && value.trim() !== '');
  if (named === undefined) return Promise.resolve('no editor: set VISUAL or EDITOR, such as EDITOR=vim');
  const { file, args } = editorCommand(named, place);
  return new Promise((resolve) => {
    // The user's own program: it gets the terminal and the whole environment. It is never found in the folder of the project.
    const child = spawn(file, args, { cwd, env: { ...env, PATH: safePath(env, cwd) }, stdio: 'inherit' });
    child.once('error', ({ message }) => resolve(`the editor cannot be started: ${message}`));
    child.once('close', (code) => resolve(code === 0 ? null : `${file} ended with ${code ?? 'a signal'}`));
  });
}

/** Editors name a line in three ways; one of another name gets the file alone. */
export function editorCommand(
  named: string,
  { file: path, line }: ProjectPlace,
): { readonly file: string; readonly args: readonly string[] } {
  const [file = '', ...args] = named.trim().split(/\s+/);
  const editor = basename(file).replace(/\.(?:exe|cmd)$/i, '');
  if (line === null) return { file, args: [...args, path] };
  if (withPlus.test(editor)) return { file, args: [...args, `+${line}`, path] };
  if (withGoto.test(editor)) return { file, args: [...args, '--goto', `${path}:${line}`] };
  if (withColon.test(editor)) return { file, args: [...args, `${path}:${line}`] };
  return { file, args: [...args, path] };
}

const withPlus = /^(?:n?vim?|vi|gvim|view|nano|pico|emacs|emacsclient|micro|joe|kak|ne|mg|jed)$/;
const withGoto = /^(?:code|code-insiders|codium|cursor|windsurf)$/;
const withColon = /^(?:subl|hx|helix|zed|atom|mate)$/;
