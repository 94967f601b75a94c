import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isKey,
  objectOfId,
  toFileId,
} from '../../../../../../plugins/control/work/provider-requests/storage/cloud-storage.ts';
import { gcs, s3 } from '../../../../../../plugins/control/work/provider-requests/storage/object-storage.ts';

const storage = fc.constantFrom(s3, gcs);
const bucket = fc.stringMatching(/^[a-z][a-z0-9-]{3,20}[a-z]$/);
const segment = fc.constantFrom(
  '.',
  '..',
  'a',
  'file.jsonl',
  '_',
  '~',
  '...',
  '%2e',
  'a b',
  'ä',
  '',
  '?x',
  '#',
  'a%2Fb',
);

it('every spelling of an id refers to its object, and no other text does', () => {
  fc.assert(
    fc.property(storage, bucket, fc.array(segment, { maxLength: 4 }), (each, name, segments) => {
      const object = { bucket: name, key: segments.join('/') };
      const address = `${each.scheme}://${name}/${object.key}`;
      const spellings = [address, encodeURIComponent(address), encodeURIComponent(encodeURIComponent(address))];
      for (const spelling of spellings) {
        const found = objectOfId(each, spelling);
        if (isKey(object.key)) expect(found).toEqual(object);
        else if (found !== undefined)
          expect(isKey(found.key) && toFileId(each, found) !== toFileId(each, object)).toBe(true);
      }
      expect(objectOfId(each === s3 ? gcs : s3, address)).toBeUndefined();
    }),
  );
});

it.each([
  '',
  's3://',
  's3://ab',
  's3://ab/',
  's3://Bucket/x',
  's3:///x',
  's3%',
  '%73%33://bucket/x',
  'file-1',
  's3://bucket/x\n',
])('%j refers to no object, unless only its scheme is percent-encoded', (text) => {
  const found = objectOfId(s3, text);
  expect(found).toEqual(text.startsWith('%73') ? { bucket: 'bucket', key: 'x' } : undefined);
});
