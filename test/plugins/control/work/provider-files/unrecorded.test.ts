import { expect, it } from 'vitest';
import { StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import type { FilesContext } from '../../../../../plugins/control/work/provider-files/account-files.ts';
import { passedFiles } from '../../../../../plugins/control/work/provider-files/passed-files.ts';
import type { WorkParts } from '../../../../../plugins/control/work/provider-requests/work-parts.ts';
import type { InternalRequest, ReceivedBody } from '../../../../../plugins/sdk/route/route-row.ts';

it.each([200, 500])(
  'a file of a provider is deleted if it cannot be recorded (and the deletion is answered %i)',
  async (status) => {
    const asked: unknown[] = [];
    const dispatch = async ({ method, path, headers }: InternalRequest) => {
      asked.push([method, path, headers]);
      const body = { kind: 'bytes', bytes: Buffer.from('{"id":"file/1"}') };
      return { status: method === 'DELETE' ? status : 200, headers: [], origin: 'upstream', body };
    };
    const record = () => Promise.reject(new StoreError('The disk is full.'));
    const lines = ['x-gw-virtual-key', 'main'];
    const files = passedFiles({
      parts: { remoteIds: { record } } as unknown as WorkParts,
      context: { tenant: 'w', principal: { keyId: 'key' }, headers: lines, dispatch } as unknown as FilesContext,
      account: { slug: 'main', headers: lines },
    });
    await expect(files.create({} as ReceivedBody)).rejects.toThrow('The disk is full.');
    expect(asked).toEqual([
      ['POST', '/v1/files', lines],
      ['DELETE', '/v1/files/file%2F1', lines],
    ]);
  },
);
