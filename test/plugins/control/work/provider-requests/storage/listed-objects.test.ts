import { describe, expect, it } from 'vitest';
import type { Account, ProviderRequest } from '../../../../../../plugins/control/work/provider-requests/account.ts';
import { objectAt } from '../../../../../../plugins/control/work/provider-requests/storage/cloud-storage.ts';
import { gcs } from '../../../../../../plugins/control/work/provider-requests/storage/object-storage.ts';

const at = { bucket: 'jobs-bucket', key: 'folder/' };

const page = (keys: readonly string[], next?: string): string =>
  `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}${
    next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
  }</ListBucketResult>`;

/** Lists the keys in a folder of a storage that sends these answers, and counts the requests. */
const listed = (answer: (asked: number) => string) => {
  let asked = 0;
  const send = async ({ path }: ProviderRequest) => {
    asked += 1;
    // Otherwise a failing test would never end.
    if (asked > 1000) throw new Error(`It asks for ${path} again.`);
    const bytes = Buffer.from(answer(asked));
    return { status: 200, headers: [], origin: 'upstream', body: { kind: 'bytes', bytes } };
  };
  const account = { provider: 'vertex-ai', send } as unknown as Account;
  const read = async (): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const { key } of gcs.list(account, at)) keys.push(key);
    return keys;
  };
  return { read, asked: () => asked };
};

describe('the list of the objects in a folder', () => {
  it('is read page by page, including empty pages', async () => {
    const pages = [page(['folder/a'], '2'), page([], '3'), page(['folder/b', 'folder/c'])];
    const { read } = listed((asked) => pages[asked - 1] ?? '');
    expect(await read()).toEqual(['folder/a', 'folder/b', 'folder/c']);
  });

  it('ends with a page whose continuation token is missing or empty', async () => {
    for (const next of [undefined, '']) {
      const { read, asked } = listed(() => page(['folder/a'], next));
      expect(await read()).toEqual(['folder/a']);
      expect(asked()).toBe(1);
    }
  });

  it('can be empty', async () => {
    for (const empty of [page([]), '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>'])
      expect(await listed(() => empty).read()).toEqual([]);
  });

  it.each([
    ['is an empty body', ''],
    ['is an HTML page', '<html></html>'],
    ['is cut off', page(['folder/a', 'folder/b']).slice(0, -20)],
    ['contains an object of another folder', page(['other/a'])],
    ['contains a path that leaves the folder', page(['folder/../../other-bucket/a'])],
  ])('that %s is refused', async (_, text) => {
    await expect(listed(() => text).read()).rejects.toThrow('the list of its objects');
  });

  it('that repeats a page is refused', async () => {
    const { read, asked } = listed(() => page(['folder/a'], 'again'));
    await expect(read()).rejects.toThrow('contains an unexpected object');
    expect(asked()).toBe(2);
  });

  it.each([() => page([], 'again'), (asked: number) => page([`folder/${asked}`], `page-${asked}`)])(
    'that never ends is refused',
    async (answer) => {
      const { read, asked } = listed(answer);
      await expect(read()).rejects.toThrow('more than 100 pages');
      expect(asked()).toBe(100);
    },
  );
});

it.each(['gs://jobs-bucket/../other/a', 'gs://jobs-bucket/\ud800', 'gs://jobs-bucket/a/./b', 's3://jobs-bucket/a'])(
  'the address %j refers to no object',
  (address) => {
    expect(objectAt(gcs, address)).toBeUndefined();
  },
);
