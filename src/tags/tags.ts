/**
 * The single home of the tag vocabulary (specification 001): names, answer tags, sections, and the sentence
 * that asks for each section. Prompts, parsers, `references/protocol.md` and the tests derive from this table.
 */

/** Lead → advisor, in the order of the phases. The review is `REQUEST:`, not `CONSULT:`. */
export const requestTags = [
  '[CONSULT:REQUIREMENTS]',
  '[CONSULT:DESIGN]',
  '[CONSULT:IMPLEMENTATION]',
  '[REQUEST:REVIEW]',
] as const;
export type RequestTag = (typeof requestTags)[number];

export const answerTags = [
  '[RESPONSE:REQUIREMENTS]',
  '[RESPONSE:DESIGN]',
  '[RESPONSE:IMPLEMENTATION]',
  '[RESPONSE:REVIEW]',
] as const;
export type AnswerTag = (typeof answerTags)[number];

/** Advisor → lead. */
export const reverseTags = ['[CONSULT:CLAUDE:VERIFICATION]', '[CONSULT:CLAUDE:CONTEXT]'] as const;
export type ReverseTag = (typeof reverseTags)[number];

/** Our extension: 001 defines no answer to a reverse request (X001-7). */
export const reverseAnswerTags = ['[RESPONSE:CLAUDE:VERIFICATION]', '[RESPONSE:CLAUDE:CONTEXT]'] as const;
export type ReverseAnswerTag = (typeof reverseAnswerTags)[number];

/** The lead's verdict on one finding of a review; also our extension. */
export const findingAnswerTag = '[RESPONSE:FINDING]';
export type FindingAnswerTag = typeof findingAnswerTag;

export type Tag = RequestTag | AnswerTag | ReverseTag | ReverseAnswerTag | FindingAnswerTag;

export const allTags: readonly Tag[] = [
  ...requestTags,
  ...answerTags,
  ...reverseTags,
  ...reverseAnswerTags,
  findingAnswerTag,
];

/** The phases that allow a consult; a review has its own command. */
export const consultPhases = ['requirements', 'design', 'implementation'] as const;
export const phases = [...consultPhases, 'review'] as const;
export type Phase = (typeof phases)[number];

export interface SectionSpec {
  /** The name on the wire, e.g. `CLARIFICATION_QUESTIONS`. */
  readonly name: string;
  /** Completes "In `## NAME`, …". */
  readonly asks: string;
}

/** The required form of an answer: its tag and its sections, all required, in this order. */
export interface AnswerSpec {
  readonly answer: AnswerTag;
  readonly sections: readonly SectionSpec[];
}

export interface ExchangeSpec extends AnswerSpec {
  readonly phase: Phase;
  readonly request: RequestTag;
  /** The purpose of the exchange, included in the prompt (R001-7). */
  readonly purpose: string;
}

export const exchangeSpecs: readonly ExchangeSpec[] = [
  {
    phase: 'requirements',
    request: '[CONSULT:REQUIREMENTS]',
    answer: '[RESPONSE:REQUIREMENTS]',
    purpose: 'requirements clarification',
    sections: [
      {
        name: 'CLARIFICATION_QUESTIONS',
        asks: 'list the questions to put to the user, most important first',
      },
      { name: 'CONSIDERATIONS', asks: 'name the non-functional requirements, edge cases and constraints' },
    ],
  },
  {
    phase: 'design',
    request: '[CONSULT:DESIGN]',
    answer: '[RESPONSE:DESIGN]',
    purpose: 'design review',
    sections: [
      { name: 'ASSESSMENT', asks: 'say how sound the design is' },
      { name: 'RISKS', asks: 'name the risks and open problems' },
      { name: 'ALTERNATIVES', asks: 'describe the alternatives worth considering' },
      { name: 'RECOMMENDATION', asks: 'say what you recommend' },
    ],
  },
  {
    phase: 'implementation',
    request: '[CONSULT:IMPLEMENTATION]',
    answer: '[RESPONSE:IMPLEMENTATION]',
    purpose: 'technical advice while implementing',
    sections: [
      { name: 'ADVICE', asks: 'answer the question directly' },
      { name: 'PATTERNS', asks: 'name the patterns you recommend' },
      { name: 'CAVEATS', asks: 'name what to watch out for' },
    ],
  },
  {
    phase: 'review',
    request: '[REQUEST:REVIEW]',
    answer: '[RESPONSE:REVIEW]',
    purpose: 'code review',
    sections: [
      { name: 'STRENGTHS', asks: 'say what is good about the change' },
      {
        name: 'ISSUES',
        asks: 'list every problem under `### Critical`, `### Important` or `### Minor`, or write the single word None',
      },
      { name: 'SUGGESTIONS', asks: 'list improvements that are not problems, or write the single word None' },
    ],
  },
];

export interface ReverseSpec {
  readonly request: ReverseTag;
  readonly answer: ReverseAnswerTag;
  readonly purpose: string;
  readonly sections: readonly SectionSpec[];
}

/** The allowed words of `VERDICT` in an answered verification (X001-7). */
export const verdictWords = ['approve', 'revise', 'reject'] as const;

export const reverseSpecs: readonly ReverseSpec[] = [
  {
    request: '[CONSULT:CLAUDE:VERIFICATION]',
    answer: '[RESPONSE:CLAUDE:VERIFICATION]',
    purpose: 'confirm the implementation approach',
    sections: [
      { name: 'VERDICT', asks: 'write one word: approve, revise or reject' },
      { name: 'REASON', asks: 'give the reason' },
    ],
  },
  {
    request: '[CONSULT:CLAUDE:CONTEXT]',
    answer: '[RESPONSE:CLAUDE:CONTEXT]',
    purpose: 'ask for more context',
    sections: [{ name: 'CONTEXT', asks: 'give the context that was asked for' }],
  },
];

/** The allowed words of `VERDICT` on a finding. */
export const findingVerdictWords = ['confirm', 'reject', 'unsure'] as const;
export type FindingVerdictWord = (typeof findingVerdictWords)[number];

/** The second opinion: the lead's verdict on one of the advisor's findings. */
export const findingSpec = {
  answer: findingAnswerTag,
  purpose: 'check one finding of the review against the code',
  sections: [
    { name: 'VERDICT', asks: 'write one word: confirm, reject or unsure' },
    {
      name: 'EVIDENCE',
      asks: 'name a file with its line and copy the lines that prove it into a code fence, or write the single word None',
    },
    { name: 'REASON', asks: 'give the reason' },
  ],
} as const satisfies {
  readonly answer: FindingAnswerTag;
  readonly purpose: string;
  readonly sections: readonly SectionSpec[];
};

export function exchangeSpecOf(tag: RequestTag): ExchangeSpec {
  const spec = exchangeSpecs.find((candidate) => candidate.request === tag);
  if (spec === undefined) throw new RangeError(`no exchange starts with ${tag}`);
  return spec;
}

export function reverseSpecOf(tag: ReverseTag): ReverseSpec {
  const spec = reverseSpecs.find((candidate) => candidate.request === tag);
  if (spec === undefined) throw new RangeError(`no reverse request is named ${tag}`);
  return spec;
}

export function exchangeSpecOfPhase(phase: Phase): ExchangeSpec {
  const spec = exchangeSpecs.find((candidate) => candidate.phase === phase);
  if (spec === undefined) throw new RangeError(`no exchange belongs to the phase ${phase}`);
  return spec;
}
