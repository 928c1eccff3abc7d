/** The exports that a page needs to answer a run's questions, without Node and zod. */
export { renderGateAnswer, type GateAnswer } from '../parsers/answers/gate-answer.ts';
export { clarificationHint } from '../tags/clarification-hint.ts';
export { phases, type Phase } from '../tags/tags.ts';
