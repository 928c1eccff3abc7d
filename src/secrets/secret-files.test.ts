import { expect, test } from 'vitest';
import { isSecretFile } from './secret-files.ts';

test('files that usually hold secrets are recognized by their names', () => {
  const secret = [
    '.env',
    'app/.env.local',
    '.ENV',
    'prod.env',
    'keys/server.pem',
    'id_rsa',
    'deploy/id_ed25519',
    '.npmrc',
    '.netrc',
    'credentials.json',
    'config/secrets.yaml',
    'service-account-prod.json',
    'prod.tfvars',
  ];
  expect(secret.filter((path) => !isSecretFile(path))).toEqual([]);
});

test('samples, public keys and code are not', () => {
  const harmless = [
    '.env.example',
    '.env.sample',
    'example.env',
    'id_rsa.pub',
    'src/env.ts',
    'src/secrets/secret-files.ts',
    'keyboard.md',
    'environment.yaml',
    'id_rsa/README.md',
    '.envoy/README.md',
  ];
  expect(harmless.filter(isSecretFile)).toEqual([]);
});
