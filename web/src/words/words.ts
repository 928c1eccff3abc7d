export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

/** The texts of one part of the page, in every language. */
export type Words<Catalogue> = Readonly<Record<Language, Catalogue>>;

/** A key that one language has and the other lacks does not compile. */
export function defineWords<Catalogue>(words: {
  readonly en: Catalogue;
  readonly ja: NoInfer<Catalogue>;
}): Words<Catalogue> {
  return words;
}
