/** Both real agents of one user: Codex with its scripted model, Claude Code with its own, a repository to work in. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { startMessagesUpstream, type MessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { claudeBin } from '../claude/claude-user.ts';
import {
  createReviewWorld,
  generous,
  type Ended,
  type ReviewWorld,
  type Started,
  type WorkFolder,
} from '../review/review-user.ts';

export interface PairWorld {
  readonly codex: ReviewWorld['upstream'];
  readonly claude: MessagesUpstream;
  /** The root of this world; the environment of its processes names it. */
  readonly root: string;
  /** The folder of the runs' agent folders. */
  readonly state: string;
  /** A new repository with one commit, and its user. */
  repository(options?: RepositoryOptions): PairFolder;
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

export interface RepositoryOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Added to the configuration. */
  readonly config?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface PairFolder extends WorkFolder {
  /** Plain git with an identity; returns standard output. */
  git(...args: readonly string[]): string;
  read(path: string): string;
  /** `collab <arguments>` with the configuration that points the lead to its upstream. */
  pair(...args: readonly string[]): Promise<Ended>;
  /** The same, without waiting for its end. */
  startPair(...args: readonly string[]): Started;
}

/** A world for all tests of a file; no test leaves a process, and it is removed after the last of them. */
export async function startPairWorld(): Promise<PairWorld> {
  const world = await createPairWorld();
  afterEach(() => world.nothingLeft());
  afterAll(() => world.close());
  return world;
}

async function createPairWorld(): Promise<PairWorld> {
  const review = await createReviewWorld();
  const claude = await startMessagesUpstream(messagesInOrder({ text: 'unscripted' }));
  const { root, env } = review.world;
  const state = join(root, 'state-home');
  const settings = `waits: [50ms]\nproviders:\n  claude_code: { base_url: "${claude.url}" }\n  anthropic: { base_url: "${claude.url}" }\n`;
  let repositories = 0;
  return {
    codex: review.upstream,
    claude,
    root,
    state,
    repository({
      files = { 'src/rate.ts': 'export const rate = 19;\n' },
      config: added = '',
      env: own,
    } = {}) {
      const config = join(root, `pair-${(repositories += 1)}.yaml`);
      writeFileSync(config, `${settings}${added}`);
      const folder = review.folder({
        env: {
          PATH: `${claudeBin}:${env['PATH'] ?? ''}`,
          ANTHROPIC_API_KEY: 'sk-scripted',
          XDG_STATE_HOME: state,
          ...own,
        },
      });
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
          cwd: folder.path,
          encoding: 'utf8',
        });
      git('init', '-q');
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder.path, path)), { recursive: true });
        folder.write(path, content);
      }
      git('add', '.');
      git('commit', '-qm', 'first');
      return {
        ...folder,
        git,
        read: (path) => readFileSync(join(folder.path, path), 'utf8'),
        pair: (...args) => folder.run(...args, '--config', config),
        startPair: (...args) => folder.start(...args, '--config', config),
      };
    },
    async nothingLeft() {
      await review.nothingLeft();
      await expect.poll(() => claude.openTurns(), generous).toBe(0);
    },
    async close() {
      await review.close();
      await claude.close();
    },
  };
}

/** The lead's folder, as named in its request. */
export function workFolderIn({ text }: { readonly text: string }): string {
  return folderIn(text, 'tree');
}

/** The folder with the copy of the files under review; the real program tells its model the folder that it works in. */
export function copyIn({ text }: { readonly text: string }): string {
  return folderIn(text, 'review');
}

function folderIn(text: string, name: 'tree' | 'review'): string {
  const folder = new RegExp(String.raw`/[^\s"'\\]+/${name}(?=[\s"'\\])`).exec(text)?.[0];
  if (folder === undefined) throw new Error(`the request names no folder ${name}`);
  return folder;
}
