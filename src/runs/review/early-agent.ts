/**
 * A run that is about to start: it has an id and a private folder while its change is read, so that its agent can start
 * early.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ExpectedRun } from '../../providers/contract/contract.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import { warmUpAdvisor } from '../agents/advisor-choice.ts';
import { advisorQuestion, type AdvisorOptions } from '../agents/advisor-question.ts';
import { newRunId, type RunFolder } from '../folder/run-folder.ts';
import type { ReviewOptions } from './prepare.ts';
import { isBelowGit } from '../../system/files/write-named.ts';
import { openStateFolder, removeStateFolder, reviewFolderIn } from '../folder/state-folder.ts';
import { limitsIn } from '../folder/run-settings.ts';

export interface EarlyRun {
  readonly runId: string;
  /** Starts the advisor in the run's folder, once for the same choice; ends one of another choice first. Reports no error: the run does. */
  warmUp(options: AdvisorOptions): Promise<void>;
  /** Ends what a provider started early for the run, except for what the run has taken over. */
  coolDown(): Promise<void>;
  /** Removes everything of a run that does not start after all. */
  giveUp(): Promise<void>;
}

export function createEarlyRun({ env, cwd, clock }: Pick<ReviewOptions, 'env' | 'cwd' | 'clock'>): EarlyRun {
  const runId = newRunId(clock);
  let chosen: unknown = null;
  let opened: { readonly stateFolder: string } | null = null;
  const coolDown = async (): Promise<void> => {
    if (opened !== null) await (await loadProvider('codex')).coolDown?.(opened.stateFolder);
  };
  const expect = (model: string | null, limits: ExpectedRun['limits']): ExpectedRun | null => {
    const stateFolder = openedFolder(() => openStateFolder(runId, { env, clock }));
    if (stateFolder === null) return null;
    opened = { stateFolder };
    // It is not known yet whether a diff from elsewhere is about these files; usually it is.
    const reviewFolder = isBelowGit(cwd) ? reviewFolderIn(stateFolder) : null;
    return { stateFolder, reviewFolder, model, limits };
  };
  return {
    runId,
    async warmUp(options) {
      const question = advisorQuestion(options);
      const limits = limitsIn(options.settings, 'review');
      const choice = [question.advisor, question.environment.settings, limits];
      if (isDeepStrictEqual(choice, chosen)) return;
      await coolDown();
      chosen = choice;
      await warmUpAdvisor(question, (model) => expect(model, limits));
    },
    coolDown,
    async giveUp() {
      await coolDown();
      if (opened !== null) removeStateFolder(runId, { env, clock });
    },
  };
}

/** Creates the run's folder; gives up the early run if the run does not start or gets another id. */
export async function beginOrGiveUp<Found extends RunFolder>(
  early: EarlyRun | null,
  begin: () => Promise<Found>,
): Promise<Found> {
  try {
    const found = await begin();
    if (found.runId !== early?.runId) await early?.giveUp();
    return found;
  } catch (error) {
    await early?.giveUp();
    throw error;
  }
}

/** Drives the run, then ends the parts of its early agent that it has not taken over. */
export async function driveEarly<Value>(early: EarlyRun | null, drive: () => Promise<Value>): Promise<Value> {
  try {
    return await drive();
  } finally {
    await early?.coolDown();
  }
}

function openedFolder(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}
