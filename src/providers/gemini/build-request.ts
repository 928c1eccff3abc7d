/** Translates our history into a request of the Gemini API (`@google/genai` 2.32). Pure. */
import type {
  Content,
  FunctionCallingConfigMode,
  FunctionDeclaration,
  GenerateContentParameters,
  Part,
} from '@google/genai';
import { z } from 'zod';
import { encodeToolName } from '../../tools/definition/tool-name.ts';
import { argumentsOf } from '../history/messages-history.ts';
import type { HeardPart, ModelMessage, ModelRequest, SaidPart } from '../contract/model.ts';
import type { ITool } from '../../tools/definition/interfaces.ts';

interface Own {
  /** True to request the model's thoughts. */
  readonly thinks: boolean;
  /** The SDK's value for "no calls"; if absent, the given tools may be called in any case. */
  readonly noCalls?: FunctionCallingConfigMode;
  readonly abortSignal?: AbortSignal;
}

export function buildRequest(
  model: string,
  { system, tools, toolChoice, messages, parameters = {} }: ModelRequest,
  { thinks, noCalls, abortSignal }: Own,
): GenerateContentParameters {
  const { temperature, thinkingBudget, extra } = parameters;
  return {
    model,
    contents: contentsOf(messages, model),
    config: {
      ...namedAsInSdk(extra),
      ...(abortSignal === undefined ? {} : { abortSignal }),
      ...(system === '' ? {} : { systemInstruction: system }),
      ...(tools.length === 0
        ? {}
        : {
            tools: [{ functionDeclarations: tools.map(toFunction) }],
            ...(toolChoice === 'auto' || noCalls === undefined
              ? {}
              : { toolConfig: { functionCallingConfig: { mode: noCalls } } }),
          }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(thinks
        ? {
            thinkingConfig: {
              includeThoughts: true,
              ...(thinkingBudget === undefined ? {} : { thinkingBudget }),
            },
          }
        : {}),
    },
  };
}

/** Renames fields to the SDK's style: `max_output_tokens` becomes `maxOutputTokens`. */
function namedAsInSdk(extra: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** The specification's example, in the API's current form: the schema is passed unchanged. */
export function toFunction({ name, description, parameters }: ITool): FunctionDeclaration {
  return { name: encodeToolName(name), description, parametersJsonSchema: parameters };
}

function contentsOf(messages: readonly ModelMessage[], model: string): Content[] {
  const names = new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_call' ? [[part.id, part.name] as const] : [])),
    ),
  );
  return messages.flatMap(({ role, parts }) =>
    role === 'assistant' ? saidContent(parts, model) : heardContents(parts, names),
  );
}

/** A seal of the API on its thoughts, sent back on the part it arrived with. */
export const sealSchema = z.object({
  thought_signature: z.string(),
  /** The id of the call; null for text. */
  call: z.string().nullable(),
});

function saidContent(parts: ModelMessage['parts'], model: string): Content[] {
  const seals = parts.flatMap((part) => (part.type === 'opaque' ? [sealSchema.parse(part.value)] : []));
  const sealOf = (call: string | null) => seals.find((seal) => seal.call === call)?.thought_signature;
  const firstCall = parts.find(({ type }) => type === 'tool_call');
  const lastText = parts.findLast(({ type }) => type === 'text');
  const content = parts.flatMap((part): Part[] => {
    if (part.type === 'text') {
      return part.text === ''
        ? []
        : [{ text: part.text, ...sealed(part === lastText ? sealOf(null) : undefined) }];
    }
    if (part.type !== 'tool_call') return [];
    const unsealed = part === firstCall && demandsSeals(model) ? foreignSeal : undefined;
    return [{ functionCall: callOf(part), ...sealed(sealOf(part.id) ?? unsealed) }];
  });
  return content.length === 0 ? [] : [{ role: 'model', parts: content }];
}

function callOf({ id, name, args }: Extract<SaidPart, { type: 'tool_call' }>) {
  return { id, name: encodeToolName(name), args: argumentsOf(args) };
}

function sealed(thoughtSignature: string | undefined): Pick<Part, 'thoughtSignature'> {
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

/** Google's documented value for calls of another model; models before the third accept calls without a seal. */
const foreignSeal = 'skip_thought_signature_validator';

function demandsSeals(model: string): boolean {
  return !/^gemini-[12][.-]/.test(model);
}

/** Puts results into a content of their own after the calls, one for each call. */
function heardContents(
  parts: readonly ModelMessage['parts'][number][],
  names: ReadonlyMap<string, string>,
): Content[] {
  const results = parts.flatMap((part): Part[] => {
    if (part.type !== 'tool_result') return [];
    const { id, content, is_error } = part;
    const name = encodeToolName(names.get(id) ?? id);
    return [
      { functionResponse: { id, name, response: is_error ? { error: content } : { output: content } } },
    ];
  });
  const said = parts.flatMap(partOf);
  return [results, said].filter((all) => all.length > 0).map((all) => ({ role: 'user', parts: all }));
}

function partOf(part: HeardPart | SaidPart): Part[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
  return part.type === 'media' ? [{ inlineData: { mimeType: part.mime_type, data: part.data } }] : [];
}
