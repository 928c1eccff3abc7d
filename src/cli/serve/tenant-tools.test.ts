import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Guest } from '../../access/speaker.ts';
import { defaultSettings, type Settings } from '../../config/settings-table.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import { sessionIn } from '../command.test-helper.ts';
import { lockedFor, ownFiles, toolSettingsFor } from './tenant-tools.ts';

const owner = { kind: 'owner' } as const;
const guest: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: [], isServerOpen: false };

test('a guest fetches from no private address; the owner may', () => {
  const web_fetch = { private_addresses: true, hosts: ['example.org'] };
  const settings = { ...defaultSettings.tools, web_fetch };
  expect(toolSettingsFor(owner, settings)).toBe(settings);
  expect(toolSettingsFor(guest, settings)).toEqual({
    ...settings,
    web_fetch: { ...web_fetch, private_addresses: false },
  });
  const without = { ...settings, web_fetch: null };
  expect(toolSettingsFor(guest, without)).toBe(without);
});

function commands(flags: Partial<ServeFlags> = {}) {
  const { session } = sessionIn({ root: '/shop', env: {} });
  return { session, flags: { port: 0, host: '127.0.0.1', ...flags } };
}

function loaded(
  changes: Partial<Settings> = {},
  userFile: string | null = null,
): Parameters<typeof ownFiles>[0] {
  return { config: { ...defaultSettings, ...changes }, userFile };
}

test('the own files of a server: its configurations, scripts, programs of agents and provider folders', () => {
  expect(ownFiles(loaded(), commands())).toEqual(['/shop/ai_client']);
  const config = {
    advisor: 'rehearsal:in-config.yaml',
    lead: 'codex',
    providers: { codex: { path: 'bin/codex', model: 'gpt' }, claude_code: { path: '/opt/claude' } },
    provider_paths: ['clients', '/far/clients'],
  };
  const flags = { config: 'mine.yaml', advisor: 'rehearsal:advisor.yaml', lead: 'rehearsal:/far/a\nb.yaml' };
  expect(ownFiles(loaded(config, '/home/me/collab.yaml'), commands(flags))).toEqual(
    [
      'mine.yaml',
      '/home/me/collab.yaml',
      'advisor.yaml',
      '/far/a\nb.yaml',
      'in-config.yaml',
      'bin/codex',
      '/opt/claude',
      'clients',
      '/far/clients',
    ].map((path) => (path.startsWith('/') ? path : join('/shop', path))),
  );
});

test('the own files are locked for a guest, and not for the owner', () => {
  expect(lockedFor(owner, loaded(), commands())).toEqual([]);
  expect(lockedFor(guest, loaded(), commands())).toEqual(['/shop/ai_client']);
});
