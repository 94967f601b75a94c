import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idSpellings } from '../../../../../plugins/control/work/remote-ids/foreign-ids.ts';
import { bodyReferences, pathReferences } from '../../../../../plugins/control/work/remote-ids/references-in.ts';
import { GatewayError } from '../../../../../schema/errors/errors.ts';

const found = (text: string, dialect?: string): readonly (readonly [string, string])[] =>
  bodyReferences(Buffer.from(text), dialect).map(({ id, pointer }) => [id, pointer]);

it('the ids of files and responses are found where each dialect has them', () => {
  const named = {
    messages: [{ content: [{ type: 'file', file: { file_id: 'f1' } }] }],
    tools: [{ container: { file_ids: ['f2', 'f3'] } }],
    source: { type: 'file', file_id: 'f4' },
    data_source: { type: 'file_id', id: 'f5' },
    previous_response_id: 'r1',
    contents: [{ fileData: { fileUri: 'gs://bucket/f6' } }, { s3Location: { uri: 's3://bucket/f7' } }],
    text: 'a text about file_id f8',
    metadata: { id: 'f9' },
  };
  expect(found(JSON.stringify(named))).toEqual([
    ['f1', '/messages/0/content/0/file/file_id'],
    ['f2', '/tools/0/container/file_ids/0'],
    ['f3', '/tools/0/container/file_ids/1'],
    ['f4', '/source/file_id'],
    ['f5', '/data_source/id'],
    ['r1', '/previous_response_id'],
    ['gs://bucket/f6', '/contents/0/fileData/fileUri'],
    ['s3://bucket/f7', '/contents/1/s3Location/uri'],
  ]);
});

it('a body without such a name is not parsed, and names nothing if it is not JSON', () => {
  expect(found('{ this is not JSON')).toEqual([]);
  expect(found('--boundary\r\nname="file_id"\r\n\r\nf1\r\n--boundary--')).toEqual([]);
  expect(found('{"a":"caf\\u00e9 \\u00fc"')).toEqual([]);
});

it.each([
  ['a name that occurs twice', '{"file_id":"f1","file_id":"f2"}'],
  ['a name that occurs twice, once with an escape', '{"file_id":"f1","file\\u005fid":"f2"}'],
  ['an object that occurs twice', '{"file":{"file_id":"f1"},"file":{}}'],
  ['truncated JSON', '{"file_id":"f1"'],
  ['two JSON texts', '{"file_id":"f1"}{"file_id":"f2"}'],
  ['JSON that nests too deep', `${'['.repeat(100_000)}"file_id"`],
])('a body that providers may read differently is refused: %s', (_, text) => {
  expect(() => found(text)).toThrow(GatewayError);
});

it.each(['utf16le', 'utf16be', 'utf32', 'marked'] as const)('a body in the encoding %s is refused', (encoding) => {
  const wide = Buffer.from('{"file_id":"f1"}', 'utf16le');
  const bytes = {
    utf16le: wide,
    utf16be: Buffer.from(wide).swap16(),
    utf32: Buffer.concat([...'{"file_id":"f1"}'].map((letter) => Buffer.from([0, 0, 0, letter.charCodeAt(0)]))),
    marked: Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
  }[encoding];
  expect(() => bodyReferences(bytes)).toThrow(GatewayError);
});

const letters = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 });

/** Returns a JSON string with some of its letters written as escapes. */
const written = (text: string, escapes: readonly boolean[]): string => {
  const codes = [...text].map((letter, at) =>
    escapes[at % escapes.length] === true
      ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(letter).slice(1, -1),
  );
  return `"${codes.join('')}"`;
};

const space = fc.stringMatching(/^[ \n\t]{0,3}$/);
const names = ['file_id', 'file_ids', 'input_file_id'];
const dialects = [undefined, 'chat', 'messages', 'responses'];

it('an id is found wherever and however it is written, and a body that has a name twice is refused', () => {
  const planted = fc.record({
    name: fc.constantFrom(...names),
    dialect: fc.constantFrom(...dialects),
    id: fc.stringMatching(/^[a-z]{1,8}-[A-Za-z\d]{1,20}$/),
    escapes: fc.tuple(letters, letters),
    spaces: fc.tuple(space, space),
    around: fc.array(fc.tuple(fc.json({ maxDepth: 2 }), fc.constantFrom('object', 'list', 'twice')), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(planted, ({ name, dialect, id, escapes: [ofName, ofId], spaces: [before, after], around }) => {
      const inner = `{${before}${written(name, ofName)}${after}:${before}${written(id, ofId)}}`;
      const text = around.reduce((within, [json, how]) => {
        if (how === 'list') return `[${json},${within}]`;
        return how === 'object' ? `{"before":${json},"a":${within}}` : `{"a":${within},"\\u0061":${json}}`;
      }, inner);
      if (around.some(([, how]) => how === 'twice')) expect(() => found(text, dialect)).toThrow('occurs twice');
      else expect(found(text, dialect).map(([each]) => each)).toContain(id);
    }),
  );
});

it('an id is recognised with white space around it, and a UUID in each of its forms', () => {
  const uuid = '0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0';
  for (const form of [
    uuid,
    uuid.toUpperCase(),
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    ` ${uuid}\n`,
  ])
    expect(idSpellings(form)).toContain(uuid);
  expect(idSpellings(' file-1 ')).toEqual(['file-1']);
  for (const address of ['s3://bucket/a key', 'S3://bucket/a key'])
    expect(idSpellings(address)).toEqual(expect.arrayContaining(['s3://bucket/a key', 's3%3A%2F%2Fbucket%2Fa%20key']));
  expect(idSpellings('gs://bucket/\ud800')).toContain('gs%3A%2F%2Fbucket%2F%EF%BF%BD');
  for (const none of ['', '  ', 'a\0b', 'x'.repeat(513)]) expect(idSpellings(none)).toEqual([]);
});

it('ids in paths are found in every spelling', () => {
  expect(pathReferences('/vector_stores/vs_12345/files/file-abc1/content?after=file-2')).toEqual([
    'vs_12345',
    'file-abc1',
    'file-2',
  ]);
  expect(pathReferences('/files/%66ile-abc1%2Fcontent')).toEqual(['file-abc1']);
  expect(pathReferences('/files?why=?&after=file-abc1')).toEqual(['file-abc1']);
  expect(pathReferences('/vector_stores/vs_12345;a/files/x\\file-abc1;b=c/content')).toEqual(['vs_12345', 'file-abc1']);
  expect(pathReferences('/images/edits')).toEqual([]);
});
