/** Checks arguments against a foreign JSON Schema. Our own tools are checked by their zod schemas. */
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CollabError } from '../../errors/collab-error.ts';
import type { ITool, Json } from './interfaces.ts';

/** @throws CollabError `options` for an invalid schema */
export function createSchemaCheck({ name, parameters }: ITool): (args: Json) => string | null {
  const validate = compile(name, parameters);
  return (args) => {
    if (validate(args)) return null;
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message = '' }) =>
        `${instancePath === '' ? 'they' : instancePath.slice(1)}: ${message}`,
    );
    return `The arguments of ${name} do not fit its schema: ${faults.join('; ')}`;
  };
}

/** Keywords outside the standard, such as a format, are ignored. */
const leniently = { strict: false, allErrors: true, logger: false, validateFormats: false } as const;

function compile(name: string, parameters: ITool['parameters']): ValidateFunction {
  const { $schema = '', $id: _id, ...schema } = parameters;
  const isOld = /draft-0[467]/.test(String($schema));
  try {
    return (isOld ? new Ajv(leniently) : new Ajv2020(leniently)).compile(schema);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CollabError(
      'options',
      `tool ${JSON.stringify(name)}: its parameters are not a JSON Schema: ${message}`,
      {
        cause,
      },
    );
  }
}
