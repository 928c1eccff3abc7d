/** Reads the prompt of a person at an editor: text, and files that the editor names or embeds. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { CollabError } from '../../errors/collab-error.ts';
import { pathWithin } from '../../system/is-inside.ts';
import { renderFence } from '../../text/fence.ts';

export interface Prompt {
  /** The text, with each named file in its place, then the embedded texts. */
  readonly text: string;
  /** The text alone: the words of a command. */
  readonly words: string;
  /** The named files: relative to the session's folder, or absolute outside of it. */
  readonly files: readonly string[];
}

/** @throws CollabError `usage` for content that collab does not read */
export function readPrompt(blocks: readonly ContentBlock[], cwd: string): Prompt {
  const parts = blocks.map((block) => partOf(block, cwd));
  const texts = parts.map(({ text }) => text).join('');
  const embedded = parts.flatMap(({ embeds }) => (embeds === undefined ? [] : [embeds]));
  return {
    text: [texts.trim(), ...embedded].join('\n\n'),
    words: parts
      .map((part) => (part.named ? ' ' : part.text))
      .join('')
      .trim(),
    files: parts.flatMap(({ file }) => (file === undefined ? [] : [file])),
  };
}

interface Part {
  readonly text: string;
  /** True if the text stands for something that the editor names. */
  readonly named: boolean;
  readonly file?: string;
  readonly embeds?: string;
}

function partOf(block: ContentBlock, cwd: string): Part {
  switch (block.type) {
    case 'text':
      return { text: block.text, named: false };
    case 'resource_link':
      return named(block.uri, cwd);
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource)) throw unreadable('embedded binary content');
      const mention = named(resource.uri, cwd);
      return { ...mention, embeds: `${mention.text}:\n\n${renderFence(resource.text.replace(/\n$/, ''))}` };
    }
    case 'image':
    case 'audio':
      throw unreadable(block.type === 'image' ? 'an image' : 'a sound');
  }
}

function named(uri: string, cwd: string): Part {
  const path = pathOf(uri);
  if (path === null) return { text: uri, named: true };
  const file = pathWithin(path, cwd);
  return { text: file, named: true, file };
}

/** Returns null for what is not a file. */
function pathOf(uri: string): string | null {
  try {
    return resolve(fileURLToPath(uri));
  } catch {
    return null;
  }
}

function unreadable(what: string): CollabError {
  return new CollabError('usage', `collab cannot read ${what}`, { hint: 'Send text, or name a file.' });
}
