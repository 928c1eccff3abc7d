export const languages = ['en', 'ja'] as const;
export type PageLanguage = (typeof languages)[number];

/** Each in itself. */
export const languageNames: Readonly<Record<PageLanguage, string>> = { en: 'English', ja: '日本語' };

/** The texts of one part of the page, in every language. */
export type Words<Catalogue> = Readonly<Record<PageLanguage, Catalogue>>;

/** A key that is missing in one language does not compile. */
export function defineWords<Catalogue>(words: {
  readonly en: Catalogue;
  readonly ja: NoInfer<Catalogue>;
}): Words<Catalogue> {
  return words;
}
