/** The readings of an agent's text, on the event loop or in a thread: pure functions of plain values. */
import { readLeadText } from '../../machine/lead/read-lead-text.ts';
import { readTurn } from '../../machine/exchange/read-turn.ts';
import { readReverseAnswer } from '../../parsers/answers/read-reverse-answer.ts';
import { readVerdicts } from '../../parsers/answers/read-verdicts.ts';

export const readings = { readTurn, readLeadText, readReverseAnswer, readVerdicts };

export type Readings = typeof readings;
