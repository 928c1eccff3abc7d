/**
 * Drives a prepared review in a process of its own; stops itself with SIGKILL after the n-th commit point, or after the end
 * of a step.
 */
import { driveStage, stageIn } from './rehearsed-review.ts';

const [folder = '', stopAfter = ''] = process.argv.slice(2);
let commits = 0;

await driveStage(
  { ...stageIn(folder), env: process.env },
  {
    onCommit(events) {
      commits += 1;
      const ends = events.some((event) => event.type === 'step.ended' && event.step === stopAfter);
      if (ends || commits === Number(stopAfter)) process.kill(process.pid, 'SIGKILL');
    },
  },
);
process.stdout.write(String(commits));
