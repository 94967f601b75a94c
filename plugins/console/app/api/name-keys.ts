/** The names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>;

const idForm = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/** Whether a text is an id, and nothing else. */
export const isId = (text: string): boolean => text.match(idForm)?.[0] === text;

/** Returns the ids in some texts, in order, each once. */
export const findIds = (texts: readonly (string | null | undefined)[]): readonly string[] =>
  [...new Set(texts.flatMap((text) => text?.match(idForm) ?? []))].sort();

/** Replaces the ids of keys in a text by their names. */
export const nameKeys = (text: string, names: KeyNames): string => text.replace(idForm, (id) => names.get(id) ?? id);
