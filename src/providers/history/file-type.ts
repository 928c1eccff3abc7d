/** Detects a file's type from its bytes. A file name may be wrong, and a vendor refuses a picture sent with the wrong type. */

/** Returns a type, other than text, that some vendor's models read; null for all other bytes. */
export function typeOfBytes(bytes: Buffer): string | null {
  const found = signatures.find(
    ({ at = 0, text }) => bytes.toString('latin1', at, at + text.length) === text,
  );
  if (found === undefined) return null;
  if (found.type !== 'riff') return found.type;
  return riffTypes[bytes.toString('latin1', 8, 12)] ?? null;
}

/** Returns true for UTF-8 without a NUL. */
export function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString('utf8')).equals(bytes);
}

interface Signature {
  readonly type: string;
  readonly at?: number;
  /** The bytes as Latin 1. */
  readonly text: string;
}

const signatures: readonly Signature[] = [
  { type: 'image/png', text: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', text: '\xff\xd8\xff' },
  { type: 'image/gif', text: 'GIF8' },
  { type: 'riff', text: 'RIFF' },
  { type: 'application/pdf', text: '%PDF-' },
  { type: 'audio/mpeg', text: 'ID3' },
  { type: 'audio/mpeg', text: '\xff\xfb' },
  { type: 'audio/mpeg', text: '\xff\xf3' },
  { type: 'video/mp4', at: 4, text: 'ftyp' },
  { type: 'video/webm', text: '\x1a\x45\xdf\xa3' },
];

const riffTypes: Readonly<Record<string, string>> = { WEBP: 'image/webp', WAVE: 'audio/wav' };
