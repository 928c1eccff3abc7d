/**
 * Drives the scripted review in a process of its own; stops itself with a signal after the n-th commit point. With the address
 * of a database, the run is there.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CollabError } from '../../../src/errors/collab-error.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import { openPostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { scriptedEnvelope, scriptedReview, scriptedStart, settleScripted } from './scripted-review.ts';

const [runFolder = '', callLog = '', stopAfter = '0', commitLog = ''] = process.argv.slice(2);
const { COLLAB_TEST_ENGINE: url, COLLAB_TEST_SIGNAL: signalName = 'SIGKILL' } = process.env;
const store = url === undefined ? null : await openPostgresStore(url);
let commits = 0;

const departure = await driveWhenFree();
process.stdout.write(`${JSON.stringify({ departure, commits })}\n`);
await store?.close();

/** A database needs a moment to notice that the last owner is gone. */
async function driveWhenFree() {
  for (;;) {
    try {
      return await drive();
    } catch (error) {
      if (store === null || !(error instanceof CollabError) || error.code !== 'locked') throw error;
      await delay(50);
    }
  }
}

function drive() {
  return performRun({
    runFolder,
    envelope: scriptedEnvelope,
    ...(store === null ? {} : { store }),
    clock: systemClock,
    signal: new AbortController().signal,
    start: scriptedStart,
    body: scriptedReview(callLog),
    settle: settleScripted,
    onCommit(events) {
      commits += 1;
      if (commitLog !== '') appendFileSync(commitLog, `${events.at(-1)?.type ?? ''}\n`);
      if (commits === Number(stopAfter)) process.kill(process.pid, signalName);
    },
  });
}
