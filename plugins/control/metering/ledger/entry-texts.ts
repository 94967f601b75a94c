import type { EntryText, LedgerEntry } from './posting.ts';
import { TextTree } from './text-tree.ts';

const toShared = (entry: LedgerEntry): string =>
  JSON.stringify({ ...entry, at: undefined, trace: undefined, usage: undefined }).slice(1);

/** Creates a function that writes entries as JSON. It caches the parts that many entries share. */
export const createEntryWriter = (): ((entry: LedgerEntry) => EntryText) => {
  const shared = new TextTree<string>((text) => text.length);

  const sharedOf = (entry: LedgerEntry): string => {
    const { metadata } = entry;
    let branch = shared.root.at(entry.organisation).at(entry.workspace).at(entry.key).at(entry.config).at(entry.prompt);
    branch = branch.at(entry.provider).at(entry.slug).at(entry.model);
    branch = branch.at(String(entry.isFirst)).at(String(entry.isAttempt));
    for (const name in metadata) branch = branch.at(name).at(metadata[name]);
    return branch.value ?? shared.valueAt(branch, () => toShared(entry));
  };

  return (entry) => ({
    own: `{"at":${entry.at},"trace":${JSON.stringify(entry.trace)},"usage":${JSON.stringify(entry.usage)},`,
    shared: sharedOf(entry),
  });
};
