/** A run that is about to begin: it has an id and a private folder while its change is read, so that its agent can start. */
import type { ExpectedRun } from '../../providers/contract/contract.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import { newRunId, type RunFolder } from '../folder/run-folder.ts';
import type { ReviewOptions } from './prepare.ts';
import { isBelowGit, openStateFolder, removeStateFolder, reviewFolderIn } from '../folder/state-folder.ts';
import { limitsIn } from '../folder/run-settings.ts';

export interface EarlyRun {
  readonly runId: string;
  /** Opens the folder. Null where there is no private folder: the run itself says so. */
  expect(model: string | null): ExpectedRun | null;
  /** Ends what a provider began for it. Of what a run has taken over it ends nothing. */
  coolDown(): Promise<void>;
  /** For a run that does not begin after all: nothing is left of it. */
  giveUp(): Promise<void>;
}

export function createEarlyRun({ env, cwd, clock, settings }: ReviewOptions): EarlyRun {
  const runId = newRunId(clock);
  let opened: { readonly stateFolder: string } | null = null;
  const coolDown = async (): Promise<void> => {
    if (opened !== null) await (await loadProvider('codex')).coolDown?.(opened.stateFolder);
  };
  return {
    runId,
    expect(model) {
      const stateFolder = openedFolder(() => openStateFolder(runId, { env, clock }));
      if (stateFolder === null) return null;
      opened = { stateFolder };
      return {
        stateFolder,
        // Whether the files of a diff from elsewhere are these here is not known yet; mostly they are.
        reviewFolder: isBelowGit(cwd) ? reviewFolderIn(stateFolder) : null,
        model,
        limits: limitsIn(settings, 'review'),
      };
    },
    coolDown,
    async giveUp() {
      await coolDown();
      if (opened !== null) removeStateFolder(runId, { env, clock });
    },
  };
}

/** Makes the run's folder; a run that does not begin, or under another id, is given up. */
export async function beginRun<Found extends RunFolder>(
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

/** Drives it; what the run has not taken over of its early agent ends with it. */
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
