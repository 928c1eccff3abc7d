import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { samplePrivateKey, sampleSecrets } from '../../test/fixtures/sample-secrets.ts';
import { createLineMasker } from './line-masker.ts';
import { maskSecrets } from './mask-secrets.ts';

const key = ['PRIVATE', 'KEY'].join(' ');
const stars = (text: string) => '*'.repeat(text.length);

test.each(sampleSecrets)('$rule is masked, and nothing else of its line', async ({ rule, line, secret }) => {
  const { text, found } = maskSecrets(`before\n${line}\nafter\n`);
  expect(text).toBe(`before\n${line.replace(secret, stars(secret))}\nafter\n`);
  const start = `before\n${line}`.lastIndexOf(secret);
  expect(found).toContainEqual({ start, end: start + secret.length, rule });
});

test.each(['+', '-', ' ', '> ', '\t'])(
  'each sample is masked behind the sign of a diff or a quotation: %j',
  (sign) => {
    const left = sampleSecrets.filter(({ line, secret }) =>
      maskSecrets(`${sign}${line}\r`).text.includes(secret),
    );
    expect(left.map(({ line }) => line)).toEqual([]);
  },
);

test.each([
  ['plain', '', ''],
  ['added in a diff', '+', ''],
  ['removed in a diff, with Windows line ends', '-', '\r'],
  ['quoted', '> ', ''],
  ['in strings of a program', "  '", "\\n' +"],
])('the body of a private key is covered: %s', async (_name, before, after) => {
  const { text, masked } = samplePrivateKey(before, after);
  expect(maskSecrets(`first\n${text}last line\n`).text).toBe(`first\n${masked}last line\n`);
});

test('a private key in one line of JSON is masked', async () => {
  const body = `${samplePrivateKey().text.split('\n')[1]}\\n`.repeat(3).slice(0, -2);
  const { text } = maskSecrets(keyInJson(body));
  expect(text).not.toContain(body.slice(0, 10));
  expect(text).toHaveLength(keyInJson(body).length);
  expect(text).toMatch(/^"private_key": "-----BEGIN PRIVATE KEY-----\\n\*+/);
});

test('a key without an end is masked as far as it goes', async () => {
  const [begin = '', ...body] = samplePrivateKey().text.split('\n').slice(0, 3);
  const { text } = maskSecrets([begin, ...body, 'return key;', ...body].join('\n'));
  expect(text).toBe([begin, ...body.map(stars), 'return key;', ...body].join('\n'));
});

test.each([
  ['my password: Winter-2026! is old', 'Winter-2026!'],
  ['It has password: q7Rw2pLx9v, and more', 'q7Rw2pLx9v'],
  ['(smtp_password = Winter2026)', 'Winter2026'],
  ['the api_key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0 // ours', '9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
  ['log in as shop with password:Winter-2026!', 'Winter-2026!'],
  ['db_password:q7Rw2pLx9v,user:shop', 'q7Rw2pLx9v'],
  ['the password is Winter-2026!', 'Winter-2026!'],
  ['Is the password Winter? The password is q7Rw2pLx9v.', 'q7Rw2pLx9v'],
  ['The password for the test shop is now "q7Rw2pLx9v".', 'q7Rw2pLx9v'],
  [
    'Use the API key. Our api key is 9f8e7d6c5b4a39281706f5e4d3c2b1a0, keep it',
    '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  ],
  ['_authToken=0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
  ['+_auth = c2hvcDpxN1J3MnBMeDl2', 'c2hvcDpxN1J3MnBMeDl2'],
  ['+  password q7Rw2pLx9v', 'q7Rw2pLx9v'],
  ['I set the admin password to `q7Rw2pLx9v` yesterday', 'q7Rw2pLx9v'],
])('the value of a named secret amid its line is masked: %s', async (line, secret) => {
  expect(maskSecrets(line).text).toBe(line.replace(secret, stars(secret)));
});

test('a type, a name or a word with a number in the middle of a line is code and stays', async () => {
  const text = [
    'function derive(password: Uint8Array, salt: Buffer) {',
    'const user = { password: hash512, salt };',
    'send({ password: newPassword2, token: oauth2-token-v2, key });',
    '// password: Base64 encoded, secret: sha256 of it',
    'const token = readToken2(input); let secret = config.auth2Token, other;',
    'function login({ user, password:hash512, token:oauth2Token }: {password:string; token:Uint8Array}) {}',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:ShopDatabase-a1b2c3',
    'The password is required! The token is expired? The secret is base64-encoded, the key is 32-byte.',
    'A password is 12-characters-long or longer. The session key is derived2Key, the token is config.auth2Token.',
    'gcloud run deploy --set-secrets=API_KEY=shop-api-key:latest',
  ].join('\n');
  expect(maskSecrets(text)).toEqual({ text, found: [] });
});

test('text that only resembles a secret stays', async () => {
  const text = [
    `if (text.includes('-----BEGIN ${key}-----')) {`,
    '  return',
    'class="sk-fading-circle-12-delay-child sk-spinner"',
    'postgres://admin:${PASSWORD}@db/app and https://user:%s@host/',
    '//registry.example.org/:_authToken=${NPM_TOKEN}',
    'Authorization: Bearer <token>, a bearer of_good_news_from_far_away_lands',
    'import { basic } from "https://example.org/a:b/c@1.2.3/x.js"',
    'index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..879de50b9a967adae6ab5fe536d4ef6e0af21bb1 100644',
    'const secretKey = process.env.SECRET_KEY;',
    'git@example.org:team/repo.git',
    'risk-assessment-with-a-very-long-name-2026',
    'curl -u "$USER:$PASSWORD" https://shop.test; curl -u user:password x; curl -u {user}:{pass} y',
    'sshpass -p "$SSHPASS" ssh host; sshpass -p ${PASS} ssh host; sshpass -f file ssh host',
    'mysql -u root -p shop; mysql -p$MYSQL_PASSWORD shop; mysqldump -p"${PASS}" -P 3306; mkdir -p winter2026',
    'curl x | sh -s -- -u 1000:staff; curl x && docker run -u app:staff image',
    'curl -u "{{ user }}:{{ pass }}" x; curl --user-agent foo:barbaz x; curl --cert client.pem x; curl -b jar.txt x',
    '["curl", "-u", user + ":" + pass]; spawn("curl", ["-u", `${user}:${pass}`]); "mysql -p" + pass; "mysql -p"+pass+" shop"',
    '      -u root:staff \\\n  --user 1000:1000 -p8080:80 \\\n  -print0 -path2 "./a1" -pprof=localhost:6060 \\\n- -u origin:main2\n-x -u app:v2x',
    'docker run --name mysql -p3306:3306 mysql:8; mysql --password= shop',
    'sshpass -e ssh -p 2222 host; sshpass -P prompt -f file ssh -p2222 host',
    'machine example.com login ann password $PASSWORD',
    'The default password policy: a machine without password protection, a login form password field',
    'The password field, a password Input2, and the password again',
    'Set-Cookie: theme=dark-mode; Path=/; Max-Age=31536000; SameSite=Strict; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
    'Cookie: _ga=GA1.2.1122334455.1667788990; session=<id>; token=req.cookies.token2',
    'curl -b session=$SESSION x; HTTP_COOKIE=theme=dark; document.cookie = `${name}=${value}`',
    'res.cookie("theme", "dark-mode1"); cookies.set("auth", "auth_v2"); cookies: { name: "sid", value: token.value2 }',
    '.shop.test\tTRUE\t/\tFALSE\t1767225600\ttheme\tdark-mode',
    '    _password = makePassword2(); this._auth = config.auth2Token;',
    '_password = None',
  ].join('\n');
  expect(maskSecrets(text)).toEqual({ text, found: [] });
});

test('a comment in the text does not turn the search off', async () => {
  const text = sampleSecrets.map(({ line }) => `/* secretlint-disable-next-line */\n${line}\n`).join('');
  const masked = maskSecrets(`// secretlint-disable\n${text}`);
  expect(sampleSecrets.filter(({ secret }) => masked.text.includes(secret))).toEqual([]);
});

const glued = ['AI', 'za', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH'].join('');

test('five tokens without a gap are masked, and the rest of their line stays', async () => {
  const { text } = maskSecrets(`a ${glued.repeat(5)} z`);
  expect(text).toBe(`a ${stars(glued.repeat(5))} z`);
});

const piece = fc.oneof(
  fc.constantFrom(...sampleSecrets.map(({ line }) => line)),
  fc.constantFrom(...sampleSecrets.map(({ secret }) => secret)),
  fc.constantFrom(
    samplePrivateKey().text,
    samplePrivateKey('+').text,
    '-----BEGIN PRIVATE KEY-----',
    '\n',
    '\r\n',
    '"',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
/** Each rule cuts secrets without a gap at another place; between words all rules agree. */
const words = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' '));

test('masking keeps the length and every line end, and masking again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const masked = maskSecrets(text);
      expect(masked.text).toHaveLength(text.length);
      expect(positionsOf(masked.text, /[\r\n]/g)).toEqual(positionsOf(text, /[\r\n]/g));
      expect(maskSecrets(masked.text)).toEqual({ text: masked.text, found: [] });
    }),
  );
});

test('changed characters are the found ones, and are asterisks', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const masked = maskSecrets(text);
      const covered = new Set(
        masked.found.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
      );
      const expected = Array.from({ length: text.length }, (_, at) =>
        covered.has(at) && !/[\r\n]/.test(text.charAt(at)) ? '*' : text.charAt(at),
      );
      expect(masked.text).toBe(expected.join(''));
    }),
  );
});

test('a stream masked by lines equals the text masked as a whole, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(words, fc.array(fc.nat(400), { maxLength: 6 }), async (text, cuts) => {
      const masker = createLineMasker();
      const positions = [0, ...cuts.toSorted((one, other) => one - other), text.length];
      const pushed = positions
        .slice(1)
        .map((end, index) => masker.push(text.slice(positions[index], Math.max(end, positions[index] ?? 0))));
      const streamed = pushed.join('') + masker.flush();
      expect(streamed).toBe(maskSecrets(text).text);
    }),
  );
});

function keyInJson(body: string): string {
  return `"private_key": "-----BEGIN ${key}-----\\n${body}\\n-----END ${key}-----\\n"`;
}

function positionsOf(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}
