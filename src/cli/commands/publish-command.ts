/** `collab publish`: brings a saved result to its pull request. */
import type { Program } from '../program.ts';

interface PublishFlags {
  readonly skipDrafts?: boolean;
}

const examples = `
Examples:
  collab review pr:123 --report json=review.json
  collab publish review.json pr:123

It posts one review with a comment for each new finding, resolves the threads of findings that are gone, replaces one
summary comment, and adds a check run or a commit status. It reads the token as collab review pr:123 does.

Exit codes: 0 published, or not anymore the reviewed head; 2 wrong arguments; 4 the host refused it
`;

export function addPublishCommand({ root, run }: Program): void {
  root
    .command('publish')
    .description('bring a saved result to its pull request')
    .argument('<result.json>', 'the result of a review')
    .argument('<pull-request>', 'pr:123, or the address of its page')
    .option('--skip-drafts', 'publish nothing on a draft')
    .addHelpText('after', examples)
    .action((file: string, words: string, flags: PublishFlags) => {
      run(async (session) => {
        const { publishResult } = await import('../../runs/publish/publish-result.ts');
        const request = { file, words, skipDrafts: flags.skipDrafts === true };
        const { waitTeller } = await import('../driving/place-of.ts');
        const tellWait = waitTeller(session);
        session.out(await publishResult(request, { ...session, tellWait }));
        return 0;
      });
    });
}
