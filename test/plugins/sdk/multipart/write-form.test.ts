import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findBoundary } from '../../../../plugins/sdk/multipart/find-boundary.ts';
import { readForm } from '../../../../plugins/sdk/multipart/read-form.ts';
import { writeForm } from '../../../../plugins/sdk/multipart/write-form.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const read = async (fields: JsonObject): Promise<readonly (readonly [string, string])[]> => {
  const { contentType, bytes } = writeForm(fields);
  const found: [string, string][] = [];
  for await (const part of readForm(inPieces(bytes), findBoundary(contentType) ?? '')) {
    const pieces: Buffer[] = [];
    for await (const piece of part.bytes) pieces.push(piece);
    found.push([part.name, Buffer.concat(pieces).toString()]);
  }
  return found;
};

const name = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', '"', '\r\n', 'é', ';', '=') });
const value = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '\r\n', '--', '--form-', '👋', '"', 'content-disposition: form-data; name="x"'),
  }),
  fc.integer(),
  fc.boolean(),
);

it('a written form is read back with the same fields', async () => {
  const law = fc.asyncProperty(fc.dictionary(name, value, { minKeys: 1, noNullPrototype: true }), async (fields) => {
    expect(await read(fields)).toEqual(Object.entries(fields).map(([key, each]) => [key, String(each)]));
  });
  await fc.assert(law);
});

it('equal fields produce equal bytes, and different fields a different boundary', () => {
  const [one, same, other] = [{ a: '1' }, { a: '1' }, { a: '2' }].map(writeForm);
  expect(same).toEqual(one);
  expect(other?.contentType).not.toBe(one?.contentType);
});
