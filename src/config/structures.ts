/** The types of settings with several keys. An omitted key keeps its value. */
import type { z } from 'zod';
import { phases, type Phase } from '../tags/tags.ts';
import { parseDuration, writeDuration } from './duration.ts';
import { spanSchema, type SettingType, type Zod } from './setting-types.ts';
import { defaultBudgets, type Budgets } from './repair-budgets.ts';
import type { ProviderSettings, ToolSettings } from './settings.ts';
import { turnLimits } from './waits.ts';

const structure = { unit: '', text: null } as const;

export function limits(): SettingType<LimitTexts, KeptLimits> {
  return {
    ...structure,
    default: usualLimits,
    schema: limitsSchema,
    kept: keptLimits,
    read: (written, { before }) => readLimits(written, before),
  };
}

export type LimitTexts = z.infer<ReturnType<typeof limitsSchema>>;
export type KeptLimits = z.infer<ReturnType<typeof keptLimits>>;

const usualLimits = {
  first_sign_ms: turnLimits.firstSignMs,
  first_byte_ms: turnLimits.firstByteMs,
  idle_ms: turnLimits.idleMs,
  total_ms: turnLimits.totalMs,
};

function limitsSchema(zod: Zod) {
  const limit = (about: string, usualMs: number) =>
    spanSchema(zod)
      .optional()
      .describe(`${about} Default ${writeDuration(usualMs)}.`);
  return zod.strictObject({
    first_sign: limit('Until the agent has answered and started the turn.', usualLimits.first_sign_ms),
    first_byte: limit('From a request until the model begins to answer.', usualLimits.first_byte_ms),
    idle: limit('Without any sign of life.', usualLimits.idle_ms),
    total: limit('In all; extended once by half while the agent still works.', usualLimits.total_ms),
  });
}

function keptLimits(zod: Zod) {
  const limit = zod.int().positive();
  return zod.object({
    first_sign_ms: limit,
    /** Missing in a run of a version without this limit. */
    first_byte_ms: limit.optional(),
    idle_ms: limit,
    total_ms: limit,
  });
}

export function readLimits(written: LimitTexts, before: KeptLimits): KeptLimits {
  const own = Object.entries(written).flatMap(([key, text]) =>
    text === undefined ? [] : [[`${key}_ms`, parseDuration(text)]],
  );
  return { ...before, ...Object.fromEntries(own) };
}

/** Complete: a phase takes what it does not set from `limits`. A plain review belongs to the phase `review`. */
export type PhaseLimits = Partial<Record<Phase, KeptLimits>>;

export function phaseLimits(): SettingType<PhaseTexts, PhaseLimits> {
  return {
    ...structure,
    default: {},
    schema: phaseSchema,
    kept: (zod) => zod.partialRecord(zod.enum(phases), keptLimits(zod)),
    read: (written, { before, limits: usual }) => {
      const own = phases.flatMap((phase) => {
        const texts = written[phase];
        return texts === undefined ? [] : [[phase, readLimits(texts, before[phase] ?? usual)]];
      });
      return { ...before, ...Object.fromEntries(own) };
    },
  };
}

type PhaseTexts = z.infer<ReturnType<typeof phaseSchema>>;

/** Not a record, so that a misspelled phase is an unknown key and the error can suggest the right one. */
function phaseSchema(zod: Zod) {
  const [requirements, design, implementation, review] = phases;
  const limit = limitsSchema(zod).optional();
  return zod.strictObject({
    [requirements]: limit,
    [design]: limit,
    [implementation]: limit,
    [review]: limit,
  });
}

export function budgets(): SettingType<BudgetWords, Budgets> {
  return {
    ...structure,
    default: defaultBudgets,
    schema: budgetSchema,
    kept: (zod) => {
      const rung = zod.int().nonnegative();
      const rungs = Object.keys(defaultBudgets).map((name) => [name, rung]);
      return zod.object({ ...Object.fromEntries(rungs), attempts: zod.int().positive() });
    },
    read: (written, { before }) => {
      const own = Object.entries(written).filter(([, times]) => times !== undefined);
      return { ...before, ...Object.fromEntries(own) };
    },
  };
}

type BudgetWords = z.infer<ReturnType<typeof budgetSchema>>;

function budgetSchema(zod: Zod) {
  const rung = (name: keyof Budgets, about: string, least = 0) =>
    zod.int().min(least).max(100).optional().describe(`${about} Default ${defaultBudgets[name]}.`);
  return zod.strictObject({
    repairing: rung('repairing', 'Requests for the structure.'),
    completing: rung('completing', 'Requests for missing sections.'),
    recontextualising: rung('recontextualising', 'Requests with the context.'),
    shortening: rung('shortening', 'Requests with a shorter prompt.'),
    waiting: rung('waiting', 'Waits for an overloaded agent.'),
    answering: rung('answering', 'Answered questions of the advisor.'),
    attempts: rung('attempts', 'Requests in all.', 1),
  });
}

export function providers(): SettingType<ProviderTexts, ProviderSettings> {
  return {
    ...structure,
    default: {},
    schema: providersSchema,
    read: (written, { before, pathOf }) => {
      const own = Object.entries(written).map(([name, texts]) => {
        const values = Object.entries(texts).map(([key, value]) => [
          key,
          key === 'path' ? pathOf(String(value), name, key) : String(value),
        ]);
        return [name, { ...before[name], ...Object.fromEntries(values) }];
      });
      return { ...before, ...Object.fromEntries(own) };
    },
  };
}

type ProviderTexts = z.infer<ReturnType<typeof providersSchema>>;

function providersSchema(zod: Zod) {
  return zod.record(
    zod.string().regex(/^[a-z][a-z0-9_]*$/),
    zod.record(zod.string(), zod.union([zod.string(), zod.number(), zod.boolean()])),
  );
}

export function toolSettings(): SettingType<ToolTexts, ToolSettings> {
  return {
    ...structure,
    default: { policy: {}, web_fetch: null },
    schema: toolsSchema,
    read: ({ policy = {}, web_fetch: fetch }, { before }) => ({
      policy: { ...before.policy, ...rulesOf(policy) },
      web_fetch:
        fetch === undefined
          ? before.web_fetch
          : { hosts: fetch.hosts ?? null, private_addresses: fetch.private_addresses ?? false },
    }),
  };
}

export type ToolTexts = z.infer<ReturnType<typeof toolsSchema>>;

/** `Bash: deny` is a rule for the calls of the model. */
export function rulesOf(policy: NonNullable<ToolTexts['policy']>): ToolSettings['policy'] {
  const rules = Object.entries(policy).map(([name, rule]) => [
    name,
    typeof rule === 'string' ? { agent: rule } : rule,
  ]);
  return Object.fromEntries(rules);
}

function toolsSchema(zod: Zod) {
  const leave = zod.enum(['allow', 'ask', 'deny']);
  const rule = zod.strictObject({
    agent: leave.optional().describe('For calls of the model.'),
    user: zod.enum(['allow', 'deny']).optional().describe('For commands that you write. Default allow.'),
  });
  const webFetch = zod.strictObject({
    hosts: zod
      .array(zod.string().min(1))
      .optional()
      .describe('Only these, such as *.example.org. Default: any.'),
    private_addresses: zod.boolean().optional().describe('This machine and its network too. Default: no.'),
  });
  return zod.strictObject({
    policy: zod
      .record(zod.string().regex(/^(?:\*|[A-Za-z_][\w.-]*(?:\.\*)?)$/), zod.union([leave, rule]))
      .optional()
      .describe(
        'By name, by a group such as git.* or for all (*); the most specific one applies. Default: read-only tools run, all others ask.',
      ),
    web_fetch: webFetch.optional().describe('Adds the tool WebFetch, which is off by default.'),
  });
}
