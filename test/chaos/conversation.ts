/** A conversation of consults: a person submits each turn by a command, once the one before it has ended. */
import { expect } from 'vitest';
import { z } from 'zod';
import {
  agentOf,
  folderOf,
  referenceOf,
  turnKinds,
  writeScript,
  type Chaos,
  type PlayedRun,
  type Reference,
  type TurnKind,
} from './runs.ts';

type SubmittedTurn = Omit<PlayedRun, 'reference'>;

interface NewTurn {
  /** The name of the conversation among the scripts. */
  readonly name: string;
  readonly kind: TurnKind;
  /** The first turn of the conversation; null for itself. */
  readonly first: string | null;
}

/** Plays all turns undisturbed. */
export async function converseUndisturbed(chaos: Chaos): Promise<readonly Reference<TurnKind>[]> {
  const references: Reference<TurnKind>[] = [];
  let first: string | null = null;
  for (const kind of turnKinds) {
    const turn = await submitTurn(chaos, { name: 'undisturbed', kind, first });
    first ??= turn.conversation;
    references.push(await referenceOf(chaos, turn, kind));
  }
  return references;
}

/** Submits the turns of the references in a new conversation, each after `attend` has resolved for the one before it. */
export async function converse(
  chaos: Chaos,
  { name, references }: { readonly name: string; readonly references: readonly Reference<TurnKind>[] },
  attend: (turn: PlayedRun) => Promise<void>,
): Promise<void> {
  let first: string | null = null;
  for (const reference of references) {
    const turn = await submitTurn(chaos, { name, kind: reference.kind, first });
    first ??= turn.conversation;
    await attend({ ...turn, reference });
  }
}

const detachedSchema = z.object({ run: z.string() });

/** The command is repeated if it could not submit. */
async function submitTurn(chaos: Chaos, { name, kind, first }: NewTurn): Promise<SubmittedTurn> {
  const { place, env } = chaos;
  const script = writeScript(chaos, `${name}-${kind}.yaml`, kind);
  const about = first === null ? [] : ['--run', first];
  const consult = ['consult', 'design', '--file', '-', '--advisor', agentOf(script), ...about];
  const where = { env, cwd: folderOf(chaos, kind), input: `The ${kind} question.` };
  for (;;) {
    const submitted = await place.collab([...consult, '--remote', '--detach'], where);
    if (submitted.code === 4 && submitted.stdout === '') continue;
    expect(submitted).toMatchObject({ code: 0 });
    const { run: runId } = detachedSchema.parse(JSON.parse(submitted.stdout));
    return { run: { runId, path: runId }, conversation: first ?? runId, script };
  }
}
