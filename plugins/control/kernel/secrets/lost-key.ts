/**
 * What an operator is told whose store is sealed with a key that is not in the store's own file: what the file is, and what
 * can be done. No command brings back what was sealed with a key that is gone.
 */
export const lostKeyText = (file: string, exists: boolean): string => {
  const state = exists ? 'has another key' : 'is not there';
  return `The key that a gateway makes for its store is in ${file}, which ${state}: restore that file from the backup that belongs to this store, readable by its owner only. Without the key nobody can read the credentials that are saved in the store; to begin without them, name another file with --store, and save them again.`;
};
