import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../shared/bearer.ts';

/** The calls that query collections, partitions, indexes and aliases. Every request is a POST. */
const questions: ReadonlySet<string> = new Set(['list', 'describe', 'has', 'get_stats', 'get_load_state']);

const administration: ReadonlySet<string> = new Set(['users', 'roles', 'privilege_groups', 'databases']);

/** Callers read and write entities. Creating or dropping a collection, a user or a role changes what all share. */
const allows = ({ method, segments: [first, collection = '', call = ''] }: AllowedRequest): boolean =>
  method === 'POST' &&
  first === 'vectordb' &&
  !administration.has(collection) &&
  (collection === 'entities' || questions.has(call));

/**
 * https://milvus.io/api-reference/restful/v2.6.x/About.md. It has no default address, so a target specifies its host, without a
 * version: `custom_host: "http://127.0.0.1:19530"`. The credential is a token, or `<user>:<password>`.
 */
export const milvus: Provider = defineProvider({
  id: 'milvus',
  documentation: 'https://milvus.io/api-reference/restful/v2.6.x/About.md',
  credential: 'optional',
  speaks: {},
  headers: bearer,
  changesAccount: onlyAllows(allows),
});
