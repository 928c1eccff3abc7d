/** A user with Claude Code, as the tests need them: an empty HOME, a key, a scripted upstream, a folder to work on. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { EventBody } from '../../src/events/collab-event.ts';
import { claudeCodeProvider } from '../../src/providers/claude_code/claude_code_client.ts';
import type {
  LeadAgent,
  LeadOptions,
  LeadTurnRequest,
  LeadWork,
  TurnResult,
} from '../../src/providers/contract.ts';

export const claudeBin = resolve(import.meta.dirname, 'node_modules/.bin');

/** Nothing is skipped: without the real binary there is nothing to test. */
if (!existsSync(join(claudeBin, 'claude'))) {
  throw new Error('the real claude is not installed: run `npm run test:agents`');
}

export interface ClaudeWorld {
  readonly root: string;
  readonly home: string;
  /** Where the user called us. */
  readonly repository: string;
  /** The folder of the work, apart from the repository, as a run has it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  options(changes?: Partial<LeadOptions>): LeadOptions;
  open(changes?: Partial<LeadOptions>): Promise<LeadAgent>;
  /** Writes a file below the world's root. */
  place(path: string, content: string, mode?: number): string;
  /** Ends every agent that was opened and removes all files. */
  close(): Promise<void>;
}

export function createClaudeWorld(url: string): ClaudeWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-claude-agents-')));
  const place = (path: string, content: string, mode = 0o644): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    return file;
  };
  const home = join(root, 'home');
  const repository = join(root, 'repository');
  const folder = join(root, 'work');
  for (const path of [home, join(repository, '.git'), folder]) mkdirSync(path, { recursive: true });
  place('work/src/total.ts', 'export const total = 1;\n');
  const env = { HOME: home, PATH: `${claudeBin}:/usr/bin:/bin`, ANTHROPIC_API_KEY: 'sk-scripted' };

  const opened: LeadAgent[] = [];
  let runs = 0;
  const options = (changes: Partial<LeadOptions> = {}): LeadOptions => ({
    env,
    cwd: repository,
    settings: { 'claude_code.base_url': url },
    signal: new AbortController().signal,
    runId: 'run-1',
    model: null,
    stateFolder: join(root, 'state', `run-${(runs += 1)}`),
    instructions: 'You lead. The scripted instructions.',
    limits: { firstSignMs: 30_000, idleMs: 30_000, totalMs: 50_000 },
    ...changes,
  });
  return {
    root,
    home,
    repository,
    folder,
    env,
    options,
    place,
    async open(changes) {
      const agent = await claudeCodeProvider.openLead(options(changes));
      opened.push(agent);
      return agent;
    },
    async close() {
      await Promise.all(opened.map((agent) => agent.close()));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Led {
  readonly result: TurnResult;
  readonly events: readonly EventBody[];
  readonly bound: readonly string[];
}

export interface LeadChanges extends Partial<Omit<LeadTurnRequest, 'work'>> {
  readonly work?: Partial<LeadWork>;
}

/** One turn, with what it said on the way. */
export async function lead(
  agent: LeadAgent,
  prompt: string,
  { work, ...changes }: LeadChanges = {},
): Promise<Led> {
  const events: EventBody[] = [];
  const bound: string[] = [];
  const result = await agent.turn({
    work: { kind: 'draft', phase: 'requirements', round: 1, access: 'read', folder: null, ...work },
    prompt,
    callId: 'lead_requirements/1/draft/turn-1/1/1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    bind: async (sessionId) => void bound.push(sessionId),
    ...changes,
  });
  return { result, events, bound };
}

/** The session of a turn that was bound. */
export function sessionOf({ bound }: Led): string {
  const [session] = bound;
  if (session === undefined) throw new Error('the turn was not bound');
  return session;
}
