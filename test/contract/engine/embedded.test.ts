import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedStore } from '../../../src/engine/store/embedded-store.ts';
import { openEngine } from '../../../src/runs/engine/open-engine.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { testDrives } from './drive-contract.ts';
import { testEngine } from './engine-contract.ts';
import { createLateStore } from './late-store.ts';
import { testStart } from './start-contract.ts';
import { testOtherProcesses } from './outside-contract.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const embedded: StoreUnderTest = {
  name: 'embedded',
  store: embeddedStore,
  other: embeddedStore,
  takeFrom: async (runFolder) => writeFileSync(join(runFolder, 'lock.2'), '{"socket":"/nowhere","pid":1}'),
};

testStart('embedded', async () => openEngine({ clock: systemClock }));

for (const under of [embedded, { ...embedded, name: 'late', store: createLateStore().store }]) {
  testDrives(under);
  testOtherProcesses(under);
  testEngine(under);
}
