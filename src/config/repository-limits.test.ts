import { expect, test } from 'vitest';
import type { Guest } from '../access/speaker.ts';
import { owner, repository } from '../access/speaker.ts';
import type { Effort } from '../tags/effort.ts';
import { lowerLimits } from './repository-limits.ts';
import { defaultSettings } from './settings-table.ts';

const guest: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: [], isServerOpen: false };

function effort(level: Effort) {
  return { ...defaultSettings, effort: level };
}

test.each([guest, repository])(
  '$kind lowers the effort and does not raise it: it costs the owner calls',
  (speaker) => {
    expect(lowerLimits(speaker, effort('standard'), effort('quick'))).toMatchObject({
      settings: { effort: 'quick' },
      raised: [],
    });
    expect(lowerLimits(speaker, effort('quick'), effort('standard'))).toMatchObject({
      settings: { effort: 'quick' },
      raised: ['effort'],
    });
  },
);

test('the owner raises the effort', () => {
  expect(lowerLimits(owner, effort('quick'), effort('standard'))).toMatchObject({
    settings: { effort: 'standard' },
    raised: [],
  });
});
