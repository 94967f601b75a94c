import { gatewayError } from '../../../../schema/errors/errors.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { JsonReply } from '../../../sdk/route/route-row.ts';
import { headerError } from './refusals.ts';
import { ok } from './replies.ts';

/** Returns the entity tag of a record. It differs after each change. */
const toEtag = ({ updated_at }: { readonly updated_at: number }): string => `"${updated_at.toString(36)}"`;

/** Returns a 200 response with a record as it is shown, and the entity tag of its row. */
export const withEtag = (row: { readonly updated_at: number }, body: object): JsonReply => ({
  ...ok(body),
  headers: ['etag', toEtag(row)],
});

/** The header of responses that contain a record. */
export const etagSchema = {
  type: 'object',
  properties: {
    etag: {
      type: 'string',
      description: 'Changes with every change of the record; send it as if-match in a change.',
    },
  },
} as const;

/** The header of requests that change a record. */
export const ifMatchSchema = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      description: 'The etag of the record as it was read. If the record has changed since, the request is refused.',
    },
  },
} as const;

/** The entity tags that a record may have for a change to be made; any if absent. */
export type Precondition = ReadonlySet<string> | undefined;

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
/** Elements may be empty (RFC 9110, section 5.6.1.2). */
const list = new RegExp(`^[ \t,]*${tag}(?:[ \t]*,[ \t,]*${tag})*[ \t,]*$`);

/**
 * Reads `if-match` (RFC 9110, section 13.1.1). Weak tags match nothing.
 *
 * @throws GatewayError `invalid-input` for what is neither `*` nor a list of entity tags
 */
export const readIfMatch = (headers: RawHeaders): Precondition => {
  const value = headerValue(headers, 'if-match')?.trim();
  if (value === undefined || value === '*') return undefined;
  if (list.test(value)) return new Set(value.match(new RegExp(tag, 'g')));
  throw headerError(
    'if-match',
    'It is not a list of entity tags.',
    'Send the etag of the answer that the record was read from, with its quotation marks.',
  );
};

/** Throws the `GatewayError` `precondition-failed` if a record has changed. */
export const refuseChanged = (
  row: { readonly updated_at: number },
  { precondition, what, name }: { readonly precondition: Precondition; readonly what: string; readonly name: string },
): void => {
  if (precondition !== undefined && !precondition.has(toEtag(row)))
    throw gatewayError('precondition-failed', { what, name: name.slice(0, 255) });
};
