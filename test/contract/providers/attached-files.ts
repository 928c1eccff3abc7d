/** Small files with the usual bytes of their format, and names that do not show it. */
import { deflateSync } from 'node:zlib';

/** One grey pixel. */
const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from('0000000d49484452000000010000000108000000003a7e9b55', 'hex'),
  Buffer.from([0, 0, 0, 10]),
  Buffer.from('IDAT'),
  deflateSync(Buffer.from([0, 128])),
  Buffer.alloc(4),
  Buffer.from('0000000049454e44ae426082', 'hex'),
]);
const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const wav = Buffer.from('524946462400000057415645666d7420100000000100010040', 'hex');
const mp3 = Buffer.from('49443303000000000000fffb9064', 'hex');
const mp4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
const webm = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex');

export const attachedFiles = { png, jpeg, gif, webp, pdf, wav, mp3, mp4, webm } as const;

export function base64Of(file: keyof typeof attachedFiles): string {
  return attachedFiles[file].toString('base64');
}

export function dataUrl(file: keyof typeof attachedFiles, mimeType: string): string {
  return `data:${mimeType};base64,${base64Of(file)}`;
}
