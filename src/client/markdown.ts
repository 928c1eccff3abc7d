/** The functions that a page applies to foreign text before it renders it. */
export { boundNesting } from '../parsers/markdown/bound-nesting.ts';
export { looksLikeClosingLine } from '../tags/closing-line.ts';
export { allTags, type Tag } from '../tags/tags.ts';
export { neutralise } from '../text/neutralise.ts';
export { describeTag, plainHeading } from '../views/talk/protocol-words.ts';
