import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileFileName, readProfile, type Profile, type ReadProfile } from './profile.ts';

export interface ProfileInFolder extends ReadProfile {
  readonly fileName: string;
}

/** Every profile of a provider, in the order of the names; none where there is no such folder. */
export function readProfiles(folder: string, provider: string): readonly ProfileInFolder[] {
  return profileFiles(folder).map((fileName) => ({
    fileName,
    ...readProfile({ text: readFileSync(join(folder, fileName), 'utf8'), fileName, provider }),
  }));
}

/** Null where there is none, or none that can be read. */
export function findProfile(folder: string, provider: string, modelId: string): Profile | null {
  const fileName = profileFileName(modelId);
  if (!profileFiles(folder).includes(fileName)) return null;
  return readProfile({ text: readFileSync(join(folder, fileName), 'utf8'), fileName, provider }).profile;
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
