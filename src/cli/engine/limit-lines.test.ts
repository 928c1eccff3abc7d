import { expect, test } from 'vitest';
import { limitFields, renderLimits } from './limit-lines.ts';
import { acme, ownTenant } from './tenant-limits.test-helper.ts';

const local = { ...ownTenant, driven: 2 };
const anthropic = { provider: 'anthropic', callsPerMinute: 60 };

test('each tenant and each provider has a line; only a budget shows what is used', () => {
  expect(renderLimits({ tenants: [acme, local], providers: [anthropic] })).toBe(
    [
      'acme: share 2, 3 of 200 queued, 1 run at work, $1.50 of $50 used today\n',
      'local: share 1, 3 of 200 queued, 2 runs at work\n',
      'anthropic: 60 calls a minute\n',
    ].join(''),
  );
  expect(renderLimits({ tenants: [], providers: [] })).toBe('no limits are set, and no run waits\n');
});

test('programs read the same by name; no budget is null', () => {
  const fields = { share: 2, most_queued: 200, usd_per_day: 50, usd_today: 1.5, queued: 3, driven: 1 };
  expect(limitFields({ tenants: [acme, local], providers: [anthropic] })).toEqual({
    tenants: [
      { tenant: 'acme', ...fields },
      { tenant: 'local', ...fields, share: 1, usd_per_day: null, driven: 2 },
    ],
    providers: [{ provider: 'anthropic', calls_per_minute: 60 }],
  });
});
