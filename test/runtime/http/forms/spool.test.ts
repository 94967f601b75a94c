import { expect, it } from 'vitest';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import { Spool } from '../../../../runtime/http/forms/spool.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

it('a closed form takes no more space, whatever arrives for it', async () => {
  const spool = new Spool({ folder: temporaryFolder(), formBytes: 100, formsBytes: 100 });
  const form = await spool.open({ tenant: 'workspace' as TenantId });
  await form.write(Buffer.alloc(10));
  expect(spool.held).toBe(10);
  form.close();
  await expect(form.write(Buffer.alloc(10))).rejects.toMatchObject({ report: { code: 'spool-failed' } });
  expect(spool.held).toBe(0);
});
