/** Reads the text format of Prometheus with a parser that is not ours. */
import { createRequire } from 'node:module';
import { z } from 'zod';

/** The package has no types. */
const require = createRequire(import.meta.url);
const parse: unknown = require('parse-prometheus-text-format');
const parserSchema = z.custom<(text: string) => unknown>((value) => typeof value === 'function');

const sampleSchema = z.looseObject({
  value: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
});
const familySchema = z.array(
  z.object({ name: z.string(), help: z.string(), type: z.string(), metrics: z.array(sampleSchema) }),
);

/** The samples of a family as `label=value,…` with their numbers. The parser joins those of a histogram. */
export type Samples = Readonly<Record<string, number>>;

/** Returns the samples by the name of their family. @throws Error for a text of another form */
export function parseMetrics(text: string): Readonly<Record<string, Samples>> {
  const families = familySchema.parse(parserSchema.parse(parse)(text));
  return Object.fromEntries(
    families.map(({ name, metrics }) => [
      name,
      Object.fromEntries(
        metrics.map(({ labels = {}, value }) => [
          Object.entries(labels)
            .map(([label, labeled]) => `${label}=${labeled}`)
            .join(','),
          Number(value),
        ]),
      ),
    ]),
  );
}
