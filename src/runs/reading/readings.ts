/** The readings of an agent's text, on the event loop or in a thread: pure functions of plain values. */
import { readTurn } from '../../machine/exchange/read-turn.ts';
import { readReverseAnswer } from '../../parsers/answers/read-reverse-answer.ts';
import { readVerdicts } from '../../parsers/answers/read-verdicts.ts';

export const readings = { readTurn, readReverseAnswer, readVerdicts };

export type Readings = typeof readings;
