import { inPlace, type Place } from '../packed/place.ts';
import { test as visitorTest } from './visitor.ts';

export const executor = { user_id: 'user-001', name: 'User', email: 'user@example.com' };

/** A test with a visitor, and a place where the installed command serves. */
export const test = visitorTest.extend<{ place: Place }>({
  // oxlint-disable-next-line no-empty-pattern
  place: async ({}, use) => inPlace(use),
});
