import { requestTags, type RequestTag } from '../../tags/tags.ts';
import { sizeProblem } from '../markdown/answer-size.ts';
import { findMarkers } from '../markdown/find-markers.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { textUnderMarker } from './text-under-marker.ts';

/** Reads the last request tag that counts in a lead's output, with the text under it (X001-17). */
export function readOutgoing(text: string): { readonly tag: RequestTag; readonly text: string } | null {
  if (sizeProblem(text) !== null) return null;
  const document = parseMarkdown(text);
  const { counted } = findMarkers(document);
  const index = counted.findLastIndex((marker) => requestTags.some((tag) => tag === marker.tag));
  const marker = counted[index];
  const tag = requestTags.find((candidate) => candidate === marker?.tag);
  if (marker === undefined || tag === undefined) return null;
  const end = (counted[index + 1]?.line ?? document.lines.length + 1) - 1;
  return { tag, text: textUnderMarker(document, marker, end) };
}
