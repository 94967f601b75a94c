import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readId, readNote, writeAlone, writeNote } from '../../../../plugins/control/logs/encoding/note-codec.ts';
import { NoteReader, NoteWriter } from '../../../../plugins/control/logs/encoding/note-writer.ts';
import type { Note, NotedRequest } from '../../../../plugins/control/logs/encoding/noted-request.ts';
import { recordedChecks } from '../../../../plugins/control/logs/encoding/trail-codec.ts';
import { timeOfId } from '../../../../plugins/control/logs/writer/stored-id.ts';
import { toRecord } from '../../../../plugins/control/logs/writer/to-record.ts';
import type { HookResult } from '../../../../plugins/sdk/hooks/hook-result.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { anyNote } from './support/any-note.ts';

/** The time of all notes. Their ids may be later, because other test files in this process may have created ids. */
const now = Date.now();

const toBytes = (writer: NoteWriter): Buffer => toBuffer(writer.part(0, writer.length));

const readAll = (bytes: Buffer): readonly NotedRequest[] => {
  const reader = new NoteReader();
  reader.begin(bytes);
  const notes: NotedRequest[] = [];
  while (!reader.isAtEnd) notes.push(readNote(reader));
  return notes;
};

/** Removes members that are undefined, because they count as absent. */
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const withoutIds = (notes: readonly NotedRequest[]): readonly Omit<NotedRequest, 'id'>[] =>
  notes.map(({ id: _id, ...note }) => plain(note));

const sample: Note = {
  ...{ organisation: 'o', workspace: 'w', operation: 'converse', targets: {}, balanced: false, checks: [] },
  line: { trace: 't', seed: 1, plan: null, route: 'POST /v1', status: 200, end: 'complete', ms: 1.5, trail: [] },
};

describe('notes', () => {
  it('are all read as they were written and in the same order, whatever texts they contain', () => {
    fc.assert(
      fc.property(fc.array(anyNote, { maxLength: 5 }), (given) => {
        const writer = new NoteWriter(16);
        for (const note of given) writeNote(writer, note, now);
        const notes = readAll(toBytes(writer));
        expect(withoutIds(notes)).toEqual(given.map(plain));
        for (const { id } of notes) expect(timeOfId(id)).toBeGreaterThanOrEqual(now);
        expect(notes.map(({ id }) => id)).toEqual([...new Set(notes.map(({ id }) => id))].sort());
      }),
      lawRuns,
    );
  });

  it('have a record that both databases can store, also if only the reader has checked its texts', () => {
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(anyNote, (given) => {
        const writer = new NoteWriter();
        writeNote(writer, given, now);
        const reader = new NoteReader();
        reader.begin(toBytes(writer));
        const note = readNote(reader);
        seen.add(reader.isStorable);
        expect(toRecord(note, { isStorable: reader.isStorable })).toEqual(toRecord(note));
      }),
      lawRuns,
    );
    expect([...seen].sort()).toEqual([false, true]);
  });

  it('are the same if each is written and read on its own', () => {
    fc.assert(
      fc.property(fc.array(anyNote, { maxLength: 3 }), (given) => {
        const writer = new NoteWriter();
        for (const note of given) writeNote(writer, note, now);
        const together = readAll(toBytes(writer));
        const alone = together.flatMap((note) => {
          const own = new NoteWriter(16);
          writeAlone(own, note);
          return readAll(toBytes(own));
        });
        expect(plain(alone)).toEqual(plain(together));
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 4) },
    );
  });

  it('have the ids that can be read from their bytes', () => {
    const writer = new NoteWriter();
    const starts = [1, 2, 3].map(() => {
      const at = writer.length;
      writeNote(writer, sample, now);
      return at;
    });
    const bytes = toBytes(writer);
    expect(starts.map((at) => readId(bytes, at))).toEqual(readAll(bytes).map(({ id }) => id));
  });

  it('are read without earlier notes in the same memory', () => {
    const writer = new NoteWriter();
    writeNote(writer, sample, now);
    writer.restart();
    writeNote(writer, sample, now);
    writeNote(writer, { ...sample, workspace: 'another' }, now);
    expect(readAll(toBytes(writer)).map(({ workspace }) => workspace)).toEqual(['w', 'another']);
  });

  it('contain a text that they share only once', () => {
    const writer = new NoteWriter();
    writeNote(writer, sample, now);
    const first = writer.length;
    writeNote(writer, sample, now);
    expect(writer.length - first).toBeLessThan(first);
    expect(toBytes(writer).toString('latin1').split('converse')).toHaveLength(2);
  });

  it('are refused if they cannot be converted to JSON', () => {
    const broken = Object.defineProperty({}, 'team', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const line = { ...sample.line, metadata: broken };
    expect(() => writeNote(new NoteWriter(), { ...sample, line }, now)).toThrow('no');
  });

  it('are refused if their bytes are not those of notes', () => {
    expect(() => readAll(Buffer.from([9, ...new Uint8Array(16)]))).toThrow('There is no note of the kind 9.');
    expect(() => readAll(Buffer.from([0, 1, 2]))).toThrow(RangeError);
  });
});

it('a record shows which check failed with an error', () => {
  const check = { data: null, execution_time: 1, created_at: 1, transformed: false, log: null };
  const error = { name: 'Error', message: 'secret text' };
  const result: HookResult = {
    ...{ verdict: true, id: 'words', transformed: false, feedback: null, execution_time: 1, async: false },
    ...{ type: 'guardrail', created_at: 1, deny: false },
    checks: [
      { ...check, id: 'own.first', verdict: true, error, fail_on_error: false },
      { ...check, id: 'own.second', verdict: true },
    ],
  };
  expect(recordedChecks([{ path: rootPointer, phase: 'input', result }])).toEqual([
    {
      ...{ id: 'words', path: '', phase: 'input', verdict: true, deny: false },
      checks: [
        { id: 'own.first', verdict: true, erred: true },
        { id: 'own.second', verdict: true },
      ],
    },
  ]);
});
