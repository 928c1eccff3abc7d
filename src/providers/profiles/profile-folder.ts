import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readNamed } from '../../system/files/read.ts';
import { profileFileName, readProfile, type Profile, type ReadProfile } from './profile.ts';

export interface ProfileInFolder extends ReadProfile {
  readonly fileName: string;
}

/** Reads every profile of a provider, ordered by name; none if there is no such folder. */
export function readProfiles(folder: string, provider: string): readonly ProfileInFolder[] {
  return profileFiles(folder).map((fileName) => ({
    fileName,
    ...readProfile({
      text: readNamed(join(folder, fileName), fileName).toString('utf8'),
      fileName,
      provider,
    }),
  }));
}

/** Returns null if there is no readable profile. */
export function findProfile(folder: string, provider: string, modelId: string): Profile | null {
  const fileName = profileFileName(modelId);
  if (!profileFiles(folder).includes(fileName)) return null;
  return readProfile({
    text: readNamed(join(folder, fileName), fileName).toString('utf8'),
    fileName,
    provider,
  }).profile;
}

function profileFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
  } catch {
    return [];
  }
}
