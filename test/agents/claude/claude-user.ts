/** A user with Claude Code for the tests: an empty HOME, a key, a scripted upstream, a folder to work on. */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { claudeCodeProvider } from '../../../src/providers/claude_code/claude_code_client.ts';
import type {
  LeadAgent,
  LeadOptions,
  LeadTurnRequest,
  LeadWork,
} from '../../../src/providers/contract/contract.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import {
  createAgentFolder,
  hearTurn,
  plainOptions,
  type AgentFolder,
  type HeardTurn,
} from '../agent-folder.ts';

export const claudeBin = resolve(import.meta.dirname, '../node_modules/.bin');

/** Fails without the real binary instead of skipping tests. */
if (!existsSync(join(claudeBin, 'claude'))) {
  throw new Error('the real claude is not installed: run `npm run test:agents`');
}

export interface ClaudeWorld extends Pick<AgentFolder<LeadAgent>, 'root' | 'place' | 'close'> {
  readonly home: string;
  /** The folder in which the user called us. */
  readonly repository: string;
  /** The folder of the work, apart from the repository, as a run has it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  options(changes?: Partial<LeadOptions>): LeadOptions;
  open(changes?: Partial<LeadOptions>): Promise<LeadAgent>;
}

export interface ScriptedClaude {
  readonly upstream: MessagesUpstream;
  readonly world: ClaudeWorld;
}

/** A world and its upstream, for all tests of a file; both are removed after the last of them. */
export async function startScriptedClaude(): Promise<ScriptedClaude> {
  const upstream = await startMessagesUpstream(messagesInOrder({ text: 'unscripted' }));
  const world = createClaudeWorld(upstream.url);
  afterAll(async () => {
    await world.close();
    await upstream.close();
  });
  return { upstream, world };
}

export function createClaudeWorld(url: string): ClaudeWorld {
  const { root, place, keep, nextStateFolder, close } = createAgentFolder<LeadAgent>('collab-claude-agents-');
  const home = join(root, 'home');
  const repository = join(root, 'repository');
  const folder = join(root, 'work');
  for (const path of [home, join(repository, '.git'), folder]) mkdirSync(path, { recursive: true });
  place('work/src/total.ts', 'export const total = 1;\n');
  const env = { HOME: home, PATH: `${claudeBin}:/usr/bin:/bin`, ANTHROPIC_API_KEY: 'sk-scripted' };
  const options = (changes: Partial<LeadOptions> = {}): LeadOptions => ({
    ...plainOptions(),
    env,
    cwd: repository,
    settings: { 'claude_code.base_url': url },
    stateFolder: nextStateFolder(),
    instructions: 'You lead. The scripted instructions.',
    ...changes,
  });
  const open: ClaudeWorld['open'] = async (changes) =>
    keep(await claudeCodeProvider.openLead(options(changes)));
  return { root, home, repository, folder, env, options, place, open, close };
}

export interface LeadChanges extends Partial<Omit<LeadTurnRequest, 'work'>> {
  readonly work?: Partial<LeadWork>;
}

/** One turn, with its events. */
export function lead(
  agent: LeadAgent,
  prompt: string,
  { work, ...changes }: LeadChanges = {},
): Promise<HeardTurn> {
  return hearTurn((call) =>
    agent.turn({
      ...call,
      work: { kind: 'draft', phase: 'requirements', round: 1, access: 'read', folder: null, ...work },
      prompt,
      callId: 'lead_requirements/1/draft/turn-1/1/1',
      ...changes,
    }),
  );
}

/** The session of a turn that was bound. */
export function sessionOf({ bound }: HeardTurn): string {
  const [session] = bound;
  if (session === undefined) throw new Error('the turn was not bound');
  return session;
}
