/** The runs of a folder for the agent of its owner: each in a process of its own, which outlives this server. */
import { CollabError } from '../../errors/collab-error.ts';
import type { CallerRuns } from '../../mcp/caller-runs.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { recordAnswer } from '../commands/answer-command.ts';
import { cancelFoundRun } from '../commands/cancel-command.ts';
import { driveApart, host, startApart } from '../driving/start-apart.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Session } from '../session.ts';

export async function runsApart(session: Session): Promise<CallerRuns> {
  const { clock } = session;
  const engine = await engineOf(session);
  return {
    home: collabHome(session),
    clock,
    engine,
    host,
    byHand: {
      answer: (run) => `at a terminal: collab answer ${run} --file -`,
      resume: (run) => `a person continues it at a terminal: collab resume ${run}`,
      show: (run) => `collab show ${run}`,
      apply: (run) => `collab apply ${run}`,
    },
    start: (request) => startApart(session, request),
    state: async (found) => (await engine.status(found)).state,
    async waitWhileDriven(found, signal) {
      await engine.untilFree(found, AbortSignal.any([signal, session.signal]));
      session.signal.throwIfAborted();
    },
    async answer(found, text) {
      await recordAnswer(session, found, text);
      if (!(await engine.isDriven(found))) await driveApart(session, found);
    },
    async cancel(found) {
      await cancelFoundRun(session, found);
    },
    refusalOf: (error) => (error instanceof CollabError ? error : { message: String(error), hint: null }),
  };
}
