/**
 * Secrets that grant access. Each has a file of its own, which holds a digest and never the secret: creating one creates a
 * file, revoking one removes it, and processes never conflict.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { grantPattern, ownerGrant } from '../../access/grant-syntax.ts';
import { localTenant } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { factsOf, readIfThere } from '../../system/files/read.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { idSchema } from '../routes/ids.ts';
import type { ServerFolder } from './server-folder.ts';

const credentialSchema = z.object({
  schema: z.literal('collab.credential/v1'),
  id: z.string(),
  tenant: idSchema,
  /** The owner's name for it. */
  label: z.string().nullable(),
  /** SHA-256 of the secret, in hex: the secret is 256 random bits, so it cannot be guessed and the hash need not be slow. */
  digest: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** The grants as `serve token create --may` took them; none in a file of version 0.1.0. */
  grants: z.array(z.string().regex(grantPattern)).default([]),
  /** The token that started a browser's session; null for a token. */
  token: z.string().nullable(),
});
export type Credential = z.infer<typeof credentialSchema>;

export interface NewCredential {
  readonly tenant: string;
  readonly label: string | null;
  /** If null, it is valid until it is revoked. */
  readonly expiresInMs: number | null;
  /** Default: none. */
  readonly grants?: readonly string[];
  readonly token?: string;
}

export interface Credentials {
  /** The folder of the files; it may not exist yet. */
  readonly folder: string;
  /** Creates a credential. The returned value is the only place that holds the secret. */
  create(wanted: NewCredential): { readonly credential: Credential; readonly secret: string };
  /** Returns the credential of a secret; null if it is unknown, revoked, expired or opens nothing. */
  find(secret: string): Credential | null;
  /** Returns the credential with this id; null if it is not valid. */
  get(id: string): Credential | null;
  /** Lists the credentials that have not expired, newest first. */
  list(): readonly Credential[];
  /** Returns false if there was none. */
  revoke(id: string): boolean;
}

export type CredentialKind = 'token' | 'session';

/** The prefix `collab_` lets secret scanners recognize it. */
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
    folder: place,
    create({ tenant, label, expiresInMs, grants = [], token = null }) {
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
        grants: [...grants],
        token,
      };
      makeFolder(place);
      writeAtomically(fileOf(id), `${JSON.stringify(credential, null, 2)}\n`);
      return { credential, secret: `collab_${kind}_${id}_${part}` };
    },
    find(secret) {
      const [, id, part] = secretPattern.exec(secret) ?? [];
      if (id === undefined || part === undefined) return null;
      const credential = read(id);
      return credential !== null && isEqual(credential.digest, sha256(part)) ? usable(credential) : null;
    },
    get: (id) => (idPattern.test(id) ? usable(read(id)) : null),
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
      if (!idPattern.test(id) || factsOf(fileOf(id)) === null) return false;
      remove(fileOf(id));
      return true;
    },
  };
}

/**
 * Returns false for a token of the tenant `local` without the grant `owner`: a guest in that tenant would control the owner's
 * runs, and a token that gives all rights must say so. A browser's session is judged by its token.
 */
function opensTenant({ tenant, grants, token }: Pick<Credential, 'tenant' | 'grants' | 'token'>): boolean {
  return token !== null || tenant !== localTenant || grants.includes(ownerGrant);
}

function usable(credential: Credential | null): Credential | null {
  return credential !== null && opensTenant(credential) ? credential : null;
}

/** Returns true if the text looks like a secret of collab, even if it is cut or mistyped. */
export function isSecret(text: string): boolean {
  return /^collab_/i.test(text);
}

/** Returns the id of a secret; any other text is returned unchanged. */
export function credentialId(text: string): string {
  return secretPattern.exec(text)?.[1] ?? text;
}

function parse(text: string, file: string): Credential {
  try {
    return credentialSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CollabError('state_folder', `${file} is damaged`, {
      hint: 'remove the file, and create a new token for its user',
      cause,
    });
  }
}

function newId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-10);
}

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function momentAt(ms: number): string {
  return new Date(ms).toISOString();
}
