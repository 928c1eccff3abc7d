/**
 * A BCP 47 tag such as `ja` or `pt-BR`; the name of a language fits as well. It is part of every prompt, so it must
 * not allow a sentence.
 */
export const languagePattern = /^[A-Za-z]{2,20}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

export const languageFault = 'must be a language tag such as ja or pt-BR';
