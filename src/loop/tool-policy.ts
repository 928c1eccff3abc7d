/**
 * The permissions of tools (X004-4). A user's command is allowed unless the rules forbid it; a model's call needs permission
 * for everything that can change something.
 */
import { toolAction } from '../access/actions.ts';
import { may } from '../access/permissions.ts';
import { owner, type Speaker } from '../access/speaker.ts';
import { noAnswerer } from '../prompts/conversation/loop-notices.ts';
import type { Tool, ToolCall } from '../tools/definition/interfaces.ts';

export type Leave = 'allow' | 'ask' | 'deny';
export type Trigger = 'agent' | 'user';

export interface ToolPolicy {
  leaveFor(tool: Tool, call: ToolCall, trigger: Trigger): Leave;
  /** Asks the user if the policy says `ask`. `trigger` is `agent` by default. */
  ask(tool: Tool, call: ToolCall, signal: AbortSignal, trigger?: Trigger): Promise<Permission>;
}

export interface Permission {
  readonly decision: 'allow' | 'deny';
  readonly by: 'policy' | 'user';
  /** The user's explanation of a refusal. */
  readonly reason?: string;
}

/** Rules by full name, by the start of a dotted name (`git.*`), or for all tools (`*`); the most specific one applies. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

export interface ToolRule {
  /** For the model's calls; if absent, `allow` for read-only tools, otherwise `ask`. */
  readonly agent?: Leave | undefined;
  /** For the user's commands; if absent, `allow`. */
  readonly user?: 'allow' | 'deny' | undefined;
}

/** The answers that a user may give. */
export type Approval =
  | { readonly kind: 'once' }
  /** Covers the call's scope (`Tool.scopeOf`) for the lifetime of this policy, which is one conversation. */
  | { readonly kind: 'always' }
  | { readonly kind: 'no'; readonly reason: string | null };

export interface PolicyOptions {
  /** The speaker of the conversation; the owner by default. No rule and no answer allows more than this speaker may do. */
  readonly speaker?: Speaker;
  readonly rules: ToolRules;
  /** Asks the user one question at a time; null if no user can answer: then nothing runs that needs approval. */
  readonly approve: ((tool: Tool, call: ToolCall, signal: AbortSignal) => Promise<Approval>) | null;
  /**
   * Tools that run commands which this system cannot sandbox, and the reason. A model never runs them, whatever the rules say,
   * and a user's command needs approval first.
   */
  readonly unheld?: { readonly tools: readonly string[]; readonly why: string };
}

export function createToolPolicy({ rules, approve, speaker = owner, unheld }: PolicyOptions): ToolPolicy {
  const always = new Set<string>();
  let lastQuestion: Promise<unknown> = Promise.resolve();

  const isUnheld = (tool: Tool): boolean => unheld?.tools.includes(tool.name) === true;

  async function question(
    tool: Tool,
    call: ToolCall,
    { signal, trigger }: { readonly signal: AbortSignal; readonly trigger: Trigger },
  ): Promise<Permission> {
    if (unheld !== undefined && isUnheld(tool) && trigger === 'agent') {
      return { decision: 'deny', by: 'policy', reason: unheld.why };
    }
    if (approve === null) return { decision: 'deny', by: 'policy', reason: noAnswerer };
    const scope = scopeOf(tool, call);
    if (always.has(scope)) return { decision: 'allow', by: 'user' };
    signal.throwIfAborted();
    const answer = await approve(tool, call, signal);
    if (answer.kind === 'always') always.add(scope);
    if (answer.kind !== 'no') return { decision: 'allow', by: 'user' };
    return { decision: 'deny', by: 'user', ...(answer.reason === null ? {} : { reason: answer.reason }) };
  }

  return {
    leaveFor(tool, _call, trigger) {
      const answer = may(speaker, toolAction(tool.name));
      if (!answer.allowed) return 'deny';
      const written = leaveBy(rules, tool, trigger);
      const isAsked = isUnheld(tool) || answer.asks;
      return isAsked && written === 'allow' ? 'ask' : written;
    },
    ask(tool, call, signal, trigger = 'agent') {
      const mine = lastQuestion.then(() => question(tool, call, { signal, trigger }));
      lastQuestion = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Returns the permission that the rules give a tool. */
export function leaveBy(rules: ToolRules, tool: Tool, trigger: Trigger): Leave {
  const written = patternsFor(tool.name).flatMap((pattern) => rules[pattern]?.[trigger] ?? [])[0];
  return written ?? (trigger === 'user' || tool.readOnly ? 'allow' : 'ask');
}

/** For `a.b.c`, returns `a.b.c`, `a.b.*`, `a.*`, `*`. */
function patternsFor(name: string): readonly string[] {
  const parts = name.split('.');
  const groups = parts
    .slice(1)
    .map((_part, index) => `${parts.slice(0, parts.length - 1 - index).join('.')}.*`);
  return [name, ...groups, '*'];
}

function scopeOf(tool: Tool, { args }: ToolCall): string {
  return JSON.stringify([tool.name, tool.scopeOf?.(args) ?? null]);
}

/** Runs read-only tools and denies all others, because no user can be asked. */
export const readOnlyPolicy: ToolPolicy = {
  leaveFor: (tool) => (tool.readOnly ? 'allow' : 'deny'),
  ask: async () => ({ decision: 'deny', by: 'policy' }),
};
