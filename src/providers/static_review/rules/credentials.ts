/** Rules for secrets, their weak protection, and unverified connections. */
import type { Rule } from '../rule.ts';
import { syntaxMatch, textMatch } from './matchers.ts';

const secretName = '(?i)(token|secret|password|session_?id|nonce|otp|salt|api_?key|csrf|code$)';

export const credentialRules: readonly Rule[] = [
  {
    name: 'secret-fallback',
    severity: 'critical',
    title: 'A secret has a default in the source',
    why: 'If the variable is missing, the service runs with a secret that anyone can read.',
    fix: 'Let the program fail at its start if the variable is missing.',
    exemptTests: true,
    matches: [
      syntaxMatch(/process\.env/, ['process.env.$NAME || $DEFAULT', 'process.env.$NAME ?? $DEFAULT'], {
        constraints: {
          NAME: { regex: '(SECRET|PASSWORD|PASSWD|TOKEN|PRIVATE_KEY|API_KEY|SIGNING_KEY)' },
          DEFAULT: { kind: 'string', regex: '^.{3,}$' },
        },
      }),
      textMatch(
        ['python'],
        /(os\.environ\.get|os\.getenv)\(\s*['"]\w*(SECRET|PASSWORD|TOKEN|PRIVATE_KEY|API_KEY)\w*['"]\s*,\s*['"][^'"]+['"]/,
      ),
    ],
  },
  {
    name: 'insecure-random',
    severity: 'critical',
    title: 'A secret value is made with a predictable generator',
    why: 'The generator can be predicted from a few of its values, so the next token can be guessed.',
    fix: 'Use crypto.randomBytes, crypto.randomUUID or the secrets module.',
    matches: [
      syntaxMatch(/Math\.random/, {
        any: [
          {
            kind: 'variable_declarator',
            all: [
              { has: { field: 'name', regex: secretName } },
              { has: { field: 'value', regex: 'Math\\.random\\(\\)' } },
            ],
          },
          {
            kind: 'assignment_expression',
            all: [
              { has: { field: 'left', regex: secretName } },
              { has: { field: 'right', regex: 'Math\\.random\\(\\)' } },
            ],
          },
          {
            kind: 'pair',
            all: [
              { has: { field: 'key', regex: secretName } },
              { has: { field: 'value', regex: 'Math\\.random\\(\\)' } },
            ],
          },
        ],
      }),
      textMatch(
        ['python'],
        /\b\w*(token|secret|password|nonce|otp|salt)\w*\s*=.*\brandom\.(choice|randint|random|choices)\(/i,
      ),
    ],
  },
  {
    name: 'weak-password-hash',
    severity: 'critical',
    title: 'A password is hashed with MD5 or SHA-1',
    why: 'Billions of guesses a second are possible: a stolen table is as good as plain text.',
    fix: 'Use scrypt, argon2 or bcrypt with a salt of its own for each password.',
    matches: [
      syntaxMatch(/\bcreateHash\b/, ['$HASH.update($VALUE)', '$HASH.update($VALUE, $ENCODING)'], {
        constraints: {
          HASH: { regex: `createHash\\(\\s*['"\`](?i)(md5|sha1)['"\`]` },
          VALUE: { regex: '(?i)(password|passwd|pwd|passphrase|\\bpin\\b)' },
        },
      }),
      textMatch(
        ['python', 'php', 'ruby', 'java'],
        /(\bhashlib\.)?\b(md5|sha1)\s*\(\s*\$?\w*(password|passwd|pwd)\w*/i,
      ),
    ],
  },
  {
    name: 'tls-verification-off',
    severity: 'critical',
    title: 'The check of the server certificate is switched off',
    why: 'Anyone on the network path can read and change everything that is sent, including credentials.',
    fix: 'Leave the check on; trust a private authority by naming its certificate.',
    matches: [
      syntaxMatch(/rejectUnauthorized|strictSSL|NODE_TLS_REJECT_UNAUTHORIZED/, {
        kind: 'pair',
        regex: `^['"]?(rejectUnauthorized|strictSSL)['"]?\\s*:\\s*false$`,
      }),
      syntaxMatch(
        /rejectUnauthorized|strictSSL|NODE_TLS_REJECT_UNAUTHORIZED/,
        'process.env.NODE_TLS_REJECT_UNAUTHORIZED = $VALUE',
        { constraints: { VALUE: { regex: `^['"]?0['"]?$` } } },
      ),
      textMatch(
        ['python'],
        /\.\w+\(.*\bverify\s*=\s*False\b|^\s*verify\s*=\s*False\s*,?\s*\)?$|\.verify\s*=\s*False\b|_create_unverified_context|\b(verify_mode|cert_reqs)\s*=\s*['"]?(ssl\.)?CERT_NONE/,
      ),
      textMatch(['go'], /InsecureSkipVerify:\s*true/),
      textMatch(
        ['shell', 'docker', 'yaml', 'settings'],
        /\bcurl\s(?:[^|;&]*\s)?(-[a-zA-Z]*k[a-zA-Z]*|--insecure)\b|--no-check-certificate|NODE_TLS_REJECT_UNAUTHORIZED['"]?\s*[:=]\s*['"]?0|sslVerify\s*=?\s*false|strict-ssl\s*=\s*false/,
      ),
    ],
  },
  {
    name: 'unsigned-token-accepted',
    severity: 'critical',
    title: 'Tokens without a signature are accepted',
    why: 'Anyone can write such a token and claim any identity.',
    fix: 'Name the one algorithm that is used to sign.',
    matches: [
      syntaxMatch(/\balgorithms?\b/, {
        kind: 'pair',
        regex: `^['"]?algorithms?['"]?\\s*:\\s*(\\[[^\\]]*)?['"]none['"]`,
      }),
      textMatch(['python'], /algorithms?\s*=\s*\[?[^\])]*['"]none['"]|verify_signature['"]\s*:\s*False/i),
    ],
  },
  {
    name: 'script-readable-cookie',
    severity: 'important',
    title: 'A cookie is made readable for scripts',
    why: 'One injected script can take the session with it.',
    fix: 'Set httpOnly to true; give scripts what they need in another way.',
    matches: [syntaxMatch(/\bhttpOnly\b/, { kind: 'pair', regex: `^['"]?httpOnly['"]?\\s*:\\s*false$` })],
  },
  {
    name: 'plain-http-with-credentials',
    severity: 'important',
    title: 'Credentials are sent over plain http',
    why: 'Anyone on the network path can read them.',
    fix: 'Use https.',
    exemptTests: true,
    matches: [
      textMatch(
        'code',
        /http:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|[\w.-]*\bexample\.(?:com|org|net)\b|[\w-]+[:/]|[\w.-]+\.(?:local|localhost|internal)\b)[\w.-]+[^\s'"`]*[?&/](?:password|passwd|token|api_?key|secret|login|auth|oauth)\b/i,
        { strings: 'read' },
      ),
      textMatch(
        ['shell'],
        /\bcurl\s.*(-u\s|--user\s|Authorization:).*\shttp:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\])/,
      ),
    ],
  },
];
