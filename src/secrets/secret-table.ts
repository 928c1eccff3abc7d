/** The only table of secrets; a row decides what is masked, the severity of its report, and who may reject that. */
import { commandSecrets } from './command-secrets.ts';
import { cookieSecrets } from './cookie-secrets.ts';
import { namedSecrets } from './named-secrets.ts';
import { placedSecrets } from './placed-secrets.ts';
import type { SecretPlace, SecretShape } from './secret-shape.ts';
import { vendorSecrets } from './vendor-secrets.ts';

/** Private keys span several lines: their scanner finds them, and this row applies to them. */
export const privateKeyRule: Pick<SecretShape, 'rule' | 'report' | 'rejectable'> = {
  rule: 'private_key',
  // Keys for tests are committed on purpose, and a certificate beside them shows it.
  report: (_candidate, { inTests }: SecretPlace) => (inTests ? 'important' : 'critical'),
  rejectable: 'never',
};

export const secretTable: readonly SecretShape[] = [
  ...vendorSecrets,
  ...placedSecrets,
  ...cookieSecrets,
  ...commandSecrets,
  ...namedSecrets,
];

/** One search before any shape is tried: a line without any of the hints holds no secret. */
export const secretHint = new RegExp(
  [...new Set(['PRIVATE KEY', ...secretTable.map((row) => row.hint)])].join('|'),
);
