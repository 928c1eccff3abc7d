/** How a page treats foreign text before it draws it. */
export { boundNesting } from '../parsers/markdown/bound-nesting.ts';
export { neutralise } from '../text/neutralise.ts';
