/** Specification 000 hides errors; `--verbose` prints them, on standard error. */
import { example, test } from '../packed/place.ts';
import { modelName, openModel } from './model.ts';

test('X000-8.4 an error that the screen hides is printed with --verbose', async ({ place, expect }) => {
  const { env } = await openModel(place, { status: 401, message: 'no such key' });
  const args = ['review', example('harmless.diff'), '--advisor', modelName, '--verbose'];
  const { code, stdout, stderr } = await place.collab(args, { env });
  expect(code).toBe(4);
  expect(stdout).toMatch(/^failed — /m);
  expect(stderr).toMatch(/^[^\n]*no such key[^\n]*$/m);
});
