import { expect, it } from 'vitest';
import type { WorkParts } from '../../../../../plugins/control/work/accounts/work-parts.ts';
import type { FilesContext } from '../../../../../plugins/control/work/provider-files/account-files.ts';
import { passedFiles } from '../../../../../plugins/control/work/provider-files/passed-files.ts';

it('ends the list of files of a provider that answers the same page for every cursor', async () => {
  let asked = 0;
  const dispatch = async () => {
    asked += 1;
    const bytes = Buffer.from('{"object":"list","data":[{"id":"file-of-others"}],"has_more":true}');
    return { status: asked < 20 ? 200 : 500, headers: [], origin: 'upstream', body: { kind: 'bytes', bytes } };
  };
  const files = passedFiles({
    parts: { remoteIds: { among: async () => new Set() } } as unknown as WorkParts,
    context: { tenant: 'w', principal: {}, headers: [], dispatch } as unknown as FilesContext,
    account: { slug: 'main', headers: [] },
  });
  expect(await files.list({})).toMatchObject({ status: 200 });
  expect(asked).toBe(2);
});
