/** Tokens of a server, as its owner makes, lists and revokes them. */
import { z } from 'zod';
import { test } from '../place.ts';

const made = z.looseObject({ id: z.string(), token: z.string() });
const listed = z.array(z.looseObject({ id: z.string(), tenant: z.string(), label: z.string().nullable() }));

test('X002-27 a token is made, listed without its secret, and revoked, each told as JSON where that is asked for', async ({
  place,
  expect,
}) => {
  const token = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.collab(['serve', 'token', ...args]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  const { id, token: secret } = made.parse(
    JSON.parse(await token('create', '--tenant', 'acme', '--label', 'ci', '--json')),
  );
  const list = await token('list', '--json');
  expect(list).not.toContain(secret);
  expect(listed.parse(JSON.parse(list))).toMatchObject([{ id, tenant: 'acme', label: 'ci' }]);
  await token('revoke', id);
  expect(JSON.parse(await token('list', '--json'))).toEqual([]);
});
