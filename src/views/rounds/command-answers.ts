/** Renders our answers to commands in comments. Names and reasons are foreign: they cannot link, notify or inject HTML. */
import { renderCount } from '../../text/quantities.ts';
import { foreignCode, foreignText } from '../transcript/foreign-markdown.ts';
import { bullets, paragraph, renderDocument, strong, text } from '../transcript/markdown-nodes.ts';

/** The commands, as people type them. */
const commandForms = ['/collab review', '/collab dismiss <number> <reason>', '/collab fix <number>'] as const;

export function renderForms(): string {
  return renderDocument([
    paragraph([text('collab reads one of these in the first line of a comment:')]),
    bullets(commandForms.map((form) => [paragraph([foreignCode(form)])])),
  ]);
}

export function renderReviewStart(head: string): string {
  return renderDocument([paragraph([text('The review of '), foreignCode(head), text(' begins.')])]);
}

export interface AnsweredDismissal {
  readonly number: number;
  readonly by: string;
  readonly reason: string;
}

export function renderDismissed({ number, by, reason }: AnsweredDismissal): string {
  return renderDocument([
    paragraph([
      strong(text(`F${number} is dismissed`)),
      text(' by '),
      foreignCode(by),
      text(': '),
      ...foreignText(reason),
    ]),
    paragraph([text('From the next review on it does not count.')]),
  ]);
}

/** The words can have a foreign reason. */
export function renderRefusal(words: string): string {
  return renderDocument([paragraph(foreignText(words))]);
}

export interface AnsweredFix {
  readonly number: number;
  readonly branch: string;
  /** The page of the branch. */
  readonly url: string;
  readonly files: number;
}

export function renderFixBranch({ number, branch, url, files }: AnsweredFix): string {
  const link = { type: 'link' as const, url, children: [foreignCode(branch)] };
  return renderDocument([
    paragraph([
      strong(text(`A fix of F${number}`)),
      text(' is on the branch '),
      link,
      text(`: ${renderCount(files, 'file')}, one commit on the head. Look at it, then take it over:`),
    ]),
    { type: 'code', lang: 'sh', value: `git fetch origin ${branch} && git merge --ff-only FETCH_HEAD` },
  ]);
}

export interface SuggestedFix {
  readonly number: number;
  /** The information string of the block. */
  readonly fence: string;
  readonly text: string;
}

export function renderFixSuggestion({ number, fence, text: value }: SuggestedFix): string {
  return renderDocument([
    paragraph([strong(text(`A fix of F${number}:`))]),
    { type: 'code', lang: fence, value },
  ]);
}
