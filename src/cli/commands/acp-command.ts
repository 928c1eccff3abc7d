/** `collab acp`: serves an editor that speaks the Agent Client Protocol, over standard input and output. */
import type { Program } from '../program.ts';

const details = `
An editor starts this command as its agent. Its prompts are questions to the advisor, or commands: /review, /consult,
/run, /fix, /continue, /cancel, /help. Findings are shown with their places. Only you open a gate, in the editor's own
dialog. The server ends with the editor; runs continue in their own processes.

Example:
  collab acp
`;

export function addAcpCommand({ root, run, read }: Program): void {
  root
    .command('acp')
    .description('serve an editor over the Agent Client Protocol')
    .addHelpText('after', details)
    .action(() => {
      run(async (session) => (await import('../acp/serve-acp.ts')).serveAcp(session, read));
    });
}
