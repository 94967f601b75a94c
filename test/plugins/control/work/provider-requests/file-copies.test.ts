import { expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import {
  type CopiedFile,
  createFileCopies,
} from '../../../../../plugins/control/work/provider-requests/file-copies.ts';
import { createRemoteIds } from '../../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';

const file = { id: 'gw-file-1', bytes: 2, filename: 'f', purpose: 'fine-tune', createdAt: 0, sha256: '' };

onEachStore((newStore) => {
  it('a file of the gateway is copied into an account once, whichever processes request it', async ({ skip }) => {
    const open = await newStore();
    const stores = await Promise.all([open(), open(), open()]);
    const [first] = stores;
    if (first === undefined || first.kind === 'sqlite') skip('One process serves a file.');
    await ensureFirst(first, { now: 1 });
    const { id } = await first.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
    const tenant = id as TenantId;
    let uploads = 0;
    const upload = async (_: CopiedFile) => {
      uploads += 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (uploads === 1) throw new Error('The provider is unavailable.');
      return `file-${uploads}`;
    };
    const copyIn = (slug: string) =>
      Promise.allSettled(
        stores.flatMap((store) => {
          const remoteIds = createRemoteIds({ store, now: Date.now });
          const copies = createFileCopies({
            ...{ store, remoteIds, now: Date.now },
            files: { find: async (_, name) => (name === file.id ? file : undefined), async *read() {} },
          });
          const copy = { tenant, slug, upload };
          return [copies.copyInto({ ...copy, id: file.id }), copies.copyInto({ ...copy, id: 'gw-file-none' })];
        }),
      );
    const results = await copyIn('main');
    const values = results.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'));
    expect(values.toSorted()).toEqual(['failed', 'file-2', 'file-2', undefined, undefined, undefined]);
    expect(new Set((await copyIn('other')).map((each) => each.status === 'fulfilled' && each.value))).toEqual(
      new Set(['file-3', undefined]),
    );
    expect(uploads).toBe(3);
  });
});
