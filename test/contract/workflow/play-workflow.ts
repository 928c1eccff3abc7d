/** Plays a script as a whole run in a folder of its own, and summarizes the result in short words. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import type { CollabEvent, CollabEventOf, EventType } from '../../../src/events/collab-event.ts';
import type { Departure } from '../../../src/engine/port.ts';
import { driveStage, eventsOf, prepareStage, type Stage, type StageInput } from './rehearsed-workflow.ts';

export interface Played {
  readonly stage: Stage;
  readonly departure: Departure<unknown>;
  readonly events: readonly CollabEvent[];
  /** `requirements 1: settled`, in order. */
  readonly phases: readonly string[];
  readonly ended: CollabEventOf<'run.ended'> | null;
  readonly result: Readonly<Record<string, unknown>>;
}

export type DriveHooks = Parameters<typeof driveStage>[1];

/** A stage that is removed with the test. */
export function stageFor(script: object, input: StageInput = {}): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'collab-workflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return prepareStage(folder, script, input);
}

export async function play(script: object, input: StageInput = {}, hooks: DriveHooks = {}): Promise<Played> {
  return goOn(stageFor(script, input), hooks);
}

/** Drives a stage, from its beginning or from its current state. Checks that it breaks no law of the journal. */
export async function goOn(stage: Stage, hooks: DriveHooks = {}): Promise<Played> {
  const departure = await driveStage(stage, hooks);
  const events = eventsOf(stage);
  const broken = checkLaws(events);
  if (broken.length > 0) throw new Error(JSON.stringify(broken, null, 2));
  return {
    stage,
    departure,
    events,
    phases: allOf(events, 'phase.ended').map(({ phase, round, result }) => `${phase} ${round}: ${result}`),
    ended: allOf(events, 'run.ended').at(-1) ?? null,
    result: JSON.parse(readFileSync(join(stage.runFolder, 'result.json'), 'utf8')),
  };
}

export function allOf<Type extends EventType>(
  events: readonly CollabEvent[],
  type: Type,
): readonly CollabEventOf<Type>[] {
  return events.filter((event): event is CollabEventOf<Type> => event.type === type);
}

export function fileOf({ project }: Stage, path: string): string | null {
  const file = join(project, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
