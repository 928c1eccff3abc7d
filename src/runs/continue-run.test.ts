import { expect, test } from 'vitest';
import { embeddedStore } from '../engine/store/embedded-store.ts';
import { withoutFolder } from './continue-run.ts';

const place = { tenantId: 'acme', conversationId: 'c1' };

test.each([
  ['is named for the owner', {}, '/shop'],
  ['is named for the owner of a server', { where: { ...place, tenantId: 'local' } }, '/shop'],
  ['is not named for a tenant', { where: place }, ''],
  ['is not named if others read the run elsewhere', { store: embeddedStore }, ''],
  [
    'is not named elsewhere, of the owner, too',
    { store: embeddedStore, where: { ...place, tenantId: 'local' } },
    '',
  ],
])('the folder of a run %s', (_title, options, cwd) => {
  const started = { type: 'run.started', cwd: '/shop' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only part that changes
  expect(withoutFolder(started as Parameters<typeof withoutFolder>[0], options)).toEqual({ ...started, cwd });
});
