/** The form of a skill's `workflow.yaml`, and the rules beyond the form. */
import { z } from 'zod';
import { comparePositions, readYamlAs, type YamlFault } from '../../parsers/yaml/read-yaml-as.ts';
import type { PositionOf } from '../../parsers/yaml/read-yaml.ts';
import { severities } from '../../tags/severities.ts';
import { exchangeSpecs, phases, reverseSpecs } from '../../tags/tags.ts';

const sectionSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/,
      'must be capitals, digits and single underscores, such as DATA_FLOW',
    )
    .max(40),
  asks: z
    .string()
    .min(1)
    .max(300)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line'),
});

const workflowSchema = z.strictObject({
  phases: z
    .array(
      z.strictObject({
        phase: z.enum(phases),
        template: z.string().min(1).max(200),
        sections: z.array(sectionSchema).max(12).default([]),
      }),
    )
    .min(1),
  limits: z
    .strictObject({
      consults: z.int().min(0).max(50).default(5),
      review_rounds: z.int().min(1).max(50).default(3),
    })
    .prefault({}),
});
export type SkillWorkflow = z.infer<typeof workflowSchema>;

export interface WorkflowReading {
  /** The workflow; null if there is a fault. */
  readonly workflow: SkillWorkflow | null;
  readonly faults: readonly YamlFault[];
  /** Every template that is named, even if there are faults elsewhere. */
  readonly templates: readonly TemplateName[];
}

export interface TemplateName {
  /** The path as written. */
  readonly path: string;
  /** Creates a fault of this template. */
  readonly faultOf: (message: string, hint: string | null) => YamlFault;
}

/** Reports all faults at once, in the order of the text; does not read the template files. */
export function readWorkflow(text: string): WorkflowReading {
  const reading = readYamlAs(workflowSchema, text);
  const { positionOf } = reading;
  const said = outlineSchema.parse(reading.value);
  const faults = [
    ...(reading.ok ? [] : reading.faults),
    ...orderFaults(said, positionOf),
    ...said.phases.flatMap((phase, index) => sectionFaults(phase, index, positionOf)),
  ].toSorted((one, other) => comparePositions(one.position, other.position));
  return {
    workflow: reading.ok && faults.length === 0 ? reading.value : null,
    faults,
    templates: said.phases.flatMap(({ template }, index) => {
      const path = ['phases', index, 'template'];
      return template === ''
        ? []
        : [{ path: template, faultOf: (message, hint) => fault(path, message, hint, positionOf) }];
    }),
  };
}

/** The understandable part of a file with a faulty form, so that all its faults are reported at once. */
const outlineSchema = z
  .object({
    phases: z
      .array(
        z
          .object({
            phase: z.string().catch(''),
            template: z.string().max(200).catch(''),
            sections: z.array(z.object({ name: z.string() }).catch({ name: '' })).catch([]),
          })
          .catch({ phase: '', template: '', sections: [] }),
      )
      .catch([]),
  })
  .catch({ phases: [] });
type Outline = z.infer<typeof outlineSchema>;

function orderFaults({ phases: listed }: Outline, positionOf: PositionOf): readonly YamlFault[] {
  const names = listed.map(({ phase }) => phases.findIndex((known) => known === phase));
  const order = `The order is ${phases.join(', ')}`;
  const faults = listed.flatMap(({ phase }, index) => {
    const rank = names[index] ?? -1;
    if (rank < 0) return [];
    const path = ['phases', index, 'phase'];
    const earlier = names.slice(0, index);
    if (earlier.includes(rank))
      return [fault(path, `${phase} occurs twice`, 'Leave one out', positionOf)];
    const later = phases[Math.max(...earlier)];
    if (later === undefined || rank > Math.max(...earlier)) return [];
    return [fault(path, `${phase} is after ${later}`, order, positionOf)];
  });
  const review = listed.findIndex(({ phase }) => phase === 'review');
  if (review < 0 || listed.some(({ phase }) => phase === 'implementation')) return faults;
  const hint = 'Add the implementation, or run collab review';
  const message = 'review without implementation has no change to look at';
  return [...faults, fault(['phases', review, 'phase'], message, hint, positionOf)];
}

function sectionFaults(
  { phase, sections }: Outline['phases'][number],
  index: number,
  positionOf: PositionOf,
): readonly YamlFault[] {
  const own = exchangeSpecs.find((spec) => spec.phase === phase)?.answer;
  return sections.flatMap(({ name }, place) => {
    const path = ['phases', index, 'sections', place, 'name'];
    const earlier = sections.slice(0, place).some((section) => sameHead(section.name, name));
    if (name === '') return [];
    if (earlier) return [fault(path, `${name} occurs twice`, 'Leave one out', positionOf)];
    if (reservedWords.some((word) => sameHead(word, name))) {
      return [fault(path, `${name} means something else in an answer`, 'Choose another name', positionOf)];
    }
    const owner = protocolSections.find((section) => sameHead(section.name, name));
    if (owner === undefined) return [];
    const hint = owner.answer === own ? 'It is always requested; leave it out' : 'Choose another name';
    return [fault(path, `${name} is the protocol's own, of ${owner.answer}`, hint, positionOf)];
  });
}

const protocolSections = [...exchangeSpecs, ...reverseSpecs].flatMap(({ answer, sections }) =>
  sections.map(({ name }) => ({ name, answer })),
);

/** Headings that an answer has inside its sections. */
const reservedWords = [
  ...severities.map((severity) => severity.toUpperCase()),
  'NONE',
  'CLASS',
  'WHY',
  'FIX',
  'REPLACEMENT',
];

/** Treats the plural of a section's name as the same heading, as readers do. */
function sameHead(one: string, other: string): boolean {
  return one === other || `${one}S` === other || one === `${other}S`;
}

function fault(
  path: readonly PropertyKey[],
  message: string,
  hint: string | null,
  positionOf: PositionOf,
): YamlFault {
  return { position: positionOf(path), message: `${path.join('.')}: ${message}`, hint };
}
