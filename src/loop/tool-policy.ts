/**
 * Who may run what (X004-4). What a user writes as a command is allowed by that, unless the rules forbid it; a call of the
 * model needs leave for all that can change something.
 */
import type { Tool, ToolCall } from '../tools/definition/interfaces.ts';

export type Leave = 'allow' | 'ask' | 'deny';
export type Trigger = 'agent' | 'user';

export interface ToolPolicy {
  leaveFor(tool: Tool, call: ToolCall, trigger: Trigger): Leave;
  /** Puts the question where the policy says `ask`. */
  ask(tool: Tool, call: ToolCall, signal: AbortSignal): Promise<Permission>;
}

export interface Permission {
  readonly decision: 'allow' | 'deny';
  readonly by: 'policy' | 'user';
  /** What the person said to a refusal. */
  readonly reason?: string;
}

/** By full name, by the beginning of a dotted name (`git.*`), or for all (`*`); the closest one holds. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

export interface ToolRule {
  /** For calls of the model; absent: `allow` for what changes nothing, else `ask`. */
  readonly agent?: Leave | undefined;
  /** For commands of the user; absent: `allow`. */
  readonly user?: 'allow' | 'deny' | undefined;
}

/** What a person may answer. */
export type Approval =
  | { readonly kind: 'once' }
  /** For what the call means (`Tool.scopeOf`), as long as this policy lives: a conversation. */
  | { readonly kind: 'always' }
  | { readonly kind: 'no'; readonly reason: string | null };

export interface PolicyOptions {
  readonly rules: ToolRules;
  /** Asks the person, one question at a time; null where nobody is there: then nothing that has to be asked is run. */
  readonly approve: ((tool: Tool, call: ToolCall, signal: AbortSignal) => Promise<Approval>) | null;
}

export function createToolPolicy({ rules, approve }: PolicyOptions): ToolPolicy {
  const always = new Set<string>();
  let lastQuestion: Promise<unknown> = Promise.resolve();

  async function question(tool: Tool, call: ToolCall, signal: AbortSignal): Promise<Permission> {
    if (approve === null) return { decision: 'deny', by: 'policy', reason: 'nobody is there to be asked' };
    const scope = scopeOf(tool, call);
    if (always.has(scope)) return { decision: 'allow', by: 'user' };
    signal.throwIfAborted();
    const answer = await approve(tool, call, signal);
    if (answer.kind === 'always') always.add(scope);
    if (answer.kind !== 'no') return { decision: 'allow', by: 'user' };
    return { decision: 'deny', by: 'user', ...(answer.reason === null ? {} : { reason: answer.reason }) };
  }

  return {
    leaveFor: (tool, _call, trigger) => leaveBy(rules, tool, trigger),
    ask(tool, call, signal) {
      const mine = lastQuestion.then(() => question(tool, call, signal));
      lastQuestion = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** What the rules say of a tool. */
export function leaveBy(rules: ToolRules, tool: Tool, trigger: Trigger): Leave {
  const written = patternsFor(tool.name).flatMap((pattern) => rules[pattern]?.[trigger] ?? [])[0];
  return written ?? (trigger === 'user' || tool.readOnly ? 'allow' : 'ask');
}

/** Of `a.b.c`: itself, `a.b.*`, `a.*`, `*`. */
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

/** Tools that change nothing run; nobody is there who could be asked about another. */
export const readOnlyPolicy: ToolPolicy = {
  leaveFor: (tool) => (tool.readOnly ? 'allow' : 'deny'),
  ask: async () => ({ decision: 'deny', by: 'policy' }),
};
