import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { findPlace } from '../../../../../../schema/json/json-places.ts';
import { toPointer } from '../../../../../../schema/json/pointer.ts';
import { repeatedKey } from '../../../../../../schema/json/repeated-key.ts';
import type { ReceivedBody } from '../../../../../sdk/route/route-row.ts';

const at = toPointer(['body']);

const withoutMark = (line: Buffer): Buffer => (line[0] === 0xef ? line.subarray(3) : line);

/** A line that has a key twice is sent as it was validated: its provider might read the other of the two. */
const writtenBody = (line: Buffer, body: JsonObject): Uint8Array => {
  const place = repeatedKey(line) === undefined ? findPlace(line, at) : undefined;
  return place === undefined ? Buffer.from(JSON.stringify(body)) : line.subarray(place.from, place.to);
};

/** The body of a line that was validated, as it is written there: its numbers have all their digits. */
export const lineBody = (line: Buffer, body: JsonObject): ReceivedBody => {
  const bytes = writtenBody(withoutMark(line), body);
  return {
    ...{ contentType: 'application/json', encoding: undefined, length: bytes.length },
    body: { kind: 'bytes', bytes },
    json: () => body,
  };
};
