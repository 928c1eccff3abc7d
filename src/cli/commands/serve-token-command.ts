/** `collab serve token`: who may use a server of this folder from another machine, tenant by tenant. */
import type { Command } from 'commander';
import { takesDuration } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

interface ListFlags {
  readonly json?: boolean;
}

interface CreateFlags extends ListFlags {
  readonly tenant: string;
  readonly label?: string;
  readonly expires?: number;
}

const createExamples = `
Examples:
  collab serve token create --tenant acme
  COLLAB_TOKEN=$(collab serve token create --tenant acme --label ci --expires 720h)

The token is printed once, on standard output; only a digest of it is kept, outside of the folder and of every repository.
`;

/** `serve` has a `--json` of its own and takes theirs for it: they look for it there, too. */
export function addServeTokenCommands(serve: Command, { run }: Pick<Program, 'run'>): void {
  const token = serve
    .command('token')
    .description('make, list and revoke the tokens of this folder’s server');
  token
    .command('create')
    .description('make a token that opens one tenant')
    .requiredOption('--tenant <name>', 'whose conversations it opens; "local" are those of the command line')
    .option('--label <text>', 'what the list calls it')
    .option(
      '--expires <duration>',
      'how long it holds, e.g. 720h; without it: until it is revoked',
      takesDuration('--expires'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', createExamples)
    .action((_flags, command: Command) =>
      run((session) => createToken(session, command.optsWithGlobals<CreateFlags>())),
    );
  token
    .command('list')
    .description('list the tokens that hold')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab serve token list --json\n')
    .action((_flags, command: Command) =>
      run((session) => listTokens(session, command.optsWithGlobals<ListFlags>())),
    );
  token
    .command('revoke')
    .description('end a token, and every session that was begun with it')
    .argument('<id>', 'as the list names it; the token itself does as well')
    .addHelpText('after', '\nExample:\n  collab serve token revoke k3v9x2m7qa\n')
    .action((id: string) => run((session) => revokeToken(session, id)));
}

async function createToken(session: Session, { tenant, label, expires, json }: CreateFlags): Promise<number> {
  const { CollabError } = await import('../../errors/collab-error.ts');
  const { idPattern } = await import('../../server/routes/ids.ts');
  if (!idPattern.test(tenant)) {
    throw new CollabError('usage', `--tenant takes a name, not ${JSON.stringify(tenant.slice(0, 150))}`, {
      hint: '1 to 128 letters, digits, dots, underscores and hyphens',
    });
  }
  const tokens = await openTokens(session);
  const { credential, secret } = tokens.create({
    tenant,
    label: label ?? null,
    expiresInMs: expires ?? null,
  });
  if (json === true) session.out(`${JSON.stringify({ ...linesOf(credential), token: secret }, null, 2)}\n`);
  else {
    session.out(`${secret}\n`);
    session.err(
      `it opens the tenant ${tenant}; revoke it with: collab serve token revoke ${credential.id}\n`,
    );
  }
  return 0;
}

async function listTokens(session: Session, { json }: ListFlags): Promise<number> {
  const { neutralise } = await import('../../text/neutralise.ts');
  const tokens = (await openTokens(session)).list().map(linesOf);
  if (json === true) {
    session.out(`${JSON.stringify(tokens, null, 2)}\n`);
    return 0;
  }
  if (tokens.length === 0) session.out('no tokens: collab serve token create --tenant <name> makes one\n');
  for (const { id, tenant, label, expires_at: until } of tokens) {
    session.out(
      `${id}  ${tenant.padEnd(12)}  ${until ?? 'until revoked'}  ${neutralise(label ?? '')}`.trimEnd() + '\n',
    );
  }
  return 0;
}

async function revokeToken(session: Session, named: string): Promise<number> {
  const { credentialId } = await import('../../server/access/credentials.ts');
  const tokens = await openTokens(session);
  const id = credentialId(named);
  if (tokens.revoke(id)) {
    session.out(`${id} is revoked\n`);
    return 0;
  }
  const { CollabError } = await import('../../errors/collab-error.ts');
  throw new CollabError('usage', `there is no token ${JSON.stringify(id.slice(0, 150))}`, {
    hint: 'collab serve token list names them',
  });
}

async function openTokens(session: Session) {
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { openCredentials } = await import('../../server/access/credentials.ts');
  const { openServerFolder } = await import('../../server/access/server-folder.ts');
  const folder = openServerFolder({ home: collabHome(session), env: session.env, clock: session.clock });
  return openCredentials(folder, 'token', session.clock);
}

function linesOf({ id, tenant, label, created_at, expires_at }: TokenLine): TokenLine {
  return { id, tenant, label, created_at, expires_at };
}

interface TokenLine {
  readonly id: string;
  readonly tenant: string;
  readonly label: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}
