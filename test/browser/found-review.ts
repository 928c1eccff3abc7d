/** A review that finds two things in a new file, in the script of its advisor. */
import { advises, issue, review, type Turn } from '../contract/workflow/workflow-script.ts';
import { newFile } from './served-page.ts';

export const twoLines = newFile('src/one.js', ['export const one = 2;', 'export const two = 2;']);

export const findsTwo: Turn = advises(
  { tag: '[REQUEST:REVIEW]', contains: 'src/one.js' },
  review(
    [
      issue('Critical', 'It is two', 'export const one = 2;'),
      issue('Minor', 'It has no comment', 'export const two = 2;'),
    ].join('\n'),
  ),
  {
    repeat: 'forever',
    messages: [{ tool: { name: 'Grep', input: { pattern: 'one' }, output: 'one line' } }],
  },
);
