/**
 * V8's code cache of the program, so that a run does not compile what an earlier one did. It is a file beside the program:
 * its writer could change the program as well. If the user may not write there, it is a file of the user's private folder.
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { readBytes } from '../files/read.ts';
import { writeAtomically } from '../files/write.ts';
import { stateBase, type StateBaseOptions } from '../state-base.ts';

export interface CodeCache {
  /** Returns the kept code of the program with this content for this very V8; null if there is none, or it was changed. */
  readonly read: (content: string) => Buffer | null;
  /** Keeps the code. A failure is no fault: the next run compiles again. */
  readonly keep: (content: string, produce: () => Buffer) => void;
}

export interface CodeCacheOptions extends StateBaseOptions {
  /** The program's own folder. */
  readonly folder: string;
  /** The command: each uses another part of the program. */
  readonly name: string;
  /** The Node that runs the program. Default: this one. */
  readonly node?: NodeProgram;
}

export interface NodeProgram {
  readonly version: string;
  readonly execPath: string;
}

const digestBytes = 32;

export function openCodeCache(options: CodeCacheOptions): CodeCache {
  const { env, name, node = process } = options;
  // Node's own variable; a run that measures its coverage must compile.
  const isOff = env['NODE_DISABLE_COMPILE_CACHE'] === '1' || (env['NODE_V8_COVERAGE'] ?? '') !== '';
  if (isOff) return noCache;
  const [folder, build] = [folderOf(options), buildOf(node)];
  if (folder === null || build === null) return noCache;
  const command = /^[a-z]{1,20}$/.test(name) ? name : 'other';
  const file = join(folder, `code-${build}-${command}`);
  return {
    read(content) {
      try {
        const kept = readBytes(file);
        const code = kept.subarray(digestBytes);
        return digestOf(content, code).equals(kept.subarray(0, digestBytes)) ? code : null;
      } catch {
        return null;
      }
    },
    keep(content, produce) {
      const code = produce();
      try {
        writeAtomically(file, Buffer.concat([digestOf(content, code), code]), { synced: false });
      } catch {
        // A full disk, or a folder that was removed.
      }
    },
  };
}

const noCache: CodeCache = { read: () => null, keep: () => undefined };

/**
 * Names the very Node that compiles. V8's tag differs by its version, its flags and the processor, and is the same for Node 20.19
 * and 20.20: the one ends with a segmentation fault in the code of the other.
 */
function buildOf({ version, execPath }: NodeProgram): string | null {
  try {
    const facts = [cachedDataVersionTag(), version, execPath, statSync(execPath).mtimeMs];
    return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
  } catch {
    return null; // It was replaced while it runs.
  }
}

function folderOf({ folder, ...options }: CodeCacheOptions): string | null {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch {
    return stateBase(options);
  }
}

/** A damaged file must not be run. `content` names the program's content, so that its digest is made only by the build. */
function digestOf(content: string, code: Uint8Array): Buffer {
  return createHash('sha256').update(`${content.length}\n${content}`).update(code).digest();
}
