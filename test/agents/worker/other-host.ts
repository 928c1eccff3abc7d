/**
 * Other hosts for an installed worker: processes, network and home of their own. They reach the database, and the scripted models
 * at the addresses that these have here; they do not see the folders of the person who submits a run.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { startRelay } from '../../fixtures/relay.ts';
import type { Place } from '../../packed/place.ts';
import type { MessagesUpstream } from '../../upstream/messages-server.ts';
import type { Upstream } from '../../upstream/responses-server.ts';
import { createWorld, type World } from '../codex/codex-user.ts';

export interface OtherHost {
  readonly world: World;
  readonly stderr: () => string;
  /** The copy of the files under review that its run reads. */
  readonly reviewFolder: () => string;
  /** Ends all of its processes at once. */
  readonly lose: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The scripted models of the agents. */
export interface Models {
  readonly codex: Upstream;
  readonly claude: MessagesUpstream;
}

export interface HostOptions {
  readonly place: Place;
  readonly models: Models;
  readonly database: string;
}

const relayProgram = join(import.meta.dirname, '../../fixtures/bin/run-with-relay.mjs');

/** Makes all that a host of its own has; without root, in a user namespace. */
const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Hides the folders of the submitter, which are the first two words. */
const setUp = `
export PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
for hidden in "$1" "$2"; do mount -t tmpfs none "$hidden"; done
shift 2
exec "$@"`;

/** Starts `collab worker` on a new host. */
export async function startHost({ place, models, database }: HostOptions): Promise<OtherHost> {
  const world = createWorld({ url: models.codex.url });
  mkdirSync(join(world.root, 'work'));
  world.place(
    'home/.config/collab/collab.config.yaml',
    `providers: { claude_code: { base_url: "${models.claude.url}" } }\n`,
  );
  const ways = await Promise.all(Object.values(models).map(({ port }) => startWay(world.root, port)));
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const hidden = [place.folder, place.environment['HOME'] ?? place.folder];
  const inside = ways.flatMap(({ words }) => words);
  const worker = [process.execPath, place.command, 'worker'];
  const words = [...asRoot, ...namespaces, 'sh', '-ec', setUp, 'sh', ...hidden, ...inside, ...worker];
  const child = execa('unshare', words, {
    cwd: join(world.root, 'work'),
    env: { ...world.env, ANTHROPIC_API_KEY: 'sk-scripted', LANG: 'C.UTF-8', COLLAB_ENGINE: database },
    extendEnv: false,
    input: '',
    reject: false,
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lose = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child;
  };
  return {
    world,
    stderr: () => stderr,
    reviewFolder() {
      const state = join(world.home, '.local/state/collab');
      const run = readdirSync(state).find((name) => /^\d{8}-/.test(name));
      return join(state, run ?? '', 'kept/review');
    },
    lose,
    async close() {
      await lose();
      await Promise.all(ways.map(({ relay }) => relay.close()));
      await world.close();
    },
  };
}

/** A way to a model through a socket, and the words that start a program at its other end. */
async function startWay(root: string, port: number) {
  const socket = join(root, `${port}.sock`);
  const relay = await startRelay({ from: socket, to: { host: '127.0.0.1', port } });
  return { relay, words: [process.execPath, relayProgram, String(port), socket] };
}
