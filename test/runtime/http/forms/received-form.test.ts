import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SendableForm } from '../../../../plugins/sdk/http/http.ts';
import { memorySource } from '../../../../runtime/http/forms/form-source.ts';
import { readParts } from '../../../../runtime/http/forms/read-parts.ts';
import { ReceivedForm } from '../../../../runtime/http/forms/received-form.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const receive = async (
  form: FormData,
  size: number,
): Promise<{ readonly form: ReceivedForm; readonly sent: Buffer }> => {
  const response = new Response(form);
  const contentType = response.headers.get('content-type') ?? '';
  const boundary = /boundary=(.*)$/.exec(contentType)?.[1] ?? '';
  const sent = Buffer.from(await response.arrayBuffer());
  const parts = await readParts(inPieces(sent, size), boundary);
  return { form: new ReceivedForm({ contentType, boundary, parts, source: memorySource(sent) }), sent };
};

const bytesOf = async (form: SendableForm): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of form.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Parses a form with the parser of the platform. */
const partsOf = async (form: SendableForm): Promise<ReadonlyMap<string, readonly string[]>> => {
  const headers = { 'content-type': form.contentType };
  const read = await new Response(new Uint8Array(await bytesOf(form)), { headers }).formData();
  const parts = new Map<string, string[]>();
  for (const [name, value] of read)
    parts.set(name, [...(parts.get(name) ?? []), typeof value === 'string' ? value : `file ${await value.text()}`]);
  return parts;
};

const name = fc.constantFrom('model', 'prompt', 'language', 'a b', 'naïve "x"');
const value = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'é', '\r\n', '--', '"', ' ') });
const fields = fc.dictionary(name, value, { maxKeys: 4 });
const files = fc.array(fc.string({ maxLength: 20, unit: fc.constantFrom('x', '\r\n', '--', '\0') }), { maxLength: 3 });

describe('a form', () => {
  it('is sent as it was received, or with edited fields that the parser of the platform can read', async () => {
    await fc.assert(
      fc.asyncProperty(fields, files, fields, fc.integer({ min: 1, max: 50 }), async (own, contents, edits, size) => {
        const given = new FormData();
        for (const [key, text] of Object.entries(own)) given.append(key, text);
        for (const content of contents) given.append('file[]', new Blob([content]), 'f.bin');
        fc.pre(Object.keys(own).length + contents.length > 0);
        const { form, sent } = await receive(given, size);
        expect(await bytesOf(form)).toEqual(sent);
        expect(form.length).toBe(sent.length);

        const edited = form.withFields({ ...form.fields, ...edits });
        expect((await bytesOf(edited)).length).toBe(edited.length);
        // A text that is written to a form has CR and LF at the ends of its lines.
        const lined = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n');
        const expected = new Map<string, readonly string[]>();
        for (const [key, text] of Object.entries({ ...own, ...edits })) expected.set(key, [lined(text)]);
        if (contents.length > 0)
          expected.set(
            'file[]',
            contents.map((content) => `file ${content}`),
          );
        expect(await partsOf(edited)).toEqual(expected);
        expect(await partsOf(edited.withFields(form.fields))).toEqual(await partsOf(form));
      }),
      lawRuns,
    );
  });

  it('has lists and "stream" as JSON values, and accepts JSON values for its fields', async () => {
    const given = new FormData();
    for (const [key, text] of [
      ['stream', 'true'],
      ['include[]', 'a'],
      ['include[]', 'b'],
    ] as const)
      given.append(key, text);
    const { form } = await receive(given, 1000);
    expect(form.fields).toEqual({ stream: true, include: ['a', 'b'] });
    const edits: JsonObject = { stream: false, temperature: 0.5, chunking_strategy: { type: 'auto' }, include: ['c'] };
    expect(await partsOf(form.withFields(edits))).toEqual(
      new Map([
        ['stream', ['false']],
        ['temperature', ['0.5']],
        ['chunking_strategy', ['{"type":"auto"}']],
        ['include[]', ['c']],
      ]),
    );
  });

  it('omits a field that is removed from it', async () => {
    const given = new FormData();
    given.append('prompt', 'secret');
    given.append('model', 'm');
    const { form } = await receive(given, 1000);
    const { prompt: _prompt, ...kept } = form.fields;
    expect(await partsOf(form.withFields(kept))).toEqual(new Map([['model', ['m']]]));
  });

  it('rejects a value that would end its part', async () => {
    const given = new FormData();
    given.append('model', 'm');
    const { form } = await receive(given, 1000);
    const boundary = /boundary=(.*)$/.exec(form.contentType)?.[1] ?? '';
    expect(() => form.withFields({ model: `x\r\n--${boundary}\r\n` })).toThrow(/boundary/);
  });
});
