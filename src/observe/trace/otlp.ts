/**
 * A run's spans as OTLP/JSON, the body of `POST /v1/traces` (OpenTelemetry protocol 1.x). The attributes `gen_ai.*` are those of
 * the semantic conventions for generative AI 1.41, which are still in development; the others are our own.
 */
import { inShort } from '../../text/in-short.ts';
import type { AgentCall } from '../../review/outcome/usage.ts';
import type { RunTrace, SpanDetail, TraceSpan } from './trace-span.ts';

/** A number is a whole one, except for dollars. */
type AttributeValue = string | number | boolean | { readonly usd: number };
type Attributes = Readonly<Record<string, AttributeValue | null>>;

/** Encodings of enumerations in the protocol. */
const internalKind = 1;
const clientKind = 3;
const errorStatus = 2;

/** Names are foreign text; a longer one is cut. */
const mostCharacters = 200;

export function encodeOtlp({ traceId, spans }: RunTrace, version: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes({ 'service.name': 'collab', 'service.version': version }) },
        scopeSpans: [
          { scope: { name: 'collab', version }, spans: spans.map((span) => encodeSpan(span, traceId)) },
        ],
      },
    ],
  };
}

function encodeSpan({ id, parentId, begunAt, endedAt, isOpen, fault, detail }: TraceSpan, traceId: string) {
  return {
    traceId,
    spanId: id,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name: inShort(nameOf(detail), mostCharacters),
    kind: detail.kind === 'call' ? clientKind : internalKind,
    startTimeUnixNano: nanoseconds(begunAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: encodeAttributes({
      ...attributesOf(detail),
      'collab.open': isOpen ? true : null,
      'error.type': fault,
    }),
    ...(fault === null ? {} : { status: { code: errorStatus, message: fault } }),
  };
}

/** More digits than a number holds exactly. */
function nanoseconds(micros: number): string {
  return `${micros}000`;
}

function nameOf(detail: SpanDetail): string {
  switch (detail.kind) {
    case 'run':
      return `invoke_workflow ${workflowName(detail.runKind)}`;
    case 'phase':
      return `phase ${detail.phase}`;
    case 'step':
      return `step ${detail.step}`;
    case 'call':
      return `invoke_agent ${detail.call.agent.role}`;
    case 'agent':
      return `invoke_agent ${detail.type}`;
    case 'tool':
      return `execute_tool ${detail.name}`;
    case 'question':
      return `question ${detail.asks}`;
  }
}

function workflowName(runKind: string | null): string {
  return runKind === null ? 'collab' : `collab ${runKind}`;
}

function attributesOf(detail: SpanDetail): Attributes {
  switch (detail.kind) {
    case 'run':
      return {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': workflowName(detail.runKind),
        'gen_ai.conversation.id': detail.conversationId,
        'collab.run.id': detail.runId,
        'collab.run.state': detail.state,
        'collab.run.outcome': detail.outcome,
      };
    case 'phase':
      return { 'collab.phase': detail.phase, 'collab.phase.round': detail.round };
    case 'step':
      return { 'collab.step': detail.step, 'collab.step.attempt': detail.attempt };
    case 'call':
      return callAttributes(detail.call);
    case 'agent':
      return {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': detail.type,
        'gen_ai.provider.name': detail.provider,
      };
    case 'tool':
      return {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': detail.name,
        'gen_ai.tool.call.id': detail.callId,
      };
    case 'question':
      return { 'collab.question': detail.asks, 'collab.question.answered_by': detail.answeredBy };
  }
}

/** The conventions count cached input as input, too. */
function callAttributes({ agent, model, tokens, cost }: AgentCall): Attributes {
  const cacheWrites = tokens.cache_write_5m + tokens.cache_write_1h;
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': agent.provider,
    'gen_ai.agent.name': agent.role,
    'gen_ai.request.model': agent.model ?? model,
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': tokens.input + tokens.cache_read + cacheWrites,
    'gen_ai.usage.output_tokens': tokens.output,
    'gen_ai.usage.cache_read.input_tokens': tokens.cache_read,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrites,
    'gen_ai.usage.reasoning.output_tokens': tokens.reasoning,
    'collab.cost.usd': cost === null ? null : { usd: cost },
  };
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: AttributeValue) {
  switch (typeof value) {
    case 'string':
      return { stringValue: inShort(value, mostCharacters) };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return { intValue: String(value) };
    default:
      return { doubleValue: value.usd };
  }
}
