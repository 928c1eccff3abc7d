/** Drives the scripted review in a process of its own; stops itself with SIGKILL after the n-th commit point. */
import { appendFileSync } from 'node:fs';
import { systemClock } from '../../../src/system/clock.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import { scriptedEnvelope, scriptedReview, scriptedStart, settleScripted } from './scripted-review.ts';

const [runFolder = '', callLog = '', stopAfter = '0', commitLog = ''] = process.argv.slice(2);
let commits = 0;

const departure = await performRun({
  runFolder,
  envelope: scriptedEnvelope,
  clock: systemClock,
  signal: new AbortController().signal,
  start: scriptedStart,
  body: scriptedReview(callLog),
  settle: settleScripted,
  onCommit(events) {
    commits += 1;
    if (commitLog !== '') appendFileSync(commitLog, `${events.at(-1)?.type ?? ''}\n`);
    if (commits === Number(stopAfter)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`${JSON.stringify({ departure, commits })}\n`);
