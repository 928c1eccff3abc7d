/** What a user attached, as a model reads it (R003-22): texts as text, all else as base64. */
import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { ValueError } from '../errors/provider-error.ts';
import type { Attachment } from './history.ts';
import type { HeardPart, MediaPart } from './model.ts';
import type { Profile } from './profile.ts';

/** Larger than what any API takes in one request. */
const largestBytes = 32 * 1024 * 1024;

/** @throws ValueError for a file that is not there, is too large, or is of a kind that the model does not read */
export function readFilePart(path: string, profile: Profile | null): HeardPart {
  const mimeType = mimeTypes[extname(path).toLowerCase()] ?? 'text/plain';
  const kind = kindOf(mimeType);
  const modalities = profile?.features.input_modalities;
  if (kind !== 'file' && modalities?.includes(kind) === false) {
    throw new ValueError(`${profile?.basic_info.id} reads no ${kind}: ${path}`);
  }
  return partOf({ kind, mimeType, name: basename(path), bytes: readBytes(path) });
}

/** Of an earlier message: what cannot be shown any more is said in words. */
export function readAttachment(
  { type, mime_type, url, name }: Attachment,
  profile: Profile | null,
): HeardPart {
  const modalities = profile?.features.input_modalities;
  if (type !== 'file' && modalities?.includes(type) === false) {
    return missing(`${type} ${name}: this model reads none`);
  }
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (inline !== undefined) return { type: 'media', kind: type, mime_type, data: inline, name };
  if (/^https?:/.test(url)) return missing(`${type} ${name} at ${url}`);
  try {
    return partOf({ kind: type, mimeType: mime_type, name, bytes: readBytes(url) });
  } catch (error) {
    if (error instanceof ValueError) return missing(`${type} ${name}: it cannot be read any more`);
    throw error;
  }
}

interface Content {
  readonly kind: MediaPart['kind'];
  readonly mimeType: string;
  readonly name: string;
  readonly bytes: Buffer;
}

function partOf({ kind, mimeType, name, bytes }: Content): HeardPart {
  if (kind === 'file' && isText(mimeType))
    return { type: 'text', text: `${name}:\n${bytes.toString('utf8')}` };
  return { type: 'media', kind, mime_type: mimeType, data: bytes.toString('base64'), name };
}

function missing(what: string): HeardPart {
  return { type: 'text', text: `[attached: ${what}]` };
}

function readBytes(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size > largestBytes) throw new ValueError(`${path} is too large to be sent: ${size} bytes`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof ValueError) throw error;
    throw new ValueError(`${path} cannot be read`, { cause: error });
  }
}

function kindOf(mimeType: string): MediaPart['kind'] {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType === 'application/json';
}

const mimeTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
  '.json': 'application/json',
};
