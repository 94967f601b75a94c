import { createHash, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Operation, TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeafNode } from '../../../schema/plan/plan.ts';

/** Everything that decides the answer to a request. What is not here may differ between two requests with one answer. */
export interface KeyParts {
  readonly tenant: TenantId;
  /** The fingerprint of the credential. */
  readonly credential: string;
  readonly provider: string;
  readonly method: string;
  /** With the query. */
  readonly url: string;
  /** The headers that go upstream, without signatures. */
  readonly headers: RawHeaders;
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
  /** The client's request, where its answer is written by more of it than the provider is sent; else undefined. */
  readonly asked: string | undefined;
  /** The dialect that the client gets: its dialect, the operation, and the framing if it asked for a stream. */
  readonly dialect: string;
  readonly operation: Operation;
  readonly framing: string | undefined;
  readonly strict: boolean;
  /** The model that the answer is written with, if it is translated. */
  readonly model: string | undefined;
  readonly streamUsage: boolean;
  /** The member of a stream's frames that is left out. */
  readonly strip: string | undefined;
  /** Names the checks that a stored answer has passed, and the secrets they were asked with. */
  readonly outputChecks: string;
  /** The values by which the caller separates its answers: its namespace, or else its metadata. */
  readonly partition: { readonly namespace: string } | { readonly metadata: JsonObject };
  /** The caller, where plugins change what is sent or received and may do so by who calls. */
  readonly caller: readonly string[] | undefined;
}

type ScopeParts = Omit<KeyParts, 'body' | 'asked'>;

/** Names that are equal whatever their case. */
const lowerNames = (headers: RawHeaders): readonly string[] =>
  headers.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text));

/** Sorted by name, since the order of members says nothing. */
const sorted = (members: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));

/** Sorts the members of a scope. Stores keep what is made of it, so the order holds for ever. */
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

/** The last scope of each leaf. There are few, since each holds what a client sent. */
const remembered = new LRUCache<LeafNode, Remembered>({ max: 100 });

/**
 * The part of the ids that requests share which differ in nothing but their bodies. Many of a leaf's requests do, and
 * comparing the other parts costs less than hashing them.
 */
const toScope = (leaf: LeafNode, parts: ScopeParts): string => {
  const { headers } = parts;
  const partition = 'namespace' in parts.partition ? parts.partition.namespace : sorted(parts.partition.metadata);
  const compared = inOrder(parts, { headers, partition: JSON.stringify(partition) });
  const last = remembered.get(leaf);
  if (last !== undefined && isSame(compared, last.parts)) return last.scope;
  // JSON keeps the parts apart, so that no two lists of parts give the same text.
  const scope = hash('sha256', JSON.stringify(inOrder(parts, { headers: lowerNames(headers), partition })));
  remembered.set(leaf, { parts: compared, scope });
  return scope;
};

/** The ids of the key of a leaf's request. */
export const cacheId = (leaf: LeafNode, parts: KeyParts): { readonly id: string; readonly scope: string } => {
  const scope = toScope(leaf, parts);
  const id = createHash('sha256').update(scope).update(parts.body);
  // Of one length, so that no other two texts are the same together.
  if (parts.asked !== undefined) id.update(hash('sha256', parts.asked));
  return { scope, id: id.digest('hex') };
};
