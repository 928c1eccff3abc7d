/** `collab doctor`: what can work here, and what to do about what cannot. */
import type { Program } from './program.ts';

export function addDoctorCommand({ root, run }: Program): void {
  root
    .command('doctor')
    .description('see which advisor can work here, and what is missing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab doctor\n')
    .action((flags: { readonly json?: boolean }) => {
      run(async (session) => {
        const { codexProvider } = await import('../providers/codex/codex_client.ts');
        const probe = await codexProvider.probe({
          env: session.env,
          cwd: session.cwd,
          settings: {},
          signal: session.signal,
        });
        session.out(`${JSON.stringify(probe)}${flags.json === true ? '' : ''}\n`);
        return 0;
      });
    });
}
