/** `collab serve token`: manages who may use a server of this folder from another machine, by tenant. */
import type { Command } from 'commander';
import { tools } from '../../access/actions.ts';
import {
  grantsHelp,
  neededGrants,
  ownerGrant,
  parseGrant,
  whyNotGranted,
} from '../../access/grant-syntax.ts';
import { localTenant } from '../../access/speaker.ts';
import { nearest } from '../../text/nearest.ts';
import { takesDuration } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

interface ListFlags {
  readonly json?: boolean;
}

interface CreateFlags extends ListFlags {
  readonly tenant: string;
  readonly label?: string;
  readonly expires?: number;
  readonly may?: readonly string[];
}

const createExamples = `
Examples:
  collab serve token create --tenant acme
  COLLAB_TOKEN=$(collab serve token create --tenant acme --label ci --expires 720h)
  collab serve token create --tenant acme --may run,tool:Read,lead:claude_code,repo:shop
  collab serve token create --tenant local --may owner

A tenant may send diffs for review and converse with a bare model without tools. --may grants more, by name: run, apply,
tool:<name>, lead:<provider>, advisor:<provider>, repo:<name of the served folder>. A token of "local" is for yourself: it has all rights, and --may owner says so.

The command prints the token once, on standard output. collab stores only a digest, outside the folder and every repository.
`;

/** Commander gives a `--json` after these commands to `serve`: they look for it there as well. */
export function addServeTokenCommands(serve: Command, { run }: Pick<Program, 'run'>): void {
  const token = serve.command('token').description("create, list and revoke tokens of this folder's server");
  token
    .command('create')
    .description('create a token for one tenant')
    .requiredOption('--tenant <name>', 'choose the tenant; "local" is that of the command line')
    .option('--label <text>', 'set a label for the list')
    .option(
      '--expires <duration>',
      'limit its validity, e.g. to 720h (default: until revoked)',
      takesDuration('--expires'),
    )
    .option('--may <grants>', 'grant more to the tenant, e.g. run,tool:Read,repo:shop', takesGrants)
    .option('--json', 'print JSON')
    .addHelpText('after', createExamples)
    .action((_flags, command: Command) =>
      run((session) => createToken(session, command.optsWithGlobals<CreateFlags>())),
    );
  token
    .command('list')
    .description('list the valid tokens')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab serve token list --json\n')
    .action((_flags, command: Command) =>
      run((session) => listTokens(session, command.optsWithGlobals<ListFlags>())),
    );
  token
    .command('revoke')
    .description('revoke a token and end its sessions')
    .argument('<id>', 'the id from the list, or the token itself')
    .addHelpText('after', '\nExample:\n  collab serve token revoke k3v9x2m7qa\n')
    .action((id: string) => run((session) => revokeToken(session, id)));
}

async function createToken(
  session: Session,
  { tenant, label, expires, may: grants = [], json }: CreateFlags,
): Promise<number> {
  const { CollabError } = await import('../../errors/collab-error.ts');
  const { idPattern } = await import('../../server/routes/ids.ts');
  if (!idPattern.test(tenant)) {
    throw new CollabError('usage', `--tenant needs a name, not ${JSON.stringify(tenant.slice(0, 150))}`, {
      hint: 'use 1 to 128 letters, digits, dots, underscores and hyphens',
    });
  }
  await checkGrants(session, tenant, grants);
  const tokens = await openTokens(session);
  const { credential, secret } = tokens.create({
    tenant,
    grants,
    label: label ?? null,
    expiresInMs: expires ?? null,
  });
  if (json === true) session.out(renderJson({ ...linesOf(credential), token: secret }));
  else {
    session.out(`${secret}\n`);
    session.err(
      `for the tenant ${tenant}, which may ${grantsOf(credential)}; revoke it with: collab serve token revoke ${credential.id}\n`,
    );
  }
  return 0;
}

async function listTokens(session: Session, { json }: ListFlags): Promise<number> {
  const { neutralise } = await import('../../text/neutralise.ts');
  const tokens = (await openTokens(session)).list().map(linesOf);
  if (json === true) {
    session.out(renderJson(tokens));
    return 0;
  }
  if (tokens.length === 0) session.out('no tokens; create one: collab serve token create --tenant <name>\n');
  for (const token of tokens) {
    const { id, tenant, label, expires_at: until } = token;
    const facts = [id, tenant.padEnd(12), until ?? 'until revoked', grantsOf(token), neutralise(label ?? '')];
    session.out(`${facts.join('  ').trimEnd()}\n`);
  }
  return 0;
}

async function revokeToken(session: Session, named: string): Promise<number> {
  const { credentialId } = await import('../../server/access/tokens-and-sessions.ts');
  const tokens = await openTokens(session);
  const id = credentialId(named);
  if (tokens.revoke(id)) {
    session.out(`${id} is revoked\n`);
    return 0;
  }
  const { CollabError } = await import('../../errors/collab-error.ts');
  throw new CollabError('usage', `there is no token ${JSON.stringify(id.slice(0, 150))}`, {
    hint: 'list the tokens: collab serve token list',
  });
}

async function openTokens(session: Session) {
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { openCredentials } = await import('../../server/access/tokens-and-sessions.ts');
  const { openServerFolder } = await import('../../server/access/server-folder.ts');
  const folder = openServerFolder({ home: collabHome(session), env: session.env, clock: session.clock });
  return openCredentials(folder, 'token', session.clock);
}

function linesOf({ id, tenant, label, created_at, expires_at, grants }: TokenLine): TokenLine {
  return { id, tenant, label, created_at, expires_at, grants };
}

/** Describes what the tenant may do in addition to what every tenant may. */
function grantsOf({ tenant, grants }: Pick<TokenLine, 'tenant' | 'grants'>): string {
  if (tenant === localTenant) return grants.includes(ownerGrant) ? 'everything' : 'nothing (without owner)';
  return grants.length === 0 ? 'no more than every tenant' : grants.join(',');
}

/** Adds up repeated flags. */
function takesGrants(text: string, former: readonly string[] = []): readonly string[] {
  const grants = text.split(',').map((grant) => grant.trim());
  return [...new Set([...former, ...grants])];
}

/**
 * Refuses grants that give nothing, which only the tenant would notice, and requires `owner` by name for all rights.
 * @throws CollabError `usage`
 */
async function checkGrants(session: Session, tenant: string, grants: readonly string[]): Promise<void> {
  const { CollabError } = await import('../../errors/collab-error.ts');
  if (tenant === localTenant) {
    if (grants.length === 1 && grants[0] === ownerGrant) return;
    throw new CollabError('usage', 'a token of local has all rights of the command line', {
      hint: `For yourself: --tenant local --may ${ownerGrant}. For others, name another tenant.`,
    });
  }
  if (grants.includes(ownerGrant)) {
    throw new CollabError('usage', `--may ${ownerGrant} is for the tenant local, not for ${tenant}`, {
      hint: `Grant it by name: ${grantsHelp}.`,
    });
  }
  if (grants.length === 0) return;
  const useless = unmetNeed(grants);
  if (useless !== null) {
    const [grant, needed] = useless;
    throw new CollabError('usage', `--may ${grant} gives nothing without ${needed}`, {
      hint: `Grant both: --may ${grant},${needed}`,
    });
  }
  const { repositoryName } = await import('../../config/load-config.ts');
  const { providerNames } = await import('../../providers/contract/registry.ts');
  const names: Readonly<Record<string, readonly string[]>> = {
    tool: Object.keys(tools),
    lead: providerNames.filter((name) => whyNotGranted(name) === null),
    advisor: providerNames.filter((name) => whyNotGranted(name) === null),
    repo: [repositoryName(session.cwd)],
  };
  for (const grant of grants) {
    const parsed = parseGrant(grant);
    if (parsed === null) {
      throw new CollabError('usage', `--may needs grants, not ${JSON.stringify(grant.slice(0, 150))}`, {
        hint: `Use ${grantsHelp}.`,
      });
    }
    const { kind, name } = parsed;
    const isAgent = kind === 'lead' || kind === 'advisor';
    const why = isAgent && name !== null ? whyNotGranted(name) : null;
    if (why !== null) {
      throw new CollabError('usage', `--may ${grant}: ${why}`, {
        hint: `Grant a provider, or one with its model: ${kind}:anthropic:<model>.`,
      });
    }
    const known = names[kind] ?? [];
    // A grant may include an agent's model: advisor:anthropic:<model>.
    if (name === null || known.includes(isAgent ? (name.split(':', 1)[0] ?? '') : name)) continue;
    const near = nearest(name, known);
    throw new CollabError('usage', `--may ${grant}: there is no ${whatIs[kind] ?? kind} ${name} here`, {
      hint: `${near === null ? '' : `Did you mean ${kind}:${near}? `}There are ${known.join(', ')}.`,
    });
  }
}

/** Returns a grant, and the missing one without which it gives nothing. */
function unmetNeed(grants: readonly string[]): readonly [string, string] | null {
  for (const [grant, needed] of Object.entries(neededGrants)) {
    const isThere = (given: string): boolean => given.split(':')[0] === needed.split(':')[0];
    if (grants.includes(grant) && !grants.some(isThere)) return [grant, needed];
  }
  return null;
}

const whatIs: Readonly<Record<string, string>> = {
  tool: 'tool',
  lead: 'provider',
  advisor: 'provider',
  repo: 'repository',
};

interface TokenLine {
  readonly id: string;
  readonly tenant: string;
  readonly label: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly grants: readonly string[];
}
