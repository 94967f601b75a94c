import { createHash } from 'node:crypto';
import type { Operation, TenantId } from '../../../plugins/sdk/exchange.ts';
import type { RawHeaders } from '../../../plugins/sdk/http.ts';
import type { JsonObject } from '../../../schema/json.ts';

/** Everything that decides the answer to a request. What is not here may differ between two requests with one answer. */
export interface KeyParts {
  readonly tenant: TenantId;
  /** The fingerprint of the credential. */
  readonly credential: string;
  readonly provider: string;
  readonly method: string;
  /** With the query. */
  readonly url: string;
  /** What goes upstream, without signatures. */
  readonly headers: RawHeaders;
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
  /** What the client gets: its dialect, the operation, and the framing if it asked for a stream. */
  readonly dialect: string;
  readonly operation: Operation;
  readonly framing: string | undefined;
  readonly strict: boolean;
  /** What the answer is written with, if it is translated. */
  readonly model: string | undefined;
  readonly streamUsage: boolean;
  /** The member of a stream's frames that is left out. */
  readonly strip: string | undefined;
  /** Names the checks that a stored answer has passed, and the secrets they were asked with. */
  readonly outputChecks: string;
  /** What the caller separates its answers by: its namespace, or else its metadata. */
  readonly partition: { readonly namespace: string } | { readonly metadata: JsonObject };
  /** The caller, where plugins change what is sent or received and may do so by who calls. */
  readonly caller: readonly string[] | undefined;
}

/** Names that are equal whatever their case. */
const lowerNames = (headers: RawHeaders): readonly string[] =>
  headers.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text));

/** Sorted by name, since the order of members says nothing. */
const sorted = (members: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));

/** The ids of a key. JSON keeps the parts apart, so that no two lists of parts give the same text. */
export const cacheId = ({ body, ...parts }: KeyParts): { readonly id: string; readonly scope: string } => {
  const { partition } = parts;
  const text = JSON.stringify([
    parts.tenant,
    parts.credential,
    parts.provider,
    parts.method,
    parts.url,
    lowerNames(parts.headers),
    parts.dialect,
    parts.operation,
    parts.framing,
    parts.strict,
    parts.model,
    parts.streamUsage,
    parts.strip,
    parts.outputChecks,
    'namespace' in partition ? partition.namespace : sorted(partition.metadata),
    parts.caller,
  ]);
  const scope = createHash('sha256').update(text).digest('hex');
  return { scope, id: createHash('sha256').update(scope).update(body).digest('hex') };
};
