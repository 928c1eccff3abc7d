/**
 * Facts about a model, by its id, from the profiles in this package: for streams that show them to people (X002-4,
 * X002-21).
 */
import { readProfiles } from '../../providers/profiles/profile-folder.ts';
import type { Profile } from '../../providers/profiles/profile.ts';
import { providerNames } from '../../providers/contract/registry.ts';
import { shippedProfileDir } from '../../providers/profiles/shipped-profiles.ts';

export interface KnownModels {
  /** Returns null if nothing is known. */
  readonly profile: (model: string) => Profile | null;
  /** The name for people; the id if nothing is known. */
  readonly modelName: (model: string) => string;
  /** In tokens; null if unknown. */
  readonly contextLength: (model: string) => number | null;
}

/**
 * Reads the profiles at the first question about a model. A dated id counts as its family's:
 * `claude-sonnet-5-20260101`.
 */
export function openKnownModels(): KnownModels {
  let profiles: ReadonlyMap<string, Profile> | null = null;

  function find(model: string): Profile | null {
    profiles ??= readAll();
    const known = profiles.get(model) ?? profiles.get(model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, ''));
    return known ?? null;
  }

  return {
    profile: find,
    modelName: (model) => find(model)?.basic_info.name ?? model,
    contextLength: (model) => find(model)?.capabilities.context_length ?? null,
  };
}

function readAll(): ReadonlyMap<string, Profile> {
  const found = providerNames.flatMap((provider) => readProfiles(shippedProfileDir(provider), provider));
  return new Map(
    found.flatMap(({ profile }) => (profile === null ? [] : [[profile.basic_info.id, profile] as const])),
  );
}
