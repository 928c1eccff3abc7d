import { resolve } from 'node:path';
import { statSync } from 'node:fs';
import { CollabError } from '../errors/collab-error.ts';
import { checkFolder } from '../providers/check-folder.ts';
import { providerNames } from '../providers/registry.ts';
import { neutralise } from '../wire/neutralise.ts';
import { exitCodes } from './exit-code.ts';
import { renderFault } from './provider-list.ts';
import type { Session } from './session.ts';

/** The whole checklist over a folder; 1 where there are faults (X003-20). @throws CollabError `input` for no folder */
export async function checkProvider(
  session: Session,
  folder: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const path = resolve(session.cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CollabError('input', `${folder} is no folder`, { hint: 'name one such as ./ai_client/echo' });
  }
  const { name, faults, warnings, notes } = await checkFolder(path, { taken: providerNames, patienceMs });
  if (json) session.out(`${JSON.stringify({ name, path, faults, warnings, notes }, null, 2)}\n`);
  else {
    const verdict = faults.length === 0 ? 'keeps the contract' : `has faults: ${faults.length}`;
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

const patienceMs = 5000;
