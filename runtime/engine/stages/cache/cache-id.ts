import { createHash, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Operation, TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { LeafNode } from '../../../../schema/plan/plan.ts';

/** Everything that determines the answer to a request. Requests that differ only in other things share an answer. */
export interface KeyParts {
  readonly tenant: TenantId;
  /** The fingerprint of the credential. */
  readonly credential: string;
  readonly provider: string;
  readonly method: string;
  /** Includes the query. */
  readonly url: string;
  /** The headers that are sent upstream, without signatures. */
  readonly headers: RawHeaders;
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
  /** The client's request, if its answer depends on more of it than the provider receives. Otherwise undefined. */
  readonly asked: string | undefined;
  /** How the client receives the answer: its dialect, the operation, and the framing if it requested a stream. */
  readonly dialect: string;
  readonly operation: Operation;
  readonly framing: string | undefined;
  readonly strict: boolean;
  /** The model that is written into the answer, if it is translated. */
  readonly model: string | undefined;
  readonly streamUsage: boolean;
  /** The member that is omitted from a stream's frames. */
  readonly strip: string | undefined;
  /** Identifies the checks that a stored answer has passed, and the secrets that they were called with. */
  readonly outputChecks: string;
  /** The values by which the caller separates its answers: its namespace, or otherwise its metadata. */
  readonly partition: { readonly namespace: string } | { readonly metadata: JsonObject };
  /** The caller, if plugins change what is sent or received, because the change may depend on the caller. */
  readonly caller: readonly string[] | undefined;
}

type ScopeParts = Omit<KeyParts, 'body' | 'asked'>;

/** Returns header lines with lower-case names, because case does not matter. */
const lowerNames = (headers: RawHeaders): readonly string[] =>
  headers.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text));

/** Sorts members by name, because their order means nothing. */
const sorted = (members: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the members of a scope in a fixed order. Stores keep ids derived from it, so the order must never change. */
const inOrder = (
  parts: ScopeParts,
  { headers, partition }: { readonly headers: unknown; readonly partition: unknown },
): readonly unknown[] => [
  parts.tenant,
  parts.credential,
  parts.provider,
  parts.method,
  parts.url,
  headers,
  parts.dialect,
  parts.operation,
  parts.framing,
  parts.strict,
  parts.model,
  parts.streamUsage,
  parts.strip,
  parts.outputChecks,
  partition,
  parts.caller,
];

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.every((part, at) => part === other[at]);

interface Remembered {
  readonly parts: readonly unknown[];
  readonly scope: string;
}

/** The last scope of each leaf. Their number is limited, because each contains what a client sent. */
const remembered = new LRUCache<LeafNode, Remembered>({ max: 100 });

/**
 * Returns the part of the id that is shared by requests that differ only in their bodies. This is true of many of a leaf's
 * requests, and comparing the other parts costs less than hashing them.
 */
const toScope = (leaf: LeafNode, parts: ScopeParts): string => {
  const { headers } = parts;
  const partition = 'namespace' in parts.partition ? parts.partition.namespace : sorted(parts.partition.metadata);
  const compared = inOrder(parts, { headers, partition: JSON.stringify(partition) });
  const last = remembered.get(leaf);
  if (last !== undefined && isSame(compared, last.parts)) return last.scope;
  // JSON keeps the parts apart, so that no two lists of parts result in the same text.
  const scope = hash('sha256', JSON.stringify(inOrder(parts, { headers: lowerNames(headers), partition })));
  remembered.set(leaf, { parts: compared, scope });
  return scope;
};

/** Returns the ids of the key of a leaf's request. */
export const cacheId = (leaf: LeafNode, parts: KeyParts): { readonly id: string; readonly scope: string } => {
  const scope = toScope(leaf, parts);
  const id = createHash('sha256').update(scope).update(parts.body);
  // A hash has a fixed length, so that no two other pairs of texts concatenate to the same text.
  if (parts.asked !== undefined) id.update(hash('sha256', parts.asked));
  return { scope, id: id.digest('hex') };
};
