/** Starts or resumes conversations of Codex, and checks that they are as isolated as requested. */
import { z } from 'zod';
import { systemClock, type Clock } from '../../../system/clock.ts';
import { permissionProfile, type CodexLaunch } from '../launch/launch-profile.ts';
import type { Reply, Rpc } from './rpc.ts';

const itemSchema = z.looseObject({
  type: z.string(),
  clientId: z.string().nullish(),
  text: z.string().nullish(),
  phase: z.string().nullish(),
});
const turnSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  items: z.array(itemSchema),
  error: z.looseObject({ message: z.string() }).nullish(),
});
export type StoredTurn = z.infer<typeof turnSchema>;

/** The answer of `thread/start` and `thread/resume` (codex app-server, 0.169). Its `sandbox` member proves nothing. */
const threadSchema = z.looseObject({
  thread: z.looseObject({
    id: z.string(),
    turns: z.array(turnSchema).nullish(),
    environments: z.array(z.unknown()).nullish(),
  }),
  model: z.string().nullish(),
  activePermissionProfile: z.looseObject({ id: z.string() }).nullish(),
  instructionSources: z.array(z.string()).nullish(),
});

/** The folder and abilities of a conversation. */
export type ThreadPlace = Pick<CodexLaunch, 'cwd' | 'runsCommands'>;

export interface OpenThread {
  readonly id: string;
  readonly model: string | null;
  /** Earlier turns, oldest first; empty for a new conversation. */
  readonly turns: readonly StoredTurn[];
}

export type ThreadResult =
  | { readonly ok: true; readonly thread: OpenThread }
  | {
      readonly ok: false;
      readonly why: 'no_rollout' | 'closed' | 'not_isolated' | 'refused';
      readonly message: string;
    };

/**
 * Starts a conversation, whose turns name their environments. Never sends `sandbox`, or a `cwd` in the repository: each silently
 * drops the permission profile.
 */
export async function startThread(rpc: Rpc, place: ThreadPlace): Promise<ThreadResult> {
  const params = { ephemeral: false, approvalPolicy: 'never', cwd: place.cwd, environments: [] };
  return checked(await rpc.call('thread/start', params, threadSchema), place);
}

/** Returns where the commands of a turn run: the sandbox of this machine, or nowhere (ADR 100). */
export function environmentsOf({ cwd, runsCommands }: ThreadPlace): readonly TurnEnvironment[] {
  return runsCommands ? [{ environmentId: 'local', cwd }] : [];
}

/** A member of `environments` in `turn/start`. */
interface TurnEnvironment {
  readonly environmentId: string;
  readonly cwd: string;
}

/** Resumes a conversation without a model request. */
export async function resumeThread(
  rpc: Rpc,
  threadId: string,
  place: ThreadPlace,
  clock: Clock = systemClock,
): Promise<ThreadResult> {
  const params = { threadId, approvalPolicy: 'never', cwd: place.cwd };
  for (let tries = 1; ; tries += 1) {
    const result = checked(await rpc.call('thread/resume', params, threadSchema), place, threadId);
    // The server of a killed run lives up to a tenth of a second longer, and holds the conversation until then.
    if (result.ok || !/active writer/.test(result.message) || tries === writerTries) return result;
    await clock.sleep(writerWaitMs);
  }
}

const writerTries = 15;
const writerWaitMs = 200;

function checked(
  reply: Reply<z.infer<typeof threadSchema>>,
  { runsCommands }: ThreadPlace,
  wanted?: string,
): ThreadResult {
  if (!reply.ok) {
    const refusal = /no rollout found/.test(reply.message) ? 'no_rollout' : 'refused';
    return { ok: false, why: reply.why === 'closed' ? 'closed' : refusal, message: reply.message };
  }
  const { thread, model, activePermissionProfile, instructionSources } = reply.value;
  if (wanted !== undefined && thread.id !== wanted) {
    return { ok: false, why: 'refused', message: `Codex resumed ${thread.id} instead of ${wanted}` };
  }
  const profile = activePermissionProfile?.id ?? 'none';
  const sources = instructionSources ?? ['an unknown number'];
  if (profile !== permissionProfile || sources.length > 0) {
    const message = `Codex did not keep to its isolation: permission profile "${profile}", instructions from ${sources.length === 0 ? 'nowhere' : sources.join(', ')}`;
    return { ok: false, why: 'not_isolated', message };
  }
  // If Codex does not report it, the permission profile still lets commands read nothing.
  if (!runsCommands && (thread.environments ?? []).length > 0) {
    const message = 'Codex did not keep to its isolation: it has an environment to run commands in';
    return { ok: false, why: 'not_isolated', message };
  }
  return { ok: true, thread: { id: thread.id, model: model ?? null, turns: thread.turns ?? [] } };
}
