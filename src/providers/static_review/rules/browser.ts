/** Rules for foreign text that reaches a page as markup. */
import type { Rule } from '../rule.ts';
import { syntaxMatch } from './matchers.ts';

export const browserRules: readonly Rule[] = [
  {
    name: 'inner-html',
    severity: 'important',
    title: 'A value becomes markup through innerHTML',
    why: 'A value that holds `<img onerror=…>` runs as script in the page of the user who looks at it.',
    fix: 'Assign textContent, or clean the markup with a sanitizer first.',
    matches: [
      syntaxMatch(
        /\b(inner|outer)HTML\b/,
        ['$ELEMENT.innerHTML = $VALUE', '$ELEMENT.innerHTML += $VALUE', '$ELEMENT.outerHTML = $VALUE'],
        {
          constraints: {
            VALUE: {
              not: {
                any: [
                  { kind: 'string' },
                  { kind: 'template_string', not: { has: { kind: 'template_substitution' } } },
                  { regex: '(?i)(sanitize|purify|escape)' },
                ],
              },
            },
          },
        },
      ),
    ],
  },
  {
    name: 'document-write',
    severity: 'important',
    title: 'document.write puts text into the page as markup',
    why: 'It parses its text as markup, and replaces the whole page when it is called after loading.',
    fix: 'Build elements and set their textContent.',
    matches: [syntaxMatch(/\bdocument\b/, ['document.write($$$TEXT)', 'document.writeln($$$TEXT)'])],
  },
  {
    name: 'dangerous-html-property',
    severity: 'important',
    title: 'A value becomes markup through dangerouslySetInnerHTML',
    why: 'A value that holds markup runs as script in the page of the user who looks at it.',
    fix: 'Render the text as a child, or clean the markup with a sanitizer first.',
    matches: [
      syntaxMatch(
        /dangerouslySetInnerHTML/,
        {
          kind: 'jsx_attribute',
          regex: '^dangerouslySetInnerHTML=',
          not: { regex: '(?i)(sanitize|purify|escape|JSON\\.stringify)' },
        },
        { languages: ['tsx', 'javascript'] },
      ),
    ],
  },
];
