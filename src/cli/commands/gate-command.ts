/** `collab gate`: judges a saved result again, without a model. */
import { Option } from 'commander';
import { failOnGrades, type FailOn } from '../../tags/severities.ts';
import type { Program } from '../program.ts';

interface GateFlags {
  readonly failOn?: FailOn;
  readonly require?: 'model';
}

const examples = `
Example:
  collab gate result.json --fail-on important --require model

Exit codes: 0 passed, 1 findings, 2 not a review result, 3 incomplete or without a model, 4 failed or unfinished
`;

export function addGateCommand({ root, run }: Program): void {
  root
    .command('gate')
    .description('judge a saved result again, without a model')
    .argument('<result.json>', 'the result of a review')
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit 1 at this severity or worse (default: as in the review)',
      ).choices(failOnGrades),
    )
    .addOption(
      new Option('--require <assurance>', 'refuse a result from static checks alone').choices(['model']),
    )
    .addHelpText('after', examples)
    .action((file: string, flags: GateFlags) => {
      run(async (session) => {
        const { readReviewResultFile } = await import('../../runs/folder/named-result.ts');
        const { gate } = await import('../../review/outcome/gate.ts');
        const judged = gate(readReviewResultFile(file), {
          fail_on: flags.failOn ?? null,
          requireModel: flags.require === 'model',
        });
        session.out(`${judged.message}\n`);
        return judged.exitCode;
      });
    });
}
