/** What a page needs to answer the questions of a run; without Node and without zod. */
export { renderGateAnswer, type GateAnswer } from '../parsers/answers/gate-answer.ts';
export { phases, type Phase } from '../tags/tags.ts';
