/** Drives a prepared review in a process of its own; stops itself with SIGKILL after the n-th commit point. */
import { driveStage, stageIn } from './rehearsed-review.ts';

const [folder = '', stopAfter = '0'] = process.argv.slice(2);
let commits = 0;

await driveStage(stageIn(folder), {
  onCommit() {
    commits += 1;
    if (commits === Number(stopAfter)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(String(commits));
