/** Both real agents as one user has them: Codex with its scripted model, Claude Code with its own, a repository to work in. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startMessagesUpstream, type MessagesUpstream } from '../upstream/messages-server.ts';
import { messagesInOrder } from '../upstream/messages-steps.ts';
import { claudeBin } from './claude-world.ts';
import { createReviewWorld, type Ended, type ReviewWorld, type WorkFolder } from './review-world.ts';

export interface PairWorld {
  readonly codex: ReviewWorld['upstream'];
  readonly claude: MessagesUpstream;
  /** A new repository with one commit. */
  repository(files?: Readonly<Record<string, string>>): PairFolder;
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

export interface PairFolder extends WorkFolder {
  /** Plain git with an identity; returns standard output. */
  git(...args: readonly string[]): string;
  read(path: string): string;
  /** `collab <arguments>` with the configuration that leads the lead to its upstream. */
  pair(...args: readonly string[]): Promise<Ended>;
}

export async function createPairWorld(): Promise<PairWorld> {
  const review = await createReviewWorld();
  const claude = await startMessagesUpstream(messagesInOrder({ text: 'unscripted' }));
  const { root, env } = review.world;
  const state = join(root, 'state-home');
  const config = join(root, 'pair.yaml');
  writeFileSync(
    config,
    `waits: [50ms]\nproviders:\n  claude_code: { base_url: "${claude.url}" }\n  anthropic: { base_url: "${claude.url}" }\n`,
  );
  return {
    codex: review.upstream,
    claude,
    repository(files = { 'src/rate.ts': 'export const rate = 19;\n' }) {
      const folder = review.folder({
        env: {
          PATH: `${claudeBin}:${env['PATH'] ?? ''}`,
          ANTHROPIC_API_KEY: 'sk-scripted',
          XDG_STATE_HOME: state,
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
      };
    },
    nothingLeft: () => review.nothingLeft(),
    async close() {
      await review.close();
      await claude.close();
    },
  };
}

/** Where the lead works, as its request says. */
export function workFolderIn({ text }: { readonly text: string }): string {
  const folder = /\/[^\s"'\\]+\/tree(?=[\s"'\\])/.exec(text)?.[0];
  if (folder === undefined) throw new Error('the request names no working folder');
  return folder;
}
