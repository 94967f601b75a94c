import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readForm } from '../../../../plugins/sdk/multipart/read-form.ts';
import { allOf } from '../../control/work/files/support/filing.ts';

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly text: string;
}

const readParts = async (source: AsyncIterable<Uint8Array>, boundary: string): Promise<readonly Part[]> => {
  const parts: Part[] = [];
  for await (const { bytes, place: _place, ...about } of readForm(source, boundary))
    parts.push({ ...about, text: (await allOf(bytes)).toString('latin1') });
  return parts;
};

/** Yields the bytes in pieces that end at these offsets. */
async function* cutAt(bytes: Buffer, places: readonly number[]): AsyncGenerator<Uint8Array, void> {
  let from = 0;
  for (const to of [...places].sort((a, b) => a - b)) {
    yield bytes.subarray(from, to);
    from = to;
  }
  yield bytes.subarray(from);
}

const read = (body: string, boundary = 'b', places: readonly number[] = []): Promise<readonly Part[]> =>
  readParts(cutAt(Buffer.from(body), places), boundary);

/** Texts that contain much that resembles a boundary. */
const confusing = fc.array(fc.constantFrom('\r\n', '--', '-', '\r', '\n', 'b', 'x', '\u0000', '"', 'é', '\r\n--'), {
  maxLength: 12,
});

it('any form is read as it was written, wherever its bytes are cut', async () => {
  const part = fc.record({
    name: fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', '"', '%', ' ', ';', '=', 'é') }),
    filename: fc.option(
      fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', '"', '\r', ';', '.', '世') }),
    ),
    content: confusing.map((each) => each.join('')),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      async (given, cuts) => {
        const form = new FormData();
        for (const { name, filename, content } of given) {
          if (filename === null) form.append(name, new Blob([content]), undefined);
          else form.append(name, new Blob([content]), filename);
        }
        const response = new Response(form);
        const boundary = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '';
        const body = Buffer.from(await response.arrayBuffer());
        const parts = await readParts(
          cutAt(
            body,
            cuts.map((cut) => cut % (body.length + 1)),
          ),
          boundary,
        );
        expect(parts.map(({ name, text }) => [name, text])).toEqual(
          given.map(({ name, content }) => [name, Buffer.from(content).toString('latin1')]),
        );
        expect(parts.map(({ filename }) => filename)).toEqual(given.map(({ filename }) => filename ?? 'blob'));
      },
    ),
    { numRuns: 300 },
  );
});

it('text that resembles a boundary is content', async () => {
  const body = '--b\r\ncontent-disposition: form-data; name=a\r\n\r\n--b\r\n-- b\n--b\r\r\n--c\r\n--b--';
  expect(await read(body)).toEqual([{ name: 'a', text: '--b\r\n-- b\n--b\r\r\n--c' }]);
});

it.each([
  ['name="a"; filename="x.txt"', { name: 'a', filename: 'x.txt' }],
  ['NAME=a ; filename=""', { name: 'a', filename: '' }],
  ['name="a\\"b"; filename="c:\\dir\\x.txt"', { name: 'a"b', filename: 'x.txt' }],
  ['name="a%22%0D%0Ab%20"', { name: 'a"\r\nb%20' }],
  ['name="a"; filename="../../etc/passwd"', { name: 'a', filename: 'passwd' }],
  ["name=a; filename=x; filename*=UTF-8''na%C3%AFve.txt", { name: 'a', filename: 'naïve.txt' }],
  ["name=a; filename=x; filename*=UTF-8''%E9", { name: 'a', filename: 'x' }],
])('%s is parsed as %o', async (disposition, about) => {
  const body = `ignored\r\n--b  \r\nContent-Type: text/plain\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n\r\n--b--\r\nignored`;
  expect(await read(body)).toEqual([{ ...about, text: '' }]);
});

const head = '--b\r\ncontent-disposition: form-data; name=a\r\n\r\n';

it.each([
  ['', 'it ends before its last boundary'],
  ['nothing of the kind', 'it ends before its last boundary'],
  [`${head}x`, 'it ends before its last boundary'],
  [`${head}x\r\n--b`, 'it ends before its last boundary'],
  ['--b\r\n', 'it ends before its last boundary'],
  [`${head}x\r\n--bc\r\n\r\n`, 'a boundary is not followed by a line break'],
  ['--b\r\n\r\nx\r\n--b--', 'no content-disposition header'],
  ['--b\r\ncontent-disposition: attachment; name=a\r\n\r\nx\r\n--b--', 'no content-disposition header'],
  ['--b\r\ncontent-disposition: form-data; nam=a\r\n\r\nx\r\n--b--', 'one of its parts has no name'],
  [`--b\r\nx: ${'x'.repeat(20_000)}`, 'longer than 16384 bytes'],
])('%j is rejected', async (body, reason) => {
  for (const places of [[], [1, 3, 9, 40]]) {
    await expect(read(body, 'b', places)).rejects.toMatchObject({
      report: { code: 'malformed-upload', status: 400, message: expect.stringContaining(reason) },
    });
  }
});

it('unread parts are skipped, and the source is never closed early', async () => {
  let stopped = false;
  async function* source(): AsyncGenerator<Uint8Array, void> {
    try {
      yield Buffer.from(`${head}x\r\n--b\r\ncontent-disposition: form-data; name=c\r\n\r\n`);
      yield Buffer.from('y\r\n--b--');
    } finally {
      stopped = true;
    }
  }
  const names: string[] = [];
  for await (const { name } of readForm(source(), 'b')) names.push(name);
  expect(names).toEqual(['a', 'c']);
  for await (const { name } of readForm(source(), 'b')) if (name === 'a') break;
  expect(stopped).toBe(false);
});

it('a form can have at most 1000 parts', async () => {
  const toBody = (parts: number): string =>
    `${'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(parts)}--b--`;
  expect(await read(toBody(1000))).toHaveLength(1000);
  await expect(read(toBody(1001))).rejects.toThrow('more than 1000 parts');
});
