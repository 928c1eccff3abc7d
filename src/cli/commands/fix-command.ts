/** `collab fix`: lets the lead fix chosen findings of a review, and reviews the result. */
import { resolve } from 'node:path';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { neutralise } from '../../text/neutralise.ts';
import { presentStart } from '../driving/present-start.ts';
import { formatOption } from '../flags/format-option.ts';
import { reviewRoundsOption } from '../flags/review-rounds-option.ts';
import { addDisplayFlags } from '../flags/go-on-flags.ts';
import { addConfigurationFlags, addSettingFlags, NamedOption } from '../flags/setting-flags.ts';
import { fixLine, type FixFlags } from '../flags/start-lines.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

const examples = `
Examples:
  collab fix 2                          finding F2 of the newest review
  collab fix x7k2 1 3                   two findings of another run
  collab fix --all-critical --apply     asks nothing at the end
  collab fix --from review.json 2       a finding of a saved result

The lead fixes the findings in a copy, on the branch collab/<run>, or refuses a finding with its reason. The advisor reviews the
result: whether each finding is gone, and what is new. Then collab shows the patch and asks; your own files do not change before.
If you changed one of the files in the meantime, nothing is written.

Exit codes: 0 clean, or below --fail-on, 1 findings, also refused ones, 2 usage, 3 incomplete, 4 failed,
10 waiting for an answer, 11 still running, 130 interrupted
`;

export function addFixCommand({ root, run }: Program): void {
  const command = root
    .command('fix')
    .description('fix findings of a review and review the result')
    .argument('[run]', 'its id, the start or end of the id, or "latest"')
    .argument('[findings...]', 'their numbers in the report: 2 or F2')
    .addOption(new NamedOption('all_critical', '--all-critical', 'fix every Critical finding'))
    .option('--from <file>', 'take the findings from a saved result')
    .option('--result <file>', 'write fates and patch as data, for collab comment')
    .option('-y, --yes', 'ask nothing; applies nothing without --apply')
    .addOption(reviewRoundsOption())
    .option('--apply', 'apply the result to your own files at the end');
  addSettingFlags(command, 'fix').addOption(formatOption());
  addDisplayFlags(addConfigurationFlags(command), 'also show hidden errors of the agents')
    .addHelpText('after', examples)
    .action((wanted: string | undefined, findings: readonly string[], words: FixWords) => {
      const { result, ...flags } = words;
      const line = fixLine([...(wanted === undefined ? [] : [wanted]), ...findings], flags);
      run(async (session, defaults) => {
        let started: RunFolder | null = null;
        const code = await presentStart(session, line, defaults, (folder) => {
          started = folder;
        });
        if (result !== undefined && started !== null) await saveFix(session, started, result);
        return code;
      }, line);
    });
}

type FixWords = FixFlags & { readonly result?: string };

async function saveFix(session: Session, run: RunFolder, file: string): Promise<void> {
  const { cwd, env, signal } = session;
  const { saveFixResult } = await import('../../runs/workflow/save-fix.ts');
  if (await saveFixResult({ run, file: resolve(cwd, file), env, signal })) return;
  session.err(
    `${neutralise(file)} is not written: ${run.runId} has not ended; with --yes no gate waits for an answer\n`,
  );
}
