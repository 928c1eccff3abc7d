/** Recognizes files that usually hold secrets, by their names alone. */

/** Returns true for `.env`, private keys, and the files in which common programs keep passwords and tokens. */
export function isSecretFile(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  return names.test(name) && !samples.test(name);
}

const names = new RegExp(
  [
    String.raw`^\.env(?:\..*|rc)?$`,
    String.raw`\.(?:env|pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|tfvars)$`,
    String.raw`^id_(?:rsa|dsa|ecdsa|ed25519)$`,
    String.raw`^\.(?:npmrc|pypirc|netrc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg)$`,
    String.raw`^(?:credentials|secrets?|service[-_]account.*)(?:\.(?:json|ya?ml|toml|ini))?$`,
  ].join('|'),
  'u',
);

/** Files that show the form of a secret file. */
const samples = /\.(?:example|sample|template|dist|defaults?)$|(?:example|sample|template)\.[^.]+$/u;
