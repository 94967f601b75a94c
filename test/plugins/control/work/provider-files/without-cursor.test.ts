import { expect, it } from 'vitest';
import type { AccountFiles, FilesContext } from '../../../../../plugins/control/work/provider-files/account-files.ts';
import { passedFiles } from '../../../../../plugins/control/work/provider-files/passed-files.ts';
import type { WorkParts } from '../../../../../plugins/control/work/provider-requests/work-parts.ts';

/** Returns the files of an account whose provider sends these answers to requests for a list. */
const filesOf = (answer: (asked: number) => object): { readonly files: AccountFiles; readonly asked: () => number } => {
  let asked = 0;
  const dispatch = async () => {
    asked += 1;
    const bytes = Buffer.from(JSON.stringify({ object: 'list', has_more: true, ...answer(asked) }));
    return { status: asked < 2000 ? 200 : 500, headers: [], origin: 'upstream', body: { kind: 'bytes', bytes } };
  };
  const files = passedFiles({
    parts: { remoteIds: { filterOwned: async () => new Set() } } as unknown as WorkParts,
    context: { tenant: 'w', principal: {}, headers: [], dispatch } as unknown as FilesContext,
    account: { slug: 'main', headers: [] },
  });
  return { files, asked: () => asked };
};

it.each([1, 2, 3])('ends the list of files of a provider that repeats its pages after %i of them', async (count) => {
  const { files, asked } = filesOf((number) => ({ data: [{ id: `file-of-others-${number % count}` }] }));
  expect(await files.list({})).toMatchObject({ status: 200 });
  expect(asked()).toBe(count + 1);
});

it('refuses a list of files that never ends', async () => {
  const { files, asked } = filesOf((number) => ({ data: [{ id: `file-${number}` }] }));
  await expect(files.list({})).rejects.toThrow('does not end');
  expect(asked()).toBe(1000);
});
