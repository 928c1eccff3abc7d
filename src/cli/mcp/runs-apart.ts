/** The runs of a folder for the agent of its owner: each in a process of its own, which outlives this server. */
import { waitForOwner } from '../../engine/drive/other-process.ts';
import { findOwner } from '../../engine/lock/lock.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { CallerRuns } from '../../mcp/caller-runs.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { standing } from '../../runs/folder/run-status.ts';
import { recordAnswer } from '../commands/answer-command.ts';
import { cancelFoundRun } from '../commands/cancel-command.ts';
import { driveApart, host, startApart } from '../driving/start-apart.ts';
import type { Session } from '../session.ts';

export function runsApart(session: Session): CallerRuns {
  const { clock } = session;
  return {
    home: collabHome(session),
    clock,
    host,
    byHand: {
      answer: (run) => `at a terminal: collab answer ${run} --file -`,
      resume: (run) => `a person continues it at a terminal: collab resume ${run}`,
      show: (run) => `collab show ${run}`,
      apply: (run) => `collab apply ${run}`,
    },
    start: (request) => startApart(session, request),
    state: ({ path }) => standing(path),
    async waitWhileDriven({ path: runFolder }, signal) {
      await waitForOwner({ runFolder, clock }, AbortSignal.any([signal, session.signal]));
      session.signal.throwIfAborted();
    },
    async answer(found, text) {
      await recordAnswer(session, found, text);
      if ((await findOwner(found.path)) === null) await driveApart(session, found);
    },
    async cancel(found) {
      await cancelFoundRun(session, found);
    },
    refusalOf: (error) => (error instanceof CollabError ? error : { message: String(error), hint: null }),
  };
}
