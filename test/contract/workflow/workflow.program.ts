/**
 * Drives a prepared run of the four phases in a process of its own; stops itself with SIGKILL after the n-th commit point
 * (`commit:<n>`), or as a record of that number is written (`record:<n>`).
 */
import { driveStage, stageIn } from './rehearsed-workflow.ts';

const [folder = '', stopAt = ''] = process.argv.slice(2);
const stage = stageIn(folder);
let commits = 0;

await driveStage(
  { ...stage, env: { ...stage.env, ...process.env } },
  {
    onCommit() {
      commits += 1;
      if (stopAt === `commit:${commits}`) process.kill(process.pid, 'SIGKILL');
    },
    onEvent({ seq }) {
      if (stopAt === `record:${seq}`) process.kill(process.pid, 'SIGKILL');
    },
  },
);
process.stdout.write(String(commits));
