import type { KyselyPlugin } from 'kysely';

const reading: readonly string[] = ['SelectQueryNode', 'SetOperationNode', 'RawNode'];

/** Refuses to write where no transaction is, on all databases alike. */
export const readsOnly: KyselyPlugin = {
  transformQuery({ node }) {
    if (reading.includes(node.kind)) return node;
    throw new TypeError('The store is written by store.write alone; store.db is for reading.');
  },
  transformResult: async ({ result }) => result,
};
