import { expect, expectTypeOf, test } from 'vitest';
import type * as Specification from '../../../test/fixtures/streaming/specification-types.ts';
import type * as Ours from './event.ts';
import { streamingEventNames } from './event.ts';
import * as guards from './guards.ts';

/** The types of the specification's section, by name. */
interface Specified {
  BaseEventData: Specification.BaseEventData;
  InitEventData: Specification.InitEventData;
  InitEvent: Specification.InitEvent;
  ThinkingEventData: Specification.ThinkingEventData;
  ThinkingEvent: Specification.ThinkingEvent;
  TextBlock: Specification.TextBlock;
  ContentBlock: Specification.ContentBlock;
  AssistantEventData: Specification.AssistantEventData;
  AssistantEvent: Specification.AssistantEvent;
  ToolCallEventData: Specification.ToolCallEventData;
  ToolCallEvent: Specification.ToolCallEvent;
  ToolStatus: Specification.ToolStatus;
  ToolResultEventData: Specification.ToolResultEventData;
  ToolResultEvent: Specification.ToolResultEvent;
  SubagentStartEventData: Specification.SubagentStartEventData;
  SubagentStartEvent: Specification.SubagentStartEvent;
  SubagentEndEventData: Specification.SubagentEndEventData;
  SubagentEndEvent: Specification.SubagentEndEvent;
  ProgressType: Specification.ProgressType;
  ToolProgressStatus: Specification.ToolProgressStatus;
  ProgressEventData: Specification.ProgressEventData;
  ProgressEvent: Specification.ProgressEvent;
  TitleEventData: Specification.TitleEventData;
  TitleEvent: Specification.TitleEvent;
  PingEventData: Specification.PingEventData;
  PingEvent: Specification.PingEvent;
  WarningLevel: Specification.WarningLevel;
  RecommendedAction: Specification.RecommendedAction;
  ContextStatusEventData: Specification.ContextStatusEventData;
  ContextStatusEvent: Specification.ContextStatusEvent;
  UsageInfo: Specification.UsageInfo;
  ModelUsageInfo: Specification.ModelUsageInfo;
  DoneStatus: Specification.DoneStatus;
  DoneEventData: Specification.DoneEventData;
  DoneEvent: Specification.DoneEvent;
  ErrorType: Specification.ErrorType;
  ErrorEventData: Specification.ErrorEventData;
  ErrorEvent: Specification.ErrorEvent;
  StreamingEvent: Specification.StreamingEvent;
  ExecutorInfo: Specification.ExecutorInfo;
  StreamRequest: Specification.StreamRequest;
}

interface Written {
  BaseEventData: Ours.BaseEventData;
  InitEventData: Ours.InitEventData;
  InitEvent: Ours.InitEvent;
  ThinkingEventData: Ours.ThinkingEventData;
  ThinkingEvent: Ours.ThinkingEvent;
  TextBlock: Ours.TextBlock;
  ContentBlock: Ours.ContentBlock;
  AssistantEventData: Ours.AssistantEventData;
  AssistantEvent: Ours.AssistantEvent;
  ToolCallEventData: Ours.ToolCallEventData;
  ToolCallEvent: Ours.ToolCallEvent;
  ToolStatus: Ours.ToolStatus;
  ToolResultEventData: Ours.ToolResultEventData;
  ToolResultEvent: Ours.ToolResultEvent;
  SubagentStartEventData: Ours.SubagentStartEventData;
  SubagentStartEvent: Ours.SubagentStartEvent;
  SubagentEndEventData: Ours.SubagentEndEventData;
  SubagentEndEvent: Ours.SubagentEndEvent;
  ProgressType: Ours.ProgressType;
  ToolProgressStatus: Ours.ToolProgressStatus;
  ProgressEventData: Ours.ProgressEventData;
  ProgressEvent: Ours.ProgressEvent;
  TitleEventData: Ours.TitleEventData;
  TitleEvent: Ours.TitleEvent;
  PingEventData: Ours.PingEventData;
  PingEvent: Ours.PingEvent;
  WarningLevel: Ours.WarningLevel;
  RecommendedAction: Ours.RecommendedAction;
  ContextStatusEventData: Ours.ContextStatusEventData;
  ContextStatusEvent: Ours.ContextStatusEvent;
  UsageInfo: Ours.UsageInfo;
  ModelUsageInfo: Ours.ModelUsageInfo;
  DoneStatus: Ours.DoneStatus;
  DoneEventData: Ours.DoneEventData;
  DoneEvent: Ours.DoneEvent;
  ErrorType: Ours.ErrorType;
  ErrorEventData: Ours.ErrorEventData;
  ErrorEvent: Ours.ErrorEvent;
  StreamingEvent: Ours.StreamingEvent;
  ExecutorInfo: Ours.ExecutorInfo;
  StreamRequest: Ours.StreamRequest;
}

/** The fields that may be missing. */
type Optional<Type> = Type extends object
  ? { [Key in keyof Type]-?: object extends Pick<Type, Key> ? Key : never }[keyof Type]
  : never;

type Extra = 'cost_known' | 'messages_omitted' | 'retry_after_ms' | 'cause' | 'parent_agent_id';

test('R002-41 each type of the specification can be assigned to ours, and ours to it', () => {
  expectTypeOf<Specified>().toExtend<Written>();
  expectTypeOf<Written>().toExtend<Specified>();
});

test('R002-41 the same fields are optional, but for those that we add', () => {
  expectTypeOf<OptionalFields<Specified>>().toExtend<OptionalFields<Written>>();
  expectTypeOf<OptionalFields<WithoutExtra<Written>>>().toEqualTypeOf<
    OptionalFields<WithoutExtra<Specified>>
  >();
});

type OptionalFields<Types> = { [Name in keyof Types]: Optional<Types[Name]> };
type WithoutExtra<Types> = {
  [Name in keyof Types]: Types[Name] extends Ours.BaseEventData | Ours.ModelUsageInfo
    ? Omit<Types[Name], Extra>
    : Types[Name];
};

test('R002-42 thirteen guards tell the events apart', () => {
  const found = Object.entries(guards).map(([name, guard]) => {
    const known = streamingEventNames.filter((event) => guard(named(event)));
    return [name, known];
  });
  const expected = streamingEventNames.map((event) => [`is${pascal(event)}Event`, [event]]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(found).toHaveLength(13);
});

function named(event: Ours.StreamingEvent['event']): Ours.StreamingEvent {
  return JSON.parse(JSON.stringify({ event, data: {} }));
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
