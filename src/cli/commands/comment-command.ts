/** `collab comment`: carries out the command in a comment on a pull request. */
import type { Program } from '../program.ts';

interface CommentFlags {
  readonly output?: string;
  readonly finding?: string;
  readonly fix?: string;
}

const examples = `
Examples:
  collab comment pr:123 issuecomment-456
  collab comment pr:123 discussion_r789 --output "$GITHUB_OUTPUT" --finding finding.json
  collab comment pr:123 discussion_r789 --fix fix.json

It reads the comment by its id, and whether its author may write to the repository. Then it carries out the first line, once:
  /collab review                       writes action=review, base and head to --output, for the job that reviews
  /collab dismiss <number> <reason>    a Critical finding or a secret is refused
  /collab fix <number>                 writes action=fix and the finding, for collab fix --from finding.json --result fix.json in a job
                                       without a token; with --fix, its result becomes a suggestion or a branch collab/fix-...
Any other line that begins with /collab gets one answer with these forms. Comments of programs, and of people who may not write, get none.

Exit codes: 0 carried out, answered or ignored; 2 wrong arguments; 4 the host refused it
`;

export function addCommentCommand({ root, run }: Program): void {
  root
    .command('comment')
    .description('carry out the command in a comment on a pull request')
    .argument('<pull-request>', 'pr:123, or the address of its page')
    .argument('<comment>', 'its id: issuecomment-456, discussion_r789, note_12')
    .option('--output <file>', 'append what the next job must do, as key=value')
    .option('--finding <file>', 'write the finding that a comment wants fixed')
    .option('--fix <file>', 'publish the result of that fix')
    .addHelpText('after', examples)
    .action((words: string, comment: string, flags: CommentFlags) => {
      run(async (session) => {
        const { carryOutComment } = await import('../../runs/publish/carry-out-comment.ts');
        const { output = null, finding = null, fix = null } = flags;
        const { waitTeller } = await import('../driving/place-of.ts');
        const place = { ...session, tellWait: waitTeller(session) };
        session.out(await carryOutComment({ words, comment, output, finding, fix }, place));
        return 0;
      });
    });
}
