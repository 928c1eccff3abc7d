import { resolve } from 'node:path';
import { statSync } from 'node:fs';
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import { checkFolder, checkShipped, type CheckedFolder } from '../../providers/folders/check-folder.ts';
import { loadProvider, loadShippedClient, providerNames } from '../../providers/contract/registry.ts';
import { neutralise } from '../../text/neutralise.ts';
import { exitCodes } from '../exit-code.ts';
import { renderFault } from './provider-list.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

/**
 * Runs the whole checklist on a folder or a shipped provider; returns 1 if there are faults (X003-20).
 * @throws CollabError `input`
 */
export async function checkProvider(
  session: Session,
  folder: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const { name, path, faults, warnings, notes } = await check(session, folder);
  if (json) session.out(renderJson({ name, path, faults, warnings, notes }));
  else {
    const verdict = faults.length === 0 ? 'meets the contract' : `has faults: ${faults.length}`;
    const lines = [
      `${name} ${verdict}`,
      ...faults.map(renderFault),
      ...warnings.map((warning) => renderFault(warning).replace(/^ {2}/, '  warning: ')),
      ...notes.map((note) => `  ${note}`),
    ];
    session.out(`${neutralise(lines.join('\n'))}\n`);
  }
  return faults.length === 0 ? exitCodes.passed : exitCodes.findings;
}

/** A folder wins over a provider of the same name. */
async function check({ cwd, env, signal }: Session, text: string): Promise<CheckedFolder> {
  const path = resolve(cwd, text);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    return checkFolder(path, { taken: providerNames, patienceMs });
  }
  const Client = await loadShippedClient(text);
  if (Client === null) {
    const near = nearest(text, providerNames);
    throw new CollabError(
      'input',
      `${text} is not a folder${near === null ? '' : `; did you mean ${near}?`}`,
      {
        hint: `name a folder such as ./ai_client/echo, or a built-in provider: ${providerNames.join(', ')}`,
      },
    );
  }
  const probe = await (await loadProvider(text)).probe({ env, cwd, signal, settings: {} });
  if (!probe.ready && probe.code === 'cli_missing') {
    throw new CollabError('cli_missing', probe.message, { hint: probe.hint });
  }
  return checkShipped(text, Client, { patienceMs });
}

const patienceMs = 5000;
