/** Rules for text that readers and compilers see differently ("Trojan Source"). */
import type { Rule } from '../rule.ts';

export const hiddenTextRules: readonly Rule[] = [
  {
    name: 'hidden-character',
    severity: 'critical',
    title: 'A character that cannot be seen changes how the line reads',
    why: 'It reorders or hides text on the screen: the compiler runs another line than the one that people review.',
    fix: 'Remove it, or write it as an escape if a text needs it.',
    matches: [
      {
        kind: 'text',
        languages: 'code',
        pattern: /[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\u{e0001}-\u{e007f}]/u,
        // Emoji flags of regions contain tag characters. A text of one such character alone is an entry of a table.
        unless:
          /^(?:[^\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\u{e0001}-\u{e007f}]|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}|(["'])[\u200b\u2060-\u2064]\1)*$/u,
        comments: 'any',
        strings: 'read',
      },
    ],
  },
];
