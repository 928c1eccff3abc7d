/** Lists every provider with what can be known without running third-party code. */
import { loadConfig } from '../../config/load-config.ts';
import type { Probe, Provider } from '../../providers/contract/contract.ts';
import type { FolderFault } from '../../providers/folders/folder-fault.ts';
import type { InspectedFolder } from '../../providers/folders/inspect-folder.ts';
import { inspectFolders } from '../../providers/folders/loader.ts';
import { readProfiles } from '../../providers/profiles/profile-folder.ts';
import { loadProvider, providerNames } from '../../providers/contract/registry.ts';
import { shippedProfileDir } from '../../providers/profiles/shipped-profiles.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { providerRoots } from '../../runs/start/chosen-providers.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

export interface ProviderLine {
  readonly name: string;
  /** `built in`, or the folder. */
  readonly origin: string;
  readonly roles: readonly string[];
  /** `null` if only its code knows. */
  readonly auth_mode: string | null;
  readonly ready: boolean;
  /** Missing parts, or a remark; null if there is nothing to say. */
  readonly missing: string | null;
  readonly models: readonly string[];
  readonly faults: readonly FolderFault[];
  readonly warnings: readonly FolderFault[];
}

export async function listProviders(
  session: Session,
  flags: { readonly json?: boolean; readonly config?: string },
): Promise<number> {
  const { config } = await loadConfig({
    cwd: session.cwd,
    env: session.env,
    ...(flags.config === undefined ? {} : { path: flags.config }),
  });
  const settings = flattenProviderSettings(config.providers);
  const own = await Promise.all(providerNames.map((name) => builtInLine(name, session, settings)));
  const folders = await inspectFolders(providerRoots(session, config), { taken: providerNames });
  const lines = [...own, ...folders.map((folder) => folderLine(folder, session))];
  if (flags.json === true) session.out(renderJson(lines));
  else {
    const { renderProviders } = await import('../lists/provider-rows.ts');
    const { printList } = await import('../lists/print-list.ts');
    printList(session, (width) => renderProviders(lines, width));
  }
  return 0;
}

async function builtInLine(
  name: string,
  { env, cwd, signal }: Session,
  settings: Readonly<Record<string, string>>,
): Promise<ProviderLine> {
  const provider: Provider = await loadProvider(name);
  const probe: Probe = await provider.probe({ env, cwd, settings, signal });
  return {
    name,
    origin: 'built in',
    roles: provider.roles,
    auth_mode: provider.authMode,
    ready: probe.ready,
    missing: probe.ready ? null : `${probe.message.replace(/\.$/, '')}. ${probe.hint}`,
    models: modelsIn(shippedProfileDir(name), name),
    faults: [],
    warnings: [],
  };
}

function modelsIn(folder: string, name: string): readonly string[] {
  return readProfiles(folder, name).flatMap(({ profile }) => profile?.basic_info.id ?? []);
}

function folderLine(
  { name, path, profiles, faults, warnings }: InspectedFolder,
  { env }: Session,
): ProviderLine {
  const variable = `${name.toUpperCase()}_API_KEY`;
  const hasKey = (env[variable] ?? '') !== '';
  const notes =
    faults.length > 0 ? countOf(faults) : hasKey ? null : `${variable} is not set, if it needs a key`;
  return {
    name,
    origin: path,
    roles: ['lead', 'advisor'],
    auth_mode: null,
    ready: faults.length === 0,
    missing: notes,
    models: profiles.map(({ basic_info }) => basic_info.id),
    faults,
    warnings,
  };
}

function countOf({ length }: readonly FolderFault[]): string {
  return `${length} ${length === 1 ? 'fault' : 'faults'}`;
}

export function renderFault({ code, path, expected, fix }: FolderFault): string {
  return `  ${code}: ${path}\n    expected: ${expected}\n    ${fix}`;
}
