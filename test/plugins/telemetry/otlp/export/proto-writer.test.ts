import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { ProtoWriter } from '../../../../../plugins/telemetry/otlp/export/proto-writer.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const schema = `
syntax = "proto3";
message Node {
  uint64 varint = 1;
  int64 int64 = 2;
  double double = 3;
  fixed32 fixed32 = 4;
  fixed64 fixed64 = 5;
  string text = 6;
  bytes hex = 7;
  Node inner = 1000;
}
`;

const type = protobuf.parse(schema).root.lookupType('Node');

interface Node {
  readonly varint: number;
  readonly int64: number;
  readonly double: number;
  readonly fixed32: number;
  readonly factor: number;
  readonly text: string;
  readonly id: Uint8Array;
  readonly lengthBytes: number;
  readonly inner: Node | null;
}

const count = fc.oneof(fc.nat(300), fc.maxSafeNat());

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    varint: count,
    int64: fc.oneof(fc.integer(), fc.maxSafeInteger()),
    double: fc.double({ noNaN: true }),
    fixed32: fc.nat(2 ** 31),
    factor: fc.maxSafeNat(),
    text: fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('é'.repeat(20_000))),
    id: fc.uint8Array({ maxLength: 40 }),
    lengthBytes: fc.integer({ min: 1, max: 4 }),
    inner: fc.option(tie('node'), { depthSize: 'small' }),
  }),
}));

const write = (to: ProtoWriter, each: Node): void => {
  to.varint(1, each.varint);
  to.int64(2, each.int64);
  to.double(3, each.double);
  to.fixed32(4, each.fixed32);
  to.fixed64(5, each.factor, 1000);
  to.text(6, each.text);
  to.hex(7, Buffer.from(each.id).toString('hex'));
  if (each.inner === null) return;
  const begin = to.begin(1000, each.lengthBytes);
  write(to, each.inner);
  to.end(begin, each.lengthBytes);
};

const expected = ({ varint, int64, double, fixed32, factor, text, id, inner }: Node): object => ({
  ...{ varint: String(varint), int64: String(int64), double, fixed32, text: text.toWellFormed() },
  fixed64: String((BigInt(factor) * 1000n) % 2n ** 64n),
  hex: Buffer.from(id),
  inner: inner === null ? null : expected(inner),
});

const read = (bytes: Uint8Array): object => type.toObject(type.decode(bytes), { longs: String, defaults: true });

describe('fields of Protocol Buffers', () => {
  it('are read back as they were written, whatever was written before', () => {
    const to = new ProtoWriter(1);
    fc.assert(
      fc.property(node, (each) => {
        const begin = to.length;
        write(to, each);
        const written = to.part(begin, to.length);
        expect(read(written)).toEqual(expected(each));
        expect(to.take(begin)).toEqual(new Uint8Array(written));
        expect(to.length).toBe(begin);
        write(to, { ...each, inner: null });
      }),
      lawRuns,
    );
  });

  it.each([1, 2, 5])('use the shortest encoding of a length, even if %s bytes were reserved for it', (lengthBytes) => {
    const to = new ProtoWriter();
    for (const length of [0, 127, 128, 16_383, 16_384]) {
      const begin = to.begin(1, lengthBytes);
      to.fields(new Uint8Array(length).fill(7));
      to.end(begin, lengthBytes);
      const written = to.take(0);
      expect(written).toHaveLength(1 + (length < 128 ? 1 : length < 16_384 ? 2 : 3) + length);
      expect(written.subarray(written.length - length)).toEqual(new Uint8Array(length).fill(7));
    }
  });
});
