import { anthropic } from './anthropic.ts';
import type { ProviderFixture } from './fixture.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

/** A new provider is added here. */
export const everyProvider: readonly ProviderFixture[] = [anthropic, gemini, openaiChat, openaiResponses];
