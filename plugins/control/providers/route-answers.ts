import type { JsonObject } from '../../../schema/json.ts';
import type { JsonReply } from '../../sdk/route-row.ts';

/** A record is JSON. */
const toJson = (record: object): JsonObject => record as JsonObject;

export const recordReply = (record: object): JsonReply => ({ status: 200, body: toJson(record) });

export const doneReply = ({ id, slug }: { readonly id: string; readonly slug: string }): JsonReply => ({
  status: 200,
  body: { success: true, data: { id, slug } },
});

export const listReply = ({
  total,
  data,
}: {
  readonly total: number;
  readonly data: readonly object[];
}): JsonReply => ({
  status: 200,
  body: { object: 'list', total, data: data.map(toJson) },
});

export const emptyReply: JsonReply = { status: 200, body: {} };
