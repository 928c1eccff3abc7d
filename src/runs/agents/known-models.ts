/**
 * Facts about a model, by its id, from the profiles in this package: for streams that people read (X002-4, X002-21).
 */
import { readProfiles } from '../../providers/profiles/profile-folder.ts';
import type { Profile } from '../../providers/profiles/profile.ts';
import { providerNames } from '../../providers/contract/registry.ts';
import { shippedProfileDir } from '../../providers/profiles/shipped-profiles.ts';

/**
 * Reads the profiles at the first question about a model. A dated id counts as its family's: `claude-sonnet-5-20260101`. A
 * model that several providers offer is the asked provider's, otherwise the first one's.
 */
export function openKnownModels() {
  let profiles: readonly Profile[] | null = null;

  function find(model: string, provider?: string): Profile | null {
    profiles ??= readAll();
    const family = model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, '');
    const offers = (id: string): readonly Profile[] =>
      profiles?.filter(({ basic_info }) => basic_info.id === id) ?? [];
    const known = [...offers(model), ...offers(family)];
    return known.find(({ basic_info }) => basic_info.provider === provider) ?? known[0] ?? null;
  }

  return {
    /** Returns null if nothing is known. */
    profile: find,
    /** The name for people; the id if nothing is known. */
    modelName: (model: string, provider: string): string => find(model, provider)?.basic_info.name ?? model,
    /** In tokens; null if unknown. */
    contextLength: (model: string): number | null => find(model)?.capabilities.context_length ?? null,
  };
}

function readAll(): readonly Profile[] {
  return providerNames
    .flatMap((provider) => readProfiles(shippedProfileDir(provider), provider))
    .flatMap(({ profile }) => (profile === null ? [] : [profile]));
}
