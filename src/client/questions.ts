/** The exports that a page needs to answer a run's questions, without Node and zod. */
export { renderGateAnswer, type GateAnswer } from '../parsers/answers/gate-answer.ts';
export { phases, type Phase } from '../tags/tags.ts';
