/** Renders a finding as Markdown. */
import type { Finding } from '../../events/collab-event.ts';
import { placeOfFinding } from '../../events/findings.ts';
import { claimOf, gradeHead, remarksOn } from './counted-findings.ts';
import {
  codeBlock,
  foreignBlocks,
  foreignCode,
  foreignText,
  type Block,
} from '../transcript/foreign-markdown.ts';
import { shorten } from './foreign-text.ts';
import { removesLines } from './plain-finding.ts';
import { leadProofOf, type LeadProof } from '../../review/findings/lead-proof.ts';
import { heading, paragraph, strong, text } from '../transcript/markdown-nodes.ts';

/** @param number the finding's number on a pull request; null in other reports */
export function findingBlocks(finding: Finding, number: number | null = null): readonly Block[] {
  const name = number === null ? '' : `F${number} `;
  return [
    heading(3, [text(`${name}${gradeHead(finding)}: `), ...foreignText(finding.title)]),
    paragraph([foreignCode(placeOfFinding(finding))]),
    ...(finding.quote === null
      ? []
      : [codeBlock(finding.quote.replace(/\n$/, ''), languageOf(finding.path))]),
    ...detailBlocks(finding),
  ];
}

/** Renders the reason, the remedy and the remarks. */
export function detailBlocks(finding: Finding): readonly Block[] {
  const proof = leadProofOf(finding);
  const told = proof === null ? finding : { ...finding, evidence: proof.reason };
  return [
    ...labelled('Class', claimOf(finding) ?? ''),
    ...labelled('Why', finding.body),
    ...labelled('Fix', finding.remedy ?? ''),
    ...replacementBlocks(finding),
    ...remarksOn(told).flatMap((remark) => labelled('Note', remark)),
    ...(proof === null ? [] : proofBlocks(proof)),
  ];
}

function replacementBlocks({ replacement, path }: Finding): readonly Block[] {
  if (replacement === undefined) return [];
  if (replacement === '') return [paragraph([text(removesLines)])];
  return [paragraph([strong(text('Replacement:'))]), codeBlock(replacement, languageOf(path))];
}

function proofBlocks({ place, path, code }: LeadProof): readonly Block[] {
  return [
    paragraph([strong(text('The lead quotes')), text(' '), foreignCode(place)]),
    codeBlock(code, languageOf(path)),
  ];
}

/** Renders a finding as one short paragraph of a list. */
export function findingLine({ evidence: _evidence, ...finding }: Finding): Block {
  return paragraph([
    strong(text(gradeHead(finding))),
    text(' '),
    foreignCode(shorten(placeOfFinding(finding), longestInLine)),
    text(': '),
    ...foreignText(shorten(finding.title, longestInLine)),
    ...remarksOn(finding).map((remark) => text(` (${remark})`)),
  ]);
}

/** Limit in characters for a place or a title in a list. */
const longestInLine = 300;

/** Puts the label before the first paragraph, or on its own line if the text begins with code or a list. */
function labelled(label: string, markdown: string): readonly Block[] {
  const [first, ...rest] = foreignBlocks(markdown);
  if (first === undefined) return [];
  const mark = strong(text(`${label}:`));
  if (first.type !== 'paragraph') return [paragraph([mark]), first, ...rest];
  return [paragraph([mark, text(' '), ...first.children]), ...rest];
}

/** Returns an extension that is also the language's name; all others get no color. */
function languageOf(path: string | null): string | null {
  return /\.([a-z0-9]{1,10})$/i.exec(path ?? '')?.[1] ?? null;
}
