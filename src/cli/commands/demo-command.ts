/** `collab demo`: a whole run of two scripted agents in a temporary project. No model, no network. */
import type { Program } from '../program.ts';

export interface DemoFlags {
  readonly script?: string;
  readonly pauses: boolean;
  readonly plain?: boolean;
  readonly ascii?: boolean;
}

const examples = `
Examples:
  collab demo                       a pair at work on a small task, in about fifteen seconds
  collab demo --no-pauses           the same at once
  collab demo --script mine.yaml    your own script; start from examples/demo.yaml of the package

This is an ordinary run: collab show, collab show --events, collab check and collab resume work with it. Its project is in
the run's own folder; no other file changes.
`;

export function addDemoCommand({ root, run }: Program): void {
  root
    .command('demo')
    .description('watch a pair at work, offline: two agents play a script')
    .option('--script <file>', 'play this rehearsal script')
    .option('--no-pauses', 'skip the pauses of the script')
    .option('--plain', 'show at a terminal what a pipe shows')
    .option('--ascii', 'print no emoji')
    .addHelpText('after', examples)
    .action((flags: DemoFlags) => {
      run(async (session) => (await import('../setup/demo.ts')).demo(session, flags));
    });
}
