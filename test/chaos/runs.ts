/** The runs of a round, played by scripts, and how each ends when nothing disturbs it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { CollabEventOf } from '../../src/events/collab-event.ts';
import type { DatabaseEngine } from '../../src/runs/engine/database-engine.ts';
import type { RunFolder } from '../../src/runs/folder/run-folder.ts';
import { runInputSchema, type RunInput } from '../../src/runs/folder/run-input.ts';
import { straightWay } from '../contract/workflow/workflow-script.ts';
import { example, type Place } from '../packed/place.ts';
import type { Fleet, ServerMember } from './fleet.ts';
import { answerServed, startServed } from './served-runs.ts';
import type { Takeovers } from './takeovers.ts';

/** Three reviews, and a run of phases with a question. */
export const kinds = ['plain', 'wide', 'asking', 'phases'] as const;
export type Kind = (typeof kinds)[number];

/** The turns of a conversation of consults: in the second one, the advisor asks back. */
export const turnKinds = ['opening', 'doubtful', 'later'] as const;
export type TurnKind = (typeof turnKinds)[number];

/** The end of a run, without what differs between two runs with the same input. */
export type Essence = (z.infer<typeof essenceSchema> | z.infer<typeof consultSchema>) & {
  /** The tree of its last state; null for a run that makes none. */
  readonly tree: string | null;
  /** The results of the earlier turns of the conversation. */
  readonly earlier: readonly string[];
};

export interface Reference<One = Kind | TurnKind> {
  readonly kind: One;
  readonly input: RunInput;
  readonly records: number;
  readonly essence: Essence;
}

export interface PlayedRun {
  readonly run: RunFolder;
  readonly conversation: string;
  readonly script: string;
  readonly reference: Reference;
}

export interface Chaos {
  readonly place: Place;
  readonly fleet: Fleet;
  readonly engine: DatabaseEngine;
  readonly takeovers: Takeovers;
  /** The environment of commands on the database. */
  readonly env: Readonly<Record<string, string>>;
}

/** The words of a command that submits a run; each worker has the script in its own folder. */
export function commandOf(script: string, kind: Kind): readonly string[] {
  const advisor = ['--advisor', agentOf(script), '--remote'];
  switch (kind) {
    case 'plain':
    case 'wide':
      return ['review', example('checkout.diff'), ...advisor];
    case 'asking':
      return ['review', example('harmless.diff'), '--lead', 'caller', ...advisor];
    case 'phases':
      return ['run', 'Write one.', ...twoPhases, '--lead', agentOf(script), ...advisor];
  }
}

/** All four take much longer than the reviews. */
const twoPhases = ['--phases', 'requirements,implementation'];

/** Plays a run undisturbed. */
export async function playUndisturbed(chaos: Chaos, kind: Kind): Promise<Reference<Kind>> {
  const { place, env } = chaos;
  const script = writeScript(chaos, `${kind}.yaml`, kind);
  place.write('collab.config.yaml', configOf(kind));
  const cwd = folderOf(chaos, kind);
  const submitted = await place.collab([...commandOf(script, kind), '--detach'], { env, cwd });
  const { run: runId } = z.object({ run: z.string() }).parse(JSON.parse(submitted.stdout));
  const run = { runId, path: runId };
  const reference = await referenceOf(chaos, { run, conversation: runId }, kind);
  // It has no folder in the database.
  return { ...reference, input: { ...reference.input, cwd } };
}

/** Answers the questions of an undisturbed run, and reads how it ends. */
export async function referenceOf<One extends Kind | TurnKind>(
  chaos: Chaos,
  asking: Pick<PlayedRun, 'run' | 'conversation'>,
  kind: One,
): Promise<Reference<One>> {
  const { engine } = chaos;
  const { run } = asking;
  for (let asked = 0; asked < questionsOf[kind]; asked += 1) await answerOnceAsked(chaos, asking, 'command');
  await expect.poll(() => engine.result(run), { timeout: 60_000 }).toMatchObject({ state: 'ended' });
  return {
    kind,
    input: await inputOf(chaos, run),
    records: (await engine.records(run)).length,
    essence: await essenceOf(chaos, run),
  };
}

async function inputOf({ engine }: Pick<Chaos, 'engine'>, run: RunFolder): Promise<RunInput> {
  const input = await engine.input(run);
  if (input === null) throw new Error(`${run.runId} has no input`);
  return input;
}

/** How many questions a run asks. */
export const questionsOf: Readonly<Record<Kind | TurnKind, number>> = {
  plain: 0,
  wide: 0,
  asking: 1,
  phases: 1,
  opening: 0,
  doubtful: 1,
  later: 0,
};

/** The folder in which the command is called: runs of phases and consults take along its files. */
export function folderOf({ place }: Pick<Chaos, 'place'>, kind: Kind | TurnKind): string {
  const folder = join(place.folder, 'project');
  if (kind === 'plain' || kind === 'wide' || kind === 'asking') return place.folder;
  if (!existsSync(folder)) {
    place.write('project/README.md', '# one\n');
    place.git('init', '-q', folder);
    place.git('-C', folder, 'add', '--all');
    place.git('-C', folder, 'commit', '-q', '-m', 'begin');
  }
  return folder;
}

/** Settings of a run of one kind. */
export function configOf(kind: Kind): string {
  return `chunk_tokens: 700\nconcurrency: ${kind === 'plain' ? 1 : 3}\n`;
}

/** Submits the same run again, with a script and a log of calls of its own. */
export async function submitAgain(
  chaos: Chaos,
  reference: Reference<Kind>,
  runId: string,
): Promise<PlayedRun> {
  const { kind, input } = reference;
  const script = writeScript(chaos, `${runId}.yaml`, kind);
  const own = JSON.stringify(input).replaceAll(`/${kind}.yaml`, `/${script}`);
  const run = await chaos.engine.start('', { runId, input: runInputSchema.parse(JSON.parse(own)) });
  return { run, conversation: runId, script, reference };
}

/** Starts the same review at a server. */
export async function startAgain(
  chaos: Chaos,
  { reference, conversation, server }: ServedStart,
): Promise<PlayedRun> {
  const script = writeScript(chaos, `${conversation}.yaml`, reference.kind);
  const runId = await startServed(server, { conversation, advisor: agentOf(script) });
  return { run: { runId, path: runId }, conversation, script, reference };
}

export interface ServedStart {
  readonly reference: Reference<Kind>;
  readonly conversation: string;
  readonly server: ServerMember;
}

/** Answers the next question of a run until the answer is recorded: by a person's command, or at a server. */
export async function answerOnceAsked(
  { place, engine, env }: Pick<Chaos, 'place' | 'engine' | 'env'>,
  { run, conversation }: Pick<PlayedRun, 'run' | 'conversation'>,
  by: 'command' | ServerMember,
): Promise<void> {
  const { runId } = run;
  const asked = async () => ((await engine.ends(run)) === null ? [] : (await engine.status(run)).open);
  const open: CollabEventOf<'question.asked'>[] = [];
  const isAsking = async (): Promise<boolean> => open.push(...(await asked())) > 0;
  await expect.poll(isAsking, { timeout: 60_000, message: `${runId} asks` }).toBe(true);
  const [question] = open;
  if (question === undefined) throw new Error(`${runId} asks nothing`);
  const isOpen = async () => (await asked())[0]?.name === question.name;
  const value = answers[question.kind];
  const answer = async (): Promise<void> => {
    // The database may be away for a moment.
    if (by !== 'command')
      return answerServed(by, { conversation, runId, name: question.name, value }).catch(() => undefined);
    const said = await place.collab(['answer', runId, '--file', '-', '--remote'], { env, input: value });
    if (await isOpen()) expect(said).toMatchObject({ code: 4 });
  };
  const isAnswered = async (): Promise<boolean> => {
    await answer();
    return !(await isOpen());
  };
  await expect.poll(isAnswered, { timeout: 60_000, message: `${runId} is answered` }).toBe(true);
}

/** Answers by the kind of the question. */
const answers: Readonly<Record<CollabEventOf<'question.asked'>['kind'], string>> = {
  reverse: '## CONTEXT\n\nVersion 2.\n',
  clarification: 'Version 2.',
  gate: 'approve',
  lead_turn: 'Done.',
};

/** Each process of the fleet has the script in its own folder. */
export function agentOf(script: string): string {
  return `rehearsal:/proc/self/cwd/${script}`;
}

export async function essenceOf({ engine }: Pick<Chaos, 'engine'>, run: RunFolder): Promise<Essence> {
  const [result, input] = [await engine.result(run), await inputOf({ engine }, run)];
  if (input.kind !== 'consult') {
    const made = await engine.made(run);
    return { ...endOf(result), tree: made.at(-1)?.tree ?? null, earlier: [] };
  }
  return { ...consultSchema.parse(result), tree: null, earlier: input.earlier.map(({ text }) => text) };
}

/** Reads the end from a result. */
export function endOf(result: unknown): z.infer<typeof essenceSchema> {
  return essenceSchema.parse(result);
}

const essenceSchema = z.object({
  state: z.literal('ended'),
  outcome: z.string().nullable(),
  exit_code: z.number(),
  findings: z.array(z.unknown()),
  coverage: z.object({ files: z.array(z.object({ path: z.string(), status: z.string() })) }),
  workflow: z.object({ ended: z.unknown(), phases: z.array(z.unknown()) }).optional(),
});

const consultSchema = z.object({
  state: z.literal('ended'),
  outcome: z.string(),
  exit_code: z.number(),
  sections: z.array(z.unknown()),
  asked_back: z.array(z.unknown()),
});

export function writeScript(
  { place, fleet }: Pick<Chaos, 'place' | 'fleet'>,
  script: string,
  kind: Kind | TurnKind,
): string {
  place.write(script, `call_log: ${script}.log\nturns:\n${turnsOf(kind)}`);
  fleet.hand(script);
  return script;
}

function turnsOf(kind: Kind | TurnKind): string {
  switch (kind) {
    case 'plain':
    case 'wide':
      return answering;
    case 'asking':
      return `${asking}${answering}`;
    case 'phases':
      return stringify(straightWay.map((turn) => ({ delay_ms: 60, ...turn })));
    case 'opening':
    case 'later':
      return stringify([advising]);
    case 'doubtful':
      return stringify([{ ...doubting, when: { attempt: 1 } }, advising]);
  }
}

/** The advisor's answers in a consult. */
const advising = {
  repeat: 'forever',
  delay_ms: 150,
  answer:
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nThe plan is sound.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep it.\n',
};
const doubting = {
  repeat: 'forever',
  delay_ms: 150,
  answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich version is it for?\n',
};

/** A call that was cut is repeated without its request: no turn may depend on its words. */
const asking = `
  - when: { attempt: 1 }
    repeat: forever
    delay_ms: 60
    answer: |
      [CONSULT:CLAUDE:CONTEXT]

      Which version is it for?
`;

/** A call whose process is gone is made again: each turn fits any number of calls. */
const answering = `
  - when: { chunk: 2 }
    repeat: forever
    delay_ms: 150
    delta_size: 40
    answer: |
      [RESPONSE:REVIEW]

      ## STRENGTHS

      The change is small.

      ## ISSUES

      ### Critical

      1. **The secret can be guessed** — \`src/checkout/coupon.ts:10\`
         \`\`\`
           const couponSecret = Math.random().toString(36).slice(2, 12);
         \`\`\`
         Why: the generator can be predicted.

         Fix: use node:crypto.

      ## SUGGESTIONS

      None
  - repeat: forever
    delay_ms: 60
    answer: |
      [RESPONSE:REVIEW]

      ## STRENGTHS

      The change is small.

      ## ISSUES

      None

      ## SUGGESTIONS

      None
`;
