/** `collab demo`: a whole run of two scripted agents in a temporary project. No model, no network. */
import type { Program } from '../program.ts';

export interface DemoFlags {
  readonly script?: string;
  readonly pauses: boolean;
  readonly ascii?: boolean;
}

const examples = `
Examples:
  collab demo                       the pair at work on a small task, in about fifteen seconds
  collab demo --no-pauses           the same at once
  collab demo --script mine.yaml    your own script; examples/demo.yaml of the package is one to copy

The run is an ordinary one: collab show, collab show --events, collab check and collab resume work on it. Its project lies in
the run's own folder; nothing else is touched.
`;

export function addDemoCommand({ root, run }: Program): void {
  root
    .command('demo')
    .description('watch a pair at work, offline: two agents that play a script')
    .option('--script <file>', 'the rehearsal script to play')
    .option('--no-pauses', 'do not wait where the script waits')
    .option('--ascii', 'no emoji')
    .addHelpText('after', examples)
    .action((flags: DemoFlags) => {
      run(async (session) => (await import('../setup/demo.ts')).demo(session, flags));
    });
}
