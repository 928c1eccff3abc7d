import { expect, test } from 'vitest';
import { openKnownModels } from './known-models.ts';

test('X002-21.1 a model that two providers offer has the name that its own provider gives it', () => {
  const { modelName, profile } = openKnownModels();
  expect(modelName('claude-opus-5-5', 'anthropic')).toBe('Claude Opus 5.5');
  expect(modelName('claude-opus-5-5', 'claude_code')).toBe('Claude Opus 5.5 in Claude Code');
  expect(modelName('claude-opus-5-5-20261101', 'anthropic')).toBe('Claude Opus 5.5');
  expect(profile('claude-opus-5-5', 'anthropic')?.basic_info.provider).toBe('anthropic');
});

test('a model of an unknown provider has the facts of the first one that offers it, an unknown model its id', () => {
  const { modelName, contextLength } = openKnownModels();
  expect(modelName('claude-opus-5-5', 'rehearsal')).toBe('Claude Opus 5.5');
  expect([modelName('some-model', 'anthropic'), contextLength('some-model')]).toEqual(['some-model', null]);
});
