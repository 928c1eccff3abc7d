/** The functions that a page applies to foreign text before it renders it. */
export { boundNesting } from '../parsers/markdown/bound-nesting.ts';
export { neutralise } from '../text/neutralise.ts';
