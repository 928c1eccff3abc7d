/** A person who submits runs to workers on other hosts: a repository without agents, and the scripted models of the hosts. */
import { expect } from 'vitest';
import type { PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { inPlace, type Place } from '../../packed/place.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startUpstream } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import { startHost, type Models, type OtherHost } from './other-host.ts';

export interface Submitter {
  readonly place: Place;
  /** The environment of commands on the database. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a host, and resolves when its worker is ready; it ends with the test. */
  readonly host: () => Promise<OtherHost>;
}

export async function startModels(): Promise<Models> {
  const codex = await startUpstream(inOrder({ text: 'unscripted' }));
  return { codex, claude: await startMessagesUpstream(messagesInOrder({ text: 'unscripted' })) };
}

export async function endModels({ codex, claude }: Models): Promise<void> {
  await Promise.all([codex.close(), claude.close()]);
}

/** Gives `use` an empty repository and a database of its own. */
export async function withSubmitter(
  { cluster, models }: { readonly cluster: PostgresCluster; readonly models: Models },
  use: (submitter: Submitter) => Promise<void>,
): Promise<void> {
  const database = await cluster.createDatabase();
  const hosts: OtherHost[] = [];
  await inPlace(
    async (place) => {
      place.git('init', '-q');
      const host = async (): Promise<OtherHost> => {
        const started = await startHost({ place, models, database });
        hosts.push(started);
        const isReady = () => started.stderr().includes('is ready');
        await expect.poll(isReady, { timeout: 60_000, message: started.stderr() }).toBe(true);
        return started;
      };
      try {
        await use({ place, env: { COLLAB_ENGINE: database }, host });
      } finally {
        await Promise.all(hosts.map((one) => one.close()));
      }
    },
    ['pg'],
  );
}

export function commitAll({ git }: Place): void {
  git('add', '.');
  git('commit', '-qm', 'first');
}
