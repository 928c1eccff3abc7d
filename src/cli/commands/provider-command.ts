/** `collab provider`: lists the providers, and checks whether a user's own one meets the contract. */
import type { Program } from '../program.ts';

interface ListFlags {
  readonly json?: boolean;
  readonly config?: string;
}

export function addProviderCommand({ root, run }: Program): void {
  const provider = root.command('provider').description('list the providers, or check your own');
  provider
    .command('list')
    .description('list the providers: roles, login, models, and missing parts')
    .option('--json', 'print JSON')
    .option('--config <file>', 'use this configuration file instead of collab.config.yaml')
    .addHelpText('after', '\nExample:\n  collab provider list --json\n')
    .action((flags: ListFlags) => {
      run(async (session) => {
        const { listProviders } = await import('../setup/provider-list.ts');
        return listProviders(session, flags);
      });
    });
  provider
    .command('check')
    .description('check a provider against the contract; runs its code')
    .argument('<folder>', 'such as ./ai_client/echo, or the name of a built-in provider')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  collab provider check ./ai_client/echo\n  collab provider check codex\n',
    )
    .action((folder: string, flags: { readonly json?: boolean }) => {
      run(async (session) => {
        const { checkProvider } = await import('../setup/provider-check.ts');
        return checkProvider(session, folder, flags);
      });
    });
}
