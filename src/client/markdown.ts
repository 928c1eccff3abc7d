/** The treatment of foreign text before a page renders it. */
export { boundNesting } from '../parsers/markdown/bound-nesting.ts';
export { neutralise } from '../text/neutralise.ts';
