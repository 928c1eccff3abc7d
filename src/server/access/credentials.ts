/**
 * Secrets that let somebody in, each a file of its own that holds a digest and never the secret: making one is making a file,
 * revoking is removing it, and no two processes can be in each other's way.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { writeAtomically } from '../../runs/folder/run-folder.ts';
import { idSchema } from '../routes/ids.ts';
import type { ServerFolder } from './server-folder.ts';

const credentialSchema = z.object({
  schema: z.literal('collab.credential/v1'),
  id: z.string(),
  tenant: idSchema,
  /** What the owner calls it. */
  label: z.string().nullable(),
  /** SHA-256 of the secret, in hex: it is 256 random bits, so there is nothing to guess and nothing to slow down. */
  digest: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** Of a browser's session: the token that it was begun with. */
  token: z.string().nullable(),
});
export type Credential = z.infer<typeof credentialSchema>;

export interface NewCredential {
  readonly tenant: string;
  readonly label: string | null;
  /** Null: it holds until it is revoked. */
  readonly expiresInMs: number | null;
  readonly token?: string;
}

export interface Credentials {
  /** The secret is nowhere but in what this returns. */
  create(wanted: NewCredential): { readonly credential: Credential; readonly secret: string };
  /** Whose secret it is; null for one that is unknown, revoked or expired. */
  find(secret: string): Credential | null;
  /** Whether it still holds. */
  holds(id: string): boolean;
  /** Those that hold, the newest first. */
  list(): readonly Credential[];
  /** False where there was none. */
  revoke(id: string): boolean;
}

export type CredentialKind = 'token' | 'session';

/** `collab_` lets scanners of secrets know it when they see it. */
const secretPattern = /^collab_(?:token|session)_([a-z0-9]{10})_([A-Za-z0-9_-]{43})$/;
const idPattern = /^[a-z0-9]{10}$/;

export function openCredentials(
  folder: Pick<ServerFolder, 'path'>,
  kind: CredentialKind,
  clock: Clock,
): Credentials {
  const place = join(folder.path, `${kind}s`);
  const fileOf = (id: string) => join(place, `${id}.json`);

  function read(id: string): Credential | null {
    const text = readIfThere(fileOf(id));
    if (text === null) return null;
    const credential = parse(text, fileOf(id));
    const { expires_at: expiresAt } = credential;
    return expiresAt !== null && Date.parse(expiresAt) <= clock.now() ? null : credential;
  }

  return {
    create({ tenant, label, expiresInMs, token = null }) {
      const id = newId();
      const part = randomBytes(32).toString('base64url');
      const credential: Credential = {
        schema: 'collab.credential/v1',
        id,
        tenant,
        label,
        digest: sha256(part),
        created_at: momentAt(clock.now()),
        expires_at: expiresInMs === null ? null : momentAt(clock.now() + expiresInMs),
        token,
      };
      mkdirSync(place, { recursive: true, mode: 0o700 });
      writeAtomically(fileOf(id), `${JSON.stringify(credential, null, 2)}\n`);
      return { credential, secret: `collab_${kind}_${id}_${part}` };
    },
    find(secret) {
      const [, id, part] = secretPattern.exec(secret) ?? [];
      if (id === undefined || part === undefined) return null;
      const credential = read(id);
      return credential !== null && isEqual(credential.digest, sha256(part)) ? credential : null;
    },
    holds: (id) => idPattern.test(id) && read(id) !== null,
    list() {
      if (!existsSync(place)) return [];
      return readdirSync(place)
        .map((name) => name.replace(/\.json$/, ''))
        .filter((id) => idPattern.test(id))
        .map(read)
        .filter((credential) => credential !== null)
        .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
    },
    revoke(id) {
      if (!idPattern.test(id) || !existsSync(fileOf(id))) return false;
      rmSync(fileOf(id), { force: true });
      return true;
    },
  };
}

/** Of a secret its id; anything else is left as it is. */
export function credentialId(text: string): string {
  return secretPattern.exec(text)?.[1] ?? text;
}

function parse(text: string, file: string): Credential {
  try {
    return credentialSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CollabError('state_folder', `${file} is not what was written`, {
      hint: 'remove the file; whoever used it needs a new token',
      cause,
    });
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function newId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-10);
}

/** Takes the same time wherever they differ. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function momentAt(ms: number): string {
  return new Date(ms).toISOString();
}
