/** `collab review`: reviews a change and reports an honest outcome. */
import { addDisplayFlags } from '../flags/go-on-flags.ts';
import { presentStart } from '../driving/present-start.ts';
import { addConfigurationFlags, addSettingFlags, collected, NamedOption } from '../flags/setting-flags.ts';
import { addRemoteFlags, priorityOption } from '../engine/remote-flags.ts';
import { formatOption } from '../flags/format-option.ts';
import { reviewLine, type ReviewFlags } from '../flags/start-lines.ts';
import type { Program } from '../program.ts';

const examples = `
Examples:
  collab review                          the changes in this repository, new files included
  collab review fix.diff                 a diff file; - reads standard input
  collab review main...HEAD              a range, as a pull request shows it
  collab review pr:123                   a pull request; the address of its page works too
  collab review branch:topic -- src      a branch since it left the main one, and only the folder src
  collab review --staged --fail-on important
  collab review --base origin/main --report json=review.json --report markdown=review.md
  collab review --base origin/main --baseline main.json      only new findings can fail it
  collab review --plan                   the scope of the review, without calling an agent

Exit codes: 0 clean or below --fail-on, 1 findings, 2 usage, 3 incomplete, 4 failed, 10 waiting for an answer, 130 interrupted
`;

export function addReviewCommand({ root, run }: Program): void {
  const command = root
    .command('review')
    .description('review a change: a diff file, a range, a pull request, or the working tree')
    .argument('[change]', 'a diff file, -, a...b, pr:<n>, a URL, branch:<name> (default: the working tree)')
    .option('--base <ref>', 'review the changes of this branch since <ref>')
    .option('--staged', 'review the staged changes')
    .option('--commit <sha>', 'review one commit')
    .addOption(
      new NamedOption(
        'paths',
        '--path <path>',
        'review only this file or folder; repeatable; also -- <path>...',
      ).argParser(collected),
    );
  addSettingFlags(command, 'review')
    .option('--ask', 'answer the advisor yourself, at the terminal')
    .option('--baseline <file>', 'do not count the findings of an earlier result (json)')
    .addOption(
      new NamedOption(
        'pr_text',
        '--pr-text <file>',
        'show the reviewer this text of the pull request; - reads standard input',
      ),
    )
    .addOption(
      new NamedOption(
        'evidence',
        '--evidence <file>',
        'show results of checks: SARIF, JUnit or text; repeatable',
      ).argParser(collected),
    )
    .addOption(
      new NamedOption(
        'imports',
        '--import <file>',
        'check and merge findings of another tool: SARIF; repeatable',
      ).argParser(collected),
    )
    .addOption(formatOption())
    .option('--plan', 'show the scope and estimated tokens without calling an agent')
    .option('--show-prompt', 'with --plan: print the prompts');
  addRemoteFlags(command, 'let a worker review it, through the database').addOption(priorityOption());
  addDisplayFlags(addConfigurationFlags(command))
    .addHelpText('after', examples)
    .action((change: string | undefined, flags: ReviewFlags) => {
      const line = reviewLine(change, flags);
      run((session, defaults) => presentStart(session, line, defaults), line);
    });
}
