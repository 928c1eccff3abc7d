/**
 * Reads a user's attachment for a model (R003-22): text as text with masked secrets, everything else as base64. The bytes decide
 * the type, not the name.
 */
import { basename } from 'node:path';
import { ValueError } from '../../errors/provider-error.ts';
import { readBeginning } from '../../system/files/read.ts';
import { isText, typeOfBytes } from './file-type.ts';
import type { Attachment } from './history.ts';
import type { HeardPart, MediaPart } from '../contract/model.ts';
import type { Profile } from '../profiles/profile.ts';
import { masked } from '../../secrets/mask-secrets.ts';

/** More than any API accepts in one request. */
const largestBytes = 32 * 1024 * 1024;

/** @throws ValueError for a file that is missing, too large, or of a kind that the model does not read */
export function readFilePart(path: string, profile: Profile | null): HeardPart {
  return partOf({ name: basename(path), path, bytes: readBytes(path) }, profile);
}

/** Reads an attachment of an earlier message; one that is no longer readable is replaced by a note. */
export function readAttachment({ type, url, name }: Attachment, profile: Profile | null): HeardPart {
  if (/^https?:/.test(url)) return missing(`${type} ${name} at ${url}`);
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  try {
    const bytes = inline === undefined ? readBytes(url) : Buffer.from(inline, 'base64');
    return partOf({ name, path: name, bytes }, profile);
  } catch (error) {
    if (error instanceof ValueError) return missing(`${type} ${name}: ${error.message}`);
    throw error;
  }
}

/** Describes an attachment for a model that reads only text. */
export function attachedText(attachment: Attachment): string {
  const part = readAttachment(attachment, null);
  return part.type === 'text' ? part.text : masked(`[attached: ${attachment.type} ${attachment.name}]`);
}

interface Content {
  readonly name: string;
  /** The path for display. */
  readonly path: string;
  readonly bytes: Buffer;
}

function partOf({ name, path, bytes }: Content, profile: Profile | null): HeardPart {
  const mimeType = typeOfBytes(bytes);
  if (mimeType === null) {
    if (isText(bytes)) return textPart(`${name}:\n${bytes.toString('utf8')}`);
    throw new ValueError(`${path} has a type that no model reads`, {
      hint: 'Attach text, PNG, JPEG, GIF, WebP, PDF, WAV, MP3, MP4 or WebM.',
    });
  }
  const kind = kindOf(mimeType);
  const modalities = profile?.features.input_modalities;
  if (kind !== 'file' && modalities?.includes(kind) === false) {
    throw new ValueError(`${profile?.basic_info.id} cannot read ${kind}: ${path}`);
  }
  return { type: 'media', kind, mime_type: mimeType, data: bytes.toString('base64'), name: masked(name) };
}

function missing(what: string): HeardPart {
  return textPart(`[attached: ${what}]`);
}

/** Masked before anything else changes the text: a fence would make characters visible that split a secret. */
function textPart(text: string): HeardPart {
  return { type: 'text', text: masked(text) };
}

function readBytes(path: string): Buffer {
  try {
    const bytes = readBeginning(path, largestBytes + 1);
    if (bytes.length <= largestBytes) return bytes;
    throw new ValueError(`${path} is too large to be sent: more than ${largestBytes} bytes`);
  } catch (error) {
    if (error instanceof ValueError) throw error;
    throw new ValueError(`${path} cannot be read`, { cause: error });
  }
}

function kindOf(mimeType: string): MediaPart['kind'] {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
