/** How a page treats foreign text before it draws it. */
export { boundNesting } from '../parsers/bound-nesting.ts';
export { neutralise } from '../wire/neutralise.ts';
