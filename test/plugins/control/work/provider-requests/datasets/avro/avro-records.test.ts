import { deflateRawSync } from 'node:zlib';
import avro from 'avsc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AvroError } from '../../../../../../../plugins/control/work/provider-requests/datasets/avro/avro-bytes.ts';
import { avroRecords } from '../../../../../../../plugins/control/work/provider-requests/datasets/avro/avro-records.ts';
import type { Json, JsonObject } from '../../../../../../../schema/json/json.ts';
import { lawRuns } from '../../../../../../support/run/law-runs.ts';
import { avroFile } from '../../../../../../support/vendors/batches/avro-file.ts';

const pieces = async function* (bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

const read = async (bytes: Buffer, size = bytes.length): Promise<readonly JsonObject[]> => {
  const records: JsonObject[] = [];
  for await (const record of avroRecords(pieces(bytes, Math.max(size, 1)))) records.push(record);
  return records;
};

/** A schema, and its values as the encoder accepts them and as they are read. */
interface Kind {
  readonly schema: Json;
  readonly value: fc.Arbitrary<readonly [written: unknown, read: Json | null]>;
}

const same = (schema: Json, value: fc.Arbitrary<Json>): Kind => ({ schema, value: value.map((each) => [each, each]) });

const scalar = fc.constantFrom<Kind>(
  same('string', fc.string({ unit: 'binary' })),
  same('boolean', fc.boolean()),
  same('int', fc.integer()),
  // The encoder does not support more digits.
  same('long', fc.integer({ min: -(2 ** 51), max: 2 ** 51 })),
  same('double', fc.double({ noNaN: true, noDefaultInfinity: true })),
  same('float', fc.float({ noNaN: true, noDefaultInfinity: true })),
  same({ type: 'string', logicalType: 'uuid' }, fc.string()),
  { schema: 'bytes', value: fc.uint8Array().map((each) => [Buffer.from(each), Buffer.from(each).toString('base64')]) },
);

let named = 0;

const toName = (): string => {
  named += 1;
  return `ours.name${named}`;
};

const { kind } = fc.letrec<{ readonly kind: Kind; readonly record: Kind }>((tie) => ({
  kind: fc.oneof(
    { maxDepth: 3 },
    scalar,
    tie('kind').map(({ schema, value }) => ({
      schema: { type: 'array', items: schema },
      value: fc
        .array(value, { maxLength: 4 })
        .map((items) => [items.map(([each]) => each), items.map(([, each]) => each)] as const),
    })),
    tie('kind').map(({ schema, value }) => ({
      schema: { type: 'map', values: schema },
      value: fc
        .dictionary(fc.string(), value, { maxKeys: 3 })
        .map((members) =>
          [0, 1].map((side) => Object.fromEntries(Object.entries(members).map(([name, each]) => [name, each[side]]))),
        )
        .map(([written, back]) => [written, back as Json] as const),
    })),
    tie('record'),
  ),
  record: fc.array(fc.tuple(tie('kind'), fc.boolean()), { minLength: 1, maxLength: 4 }).map((members) => ({
    schema: {
      ...{ type: 'record', name: toName() },
      fields: members.map(([{ schema }, isOptional], at) => ({
        name: `member${at}`,
        type: isOptional ? ['null', schema] : schema,
      })),
    },
    value: fc
      .tuple(
        ...members.map(([{ value }, isOptional]) =>
          isOptional ? fc.option(value, { nil: [null, null] as const }) : value,
        ),
      )
      .map((values) => {
        const side = (of: 0 | 1) => values.map((each, at) => [`member${at}`, each[of]] as const);
        return [
          Object.fromEntries(side(0)),
          Object.fromEntries(side(1).filter(([, each]) => each !== null)) as Json,
        ] as const;
      }),
  })),
}));

const file = kind
  .map((of) => ({
    schema: { type: 'record', name: toName(), fields: [{ name: 'value', type: of.schema }] },
    value: of.value.map(([written, back]) => [{ value: written }, { value: back }] as const),
  }))
  .chain(({ schema, value }) =>
    fc.record({ schema: fc.constant(schema), values: fc.array(value, { minLength: 1, maxLength: 6 }) }),
  );

const one = avro.Type.forSchema({ type: 'record', name: 'one', fields: [{ name: 'text', type: 'string' }] });
const texts = (count: number) => Array.from({ length: count }, (_, at) => ({ text: `text ${at} `.repeat(20) }));

const header = (schema: unknown, codec = 'null'): Buffer => {
  const entry = (text: string): Buffer => Buffer.concat([avro.Type.forSchema('string').toBuffer(text)]);
  const meta = [entry('avro.codec'), entry(codec), entry('avro.schema'), entry(JSON.stringify(schema))];
  return Buffer.concat([Buffer.from('Obj\u0001\u0004'), ...meta, Buffer.from([0]), Buffer.alloc(16, 7)]);
};

const block = (count: number, data: Buffer): Buffer => {
  const long = avro.Type.forSchema('long');
  return Buffer.concat([long.toBuffer(count), long.toBuffer(data.length), data, Buffer.alloc(16, 7)]);
};

const readList = (items: Json) => ({
  type: 'record',
  name: 'r',
  fields: [{ name: 'list', type: { type: 'array', items } }],
});

describe('the records of an Avro file', () => {
  it('are what another implementation has written, in whatever pieces the file arrives', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        fc.constantFrom('null' as const, 'deflate' as const),
        fc.integer({ min: 1, max: 200 }),
        async ({ schema, values }, codec, size) => {
          // Unions of one type and null have only one form.
          const type = avro.Type.forSchema(schema as never);
          const bytes = await avroFile(
            type,
            values.map(([written]) => written),
            { codec, blockSize: 64 },
          );
          expect(await read(bytes, size)).toEqual(values.map(([, back]) => back));
        },
      ),
      { numRuns: Math.ceil(lawRuns.numRuns / 4) },
    ));

  it('can have types that contain themselves, have several forms, or are referred to by name', async () => {
    const schema = {
      ...{ type: 'record', name: 'node', namespace: 'tree' },
      fields: [
        { name: 'value', type: ['int', 'string', { type: 'enum', name: 'size', symbols: ['S', 'L'] }] },
        { name: 'hash', type: { type: 'fixed', name: 'four', size: 4 } },
        { name: 'next', type: ['null', 'node'] },
        { name: 'other', type: ['null', 'tree.four'] },
      ],
    };
    const type = avro.Type.forSchema(schema as never, { wrapUnions: 'always' } as never);
    const [four, back] = [Buffer.from([1, 2, 3, 4]), 'AQIDBA=='];
    const end = { value: { 'tree.size': 'L' }, hash: four, next: null, other: { 'tree.four': four } };
    const written = { value: { int: -3 }, hash: four, other: null };
    const bytes = await avroFile(type, [{ ...written, next: { 'tree.node': end } }]);
    expect(await read(bytes)).toEqual([{ value: -3, hash: back, next: { value: 'L', hash: back, other: back } }]);
  });

  it('can have 64-bit numbers, with the precision of numbers in JSON', async () => {
    const toBytes = (value: bigint): Buffer => {
      const bytes: number[] = [];
      for (let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)); ; rest >>= 7n) {
        bytes.push(Number(rest & 127n) + (rest > 127n ? 128 : 0));
        if (rest <= 127n) return Buffer.from(bytes);
      }
    };
    const schema = { type: 'record', name: 'r', fields: [{ name: 'value', type: 'long' }] };
    const most = 2n ** 53n - 1n;
    for (const value of [0n, -1n, most, -most, most / 2n + 2n, -most / 2n - 2n, 2n ** 63n - 1n, -(2n ** 63n)])
      expect(await read(Buffer.concat([header(schema), block(1, toBytes(value))]))).toEqual([{ value: Number(value) }]);
  });

  it('cannot be read from a file that is cut anywhere except between its blocks', async () => {
    const whole = await avroFile(one, texts(4), { blockSize: 300 });
    const sync = whole.subarray(-16);
    const ends = new Set<number>();
    for (let at = whole.indexOf(sync); at !== -1; at = whole.indexOf(sync, at + 16)) ends.add(at + 16);
    expect(ends.size).toBeGreaterThan(2);
    for (let length = 0; length < whole.length; length += 1) {
      const reading = read(whole.subarray(0, length));
      if (ends.has(length)) await reading;
      else await expect(reading).rejects.toThrow(AvroError);
    }
  });

  it('are read from corrupted bytes, or an AvroError is thrown', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const bytes = Buffer.from(await avroFile(one, texts(3), { codec: 'deflate', blockSize: 300 }));
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          try {
            await read(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(AvroError);
          }
        },
      ),
      { numRuns: Math.ceil(lawRuns.numRuns / 4) },
    ));

  const nothing = Buffer.alloc(0);
  const huge = avro.Type.forSchema('long').toBuffer(2 ** 50);

  it.each<readonly [string, Buffer]>([
    ['not an Avro file', Buffer.from('{"custom_id":"a"}\n')],
    ['not an Avro schema', Buffer.concat([header(7), block(1, nothing)])],
    ['no type "other"', Buffer.concat([header('other'), block(1, nothing)])],
    ['no type "constructor"', Buffer.concat([header('constructor'), block(1, nothing)])],
    [
      'a value is truncated',
      Buffer.concat([header(readList({ type: 'fixed', name: 'f', size: 'x' })), block(1, Buffer.from([2, 0]))]),
    ],
    ['levels deep', header(JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`))],
    ['compressed with snappy', header(one.schema(), 'snappy')],
    ['cannot be decompressed', Buffer.concat([header(one.schema(), 'deflate'), block(1, Buffer.from('text'))])],
    [
      'cannot be decompressed',
      Buffer.concat([header(one.schema(), 'deflate'), block(1, deflateRawSync(Buffer.alloc(65 * 1024 * 1024)))]),
    ],
    ['more items than bytes', Buffer.concat([header(readList('null')), block(1, huge)])],
    ['a value is truncated', Buffer.concat([header(one.schema()), block(1, huge)])],
    ['fewer records', Buffer.concat([header(one.schema()), block(2, one.toBuffer({ text: 'a' }))])],
    ['more records', Buffer.concat([header(one.schema()), block(0, one.toBuffer({ text: 'a' }))])],
    ['not records', Buffer.concat([header('int'), block(1, Buffer.from([2]))])],
    ['more than the limit of', Buffer.concat([header(one.schema()), Buffer.from([2]), huge])],
  ])('cannot be read from an invalid file: %s', async (fact, bytes) => {
    await expect(read(bytes)).rejects.toThrow(fact);
  });
});
