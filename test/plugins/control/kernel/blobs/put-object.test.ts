import { describe, expect, it } from 'vitest';
import { type AskS3, putObject, xmlValue } from '../../../../../plugins/control/kernel/blobs/s3/put-object.ts';

describe('the text of an S3 element', () => {
  it.each([
    ['a &amp; b', 'a & b'],
    ['&#65;&#x42;', 'AB'],
    ['&#x10ffff;', '\u{10ffff}'],
    ['&#x110000;', '&#x110000;'],
    ['&#9999999;', '&#9999999;'],
    ['&#xffffff;', '&#xffffff;'],
    ['&#xd800;', '&#xd800;'],
    ['&unknown;', '&unknown;'],
    ['&constructor;', '&constructor;'],
    ['&#9999999;&#xd800;&#x61;&amp;', '&#9999999;&#xd800;a&'],
  ])('%s is read as "%s"', (written, text) => {
    expect(xmlValue(`<Key>${written}</Key>`, 'Key')).toBe(text);
  });
});

describe('an object that is uploaded in parts', () => {
  const part = Buffer.alloc(8 * 1024 * 1024);

  const put = (last: string): Promise<void> => {
    const ask: AskS3 = async ({ method, query = '' }) => {
      const begun = query === 'uploads=' ? '<UploadId>u</UploadId>' : '';
      return { headers: {}, text: method === 'POST' && begun === '' ? last : begun };
    };
    return putObject(ask, {
      key: 'k',
      bytes: (async function* () {
        yield part;
        yield part;
      })(),
      unexpected: (what) => new Error(`The bucket ${what}.`),
    });
  };

  it('counts as stored only if the service confirms it', async () => {
    await put('<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>');
    await expect(put('<Error><Code>InternalError</Code></Error>')).rejects.toThrow('(InternalError)');
    for (const text of ['', '<?xml version="1.0"?>', '<html></html>'])
      await expect(put(text)).rejects.toThrow('does not say');
  });
});
