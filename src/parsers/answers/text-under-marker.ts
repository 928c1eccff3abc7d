import type { Marker } from '../markdown/find-markers.ts';
import { sliceTrimmed, type MarkdownDocument } from '../markdown/markdown-document.ts';

/** Returns the text under a marker up to a line, including that after its colon. */
export function textUnderMarker(document: MarkdownDocument, marker: Marker, lastLine: number): string {
  const body = sliceTrimmed(document, { start: marker.endLine + 1, end: lastLine });
  if (body === null) return marker.rest ?? '';
  if (marker.rest === null || marker.rest === '') return body.text;
  const gap = body.span.start === marker.endLine + 1 ? '\n' : '\n\n';
  return marker.rest + gap + body.text;
}
