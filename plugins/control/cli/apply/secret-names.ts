import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';

/** A secret that an exported file refers to. */
export interface SecretPlace {
  /** The path of the file without its extension. */
  readonly key: string;
  readonly pointer: JsonPointer;
}

/** Members whose names are omitted from variables. */
const plain = ['config', 'credential', 'checks'];

const toVariable = (words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^(?=\d)|^_+/g, (start) => (start === '' ? '_' : ''));

/** Returns the possible names of a secret, from the shortest, which several secrets may share, to its unique one. */
const toNames = ({ key, pointer }: SecretPlace): readonly string[] => {
  const folders = key.split('/');
  const place = fromPointer(pointer).filter((token) => !plain.includes(token));
  return [1, 3, folders.length].map((count) => toVariable([...folders.slice(-count), ...place]));
};

/** Assigns a variable name to each secret: the shortest unique one, and always the same for the same records. */
export const nameSecrets = (places: readonly SecretPlace[]): ReadonlyMap<string, string> => {
  const candidates = places.map((each) => ({ each, names: toNames(each) }));
  const counts = new Map<string, number>();
  for (const { names } of candidates) for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const taken = new Set<string>();
  const named = new Map<string, string>();
  for (const { each, names } of candidates) {
    const own = names.find((name) => counts.get(name) === 1) ?? names.at(-1) ?? '';
    let name = own;
    for (let number = 2; taken.has(name); number += 1) name = `${own}_${number}`;
    taken.add(name);
    named.set(`${each.key}${each.pointer}`, name);
  }
  return named;
};
