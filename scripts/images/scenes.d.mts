export interface Scene {
  readonly image: string;
  readonly sources: readonly string[];
}
export const scenes: readonly Scene[];
