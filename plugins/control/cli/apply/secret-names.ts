import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';

/** A secret that an exported file refers to. */
export interface SecretPlace {
  /** The path of the file without its ending. */
  readonly key: string;
  readonly pointer: JsonPointer;
}

/** Members that say nothing of a secret. */
const plain = ['config', 'credential', 'checks'];

const toVariable = (words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^(?=\d)|^_+/g, (start) => (start === '' ? '_' : ''));

/** The names that a secret may have, from the shortest, which several may share, to the one that is its own. */
const toNames = ({ key, pointer }: SecretPlace): readonly string[] => {
  const folders = key.split('/');
  const place = fromPointer(pointer).filter((token) => !plain.includes(token));
  return [1, 3, folders.length].map((count) => toVariable([...folders.slice(-count), ...place]));
};

/** Gives each secret the name of a variable: the shortest that is its own, and the same one for the same records. */
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
