/** The reviews of a round: one of each kind, played by scripts, and how each ends when nothing disturbs it. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { DatabaseEngine } from '../../src/runs/engine/database-engine.ts';
import type { RunResult } from '../../src/runs/folder/result-file.ts';
import type { RunFolder } from '../../src/runs/folder/run-folder.ts';
import { runInputSchema, type RunInput } from '../../src/runs/folder/run-input.ts';
import { example, type Place } from '../packed/place.ts';
import type { Fleet, ServerMember } from './fleet.ts';
import { answerServed, startServed } from './served-runs.ts';
import type { Takeovers } from './takeovers.ts';

export const kinds = ['plain', 'wide', 'asking'] as const;
export type Kind = (typeof kinds)[number];

/** The end of a run, without what differs between two runs of the same review. */
export type Essence = z.infer<typeof essenceSchema>;

export interface Reference {
  readonly kind: Kind;
  readonly input: RunInput;
  readonly records: number;
  readonly essence: Essence;
}

export interface SubmittedReview {
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

/** Flags of `collab review` for a script that each worker has in its own folder. */
export function reviewFlags(script: string, kind: Kind): readonly string[] {
  const advisor = ['--advisor', advisorOf(script), '--remote'];
  return kind === 'asking'
    ? ['review', example('harmless.diff'), '--lead', 'caller', ...advisor]
    : ['review', example('checkout.diff'), ...advisor];
}

/** Reviews undisturbed. */
export async function playUndisturbed(chaos: Chaos, kind: Kind): Promise<Reference> {
  const { place, engine, env } = chaos;
  const script = writeScript(chaos, `${kind}.yaml`, kind);
  place.write('collab.config.yaml', configOf(kind));
  const submitted = await place.collab([...reviewFlags(script, kind), '--detach'], { env });
  const { run: runId } = z.object({ run: z.string() }).parse(JSON.parse(submitted.stdout));
  const run = { runId, path: runId };
  if (kind === 'asking') await answerOnceAsked(chaos, run, 'command');
  await expect.poll(() => engine.result(run), { timeout: 60_000 }).toMatchObject({ state: 'ended' });
  const input = await engine.input(run);
  if (input === null) throw new Error(`${runId} has no input`);
  return {
    kind,
    input,
    records: (await engine.records(run)).length,
    essence: essenceOf(await engine.result(run)),
  };
}

/** Settings of a review of one kind. */
export function configOf(kind: Kind): string {
  return `chunk_tokens: 700\nconcurrency: ${kind === 'plain' ? 1 : 3}\n`;
}

/** Submits the same review again, with a script and a log of calls of its own. */
export async function submitAgain(
  chaos: Chaos,
  reference: Reference,
  runId: string,
): Promise<SubmittedReview> {
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
): Promise<SubmittedReview> {
  const script = writeScript(chaos, `${conversation}.yaml`, reference.kind);
  const runId = await startServed(server, { conversation, advisor: advisorOf(script) });
  return { run: { runId, path: runId }, conversation, script, reference };
}

export interface ServedStart {
  readonly reference: Reference;
  readonly conversation: string;
  readonly server: ServerMember;
}

/** Answers until the answer is recorded: by a person's command, or at a server. */
export async function answerOnceAsked(
  { place, engine, env }: Pick<Chaos, 'place' | 'engine' | 'env'>,
  run: RunFolder,
  by: 'command' | ServerMember,
): Promise<void> {
  const { runId } = run;
  const value = '## CONTEXT\n\nVersion 2.\n';
  place.write('answer.md', value);
  const isAsking = async () =>
    (await engine.ends(run)) !== null && (await engine.status(run)).open.length > 0;
  await expect.poll(isAsking, { timeout: 60_000, message: `${runId} asks` }).toBe(true);
  const answer = async (): Promise<void> => {
    // The database may be away for a moment.
    if (by !== 'command') return answerServed(by, { runId, value }).catch(() => undefined);
    const said = await place.collab(['answer', runId, '--file', 'answer.md', '--remote'], { env });
    if (await isAsking()) expect(said).toMatchObject({ code: 4 });
  };
  const isAnswered = async (): Promise<boolean> => {
    await answer();
    return !(await isAsking());
  };
  await expect.poll(isAnswered, { timeout: 60_000, message: `${runId} is answered` }).toBe(true);
}

/** Each process of the fleet has the script in its own folder. */
function advisorOf(script: string): string {
  return `rehearsal:/proc/self/cwd/${script}`;
}

export function essenceOf(result: RunResult | null): Essence {
  return essenceSchema.parse(result);
}

const essenceSchema = z.object({
  state: z.literal('ended'),
  outcome: z.string(),
  exit_code: z.number(),
  findings: z.array(z.unknown()),
  coverage: z.object({ files: z.array(z.object({ path: z.string(), status: z.string() })) }),
});

export function writeScript(
  { place, fleet }: Pick<Chaos, 'place' | 'fleet'>,
  script: string,
  kind: Kind,
): string {
  place.write(script, `call_log: ${script}.log\nturns:\n${kind === 'asking' ? asking : ''}${answering}`);
  fleet.hand(script);
  return script;
}

const asking = `
  - when: { attempt: 1, contains: shipping }
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
