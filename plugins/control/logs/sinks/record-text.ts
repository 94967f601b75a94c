import { withoutServiceKeys } from '../../../../schema/credentials/without-service-keys.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { SinkRecord } from '../../../sdk/sink/sink.ts';
import { storableJson } from '../../kernel/store/rows/storable.ts';
import { readBodies, readNote } from '../encoding/note-codec.ts';
import { NoteReader } from '../encoding/note-writer.ts';
import type { NotedRequest } from '../encoding/noted-request.ts';
import { wholeRecordView } from '../records/record-view.ts';
import type { BodyTexts } from '../writer/sealed-bodies.ts';
import { toRecord } from '../writer/to-record.ts';

/** Creates the record of a request as `GET /v1/logs/{id}` shows it before there is any feedback. */
const toSinkRecord = (note: NotedRequest, bodies: string | undefined): SinkRecord => {
  const { record, detail } = toRecord(note);
  const texts: BodyTexts = bodies === undefined ? {} : (parseObject(bodies) ?? {});
  const view = { ...wholeRecordView({ ...record, detail: detail.detail }, texts), feedback: [] };
  // Receivers differ in how they treat unpaired UTF-16 surrogates, and many databases reject U+0000.
  const json = storableJson(withoutServiceKeys(JSON.stringify(view)));
  return {
    id: record.id,
    createdAt: record.created_at,
    workspace: record.workspace_id,
    json,
    read: () => fromJson(json) as JsonObject,
  };
};

/** Yields the records of requests that were handed over, in order. */
export function* readSinkRecords(work: Uint8Array): Generator<SinkRecord, void> {
  const reader = new NoteReader();
  reader.begin(toBuffer(work));
  const bodies = readBodies(reader);
  while (!reader.isAtEnd) {
    const note = readNote(reader);
    yield toSinkRecord(note, bodies.get(note.id));
  }
}
