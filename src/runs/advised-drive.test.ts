import { expect, test } from 'vitest';
import type { TurnRequest } from '../providers/contract/contract.ts';
import { Deferred } from '../system/deferred.ts';
import { advisedDrive } from './advised-drive.ts';

test('what dead runs left is cleared while the advisor thinks, and not before its prompt is sent', async () => {
  const steps: string[] = [];
  const cleared = new Deferred<void>();
  const folders = {
    clearDead: async () => {
      steps.push('cleared');
      cleared.resolve();
    },
  };
  const advisor = {
    async turn(request: TurnRequest) {
      await request.bind('session');
      steps.push('sent');
      await cleared.promise;
      steps.push('answered');
    },
  };
  const input = { settings: {}, advisor: { provider: 'codex' }, lead: null };
  const options = { input, clock: { now: () => 0 } };
  const parts = { folders, advisor, timeLimitMs: null };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const drive = advisedDrive(...([options, parts] as unknown as Parameters<typeof advisedDrive>));
  const bind = async () => void steps.push('bound');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  await drive.advisor.turn({ bind } as unknown as TurnRequest);
  expect(steps).toEqual(['bound', 'sent', 'cleared', 'answered']);
});
