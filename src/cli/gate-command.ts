/** `collab gate`: judges a saved result again, without a model. */
import { Option } from 'commander';
import type { Program } from './program.ts';

interface GateFlags {
  readonly failOn: 'critical' | 'important' | 'minor' | 'never';
  readonly require?: 'model';
}

export function addGateCommand({ root, run }: Program): void {
  root
    .command('gate')
    .description('judge a saved result again, without a model')
    .argument('<result.json>', 'the result of a review')
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 at this grade or worse')
        .choices(['critical', 'important', 'minor', 'never'])
        .default('critical'),
    )
    .addOption(
      new Option('--require <assurance>', 'refuse a result of static checks alone').choices(['model']),
    )
    .addHelpText('after', '\nExample:\n  collab gate result.json --fail-on important --require model\n')
    .action((file: string, flags: GateFlags) => {
      run(async (session) => {
        const { readReviewResultFile } = await import('./run-arguments.ts');
        const { gate } = await import('../review/gate.ts');
        const judged = gate(readReviewResultFile(file), {
          failOn: flags.failOn,
          requireModel: flags.require === 'model',
        });
        session.out(`${judged.message}\n`);
        return judged.exitCode;
      });
    });
}
