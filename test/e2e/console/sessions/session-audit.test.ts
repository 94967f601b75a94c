import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeKeyText } from '../../../../plugins/control/access/keys/key-text.ts';
import { adminKey, callControl, control, sharedStore } from '../../../support/gateways/stored-gateway.ts';
import { patience } from '../../../support/run/patience.ts';
import { browserCall, ownPage, signIn } from '../support/browser-call.ts';

const gateway = sharedStore();

interface Audited {
  readonly actor: string;
  readonly action: string;
  readonly uri: string;
  readonly status: number;
  readonly client_ip: string | null;
  readonly workspace_id: string | null;
  readonly detail: { readonly count?: number };
}

const audited = async (baseUrl: string, key: string = adminKey): Promise<readonly Audited[]> => {
  const answer = await fetch(`${baseUrl}/audit-logs?resource_type=sessions&page_size=1000`, {
    headers: { 'x-gw-api-key': key },
  });
  const { data } = (await answer.json()) as { readonly data: readonly Audited[] };
  return data;
};

const refuse = (baseUrl: string, key: string) =>
  browserCall(baseUrl, 'POST /console/session', { headers: ownPage(baseUrl), body: { key } });

describe('the audit log of console sessions', () => {
  it('contains who signed in and out, with which key and from where, but not the key itself', async () => {
    const { baseUrl } = gateway();
    const { id, key } = await control(gateway(), 'POST /api-keys/workspace/service', {
      body: { name: 'reader', scopes: ['audit_logs.list'], workspace_id: 'default' },
    });
    const cookie = await signIn(baseUrl, key);
    const out = () => browserCall(baseUrl, 'DELETE /console/session', { headers: { ...ownPage(baseUrl), cookie } });
    expect((await out()).status).toBe(200);
    expect((await out()).status).toBe(200);
    const records = await audited(baseUrl, key);
    const { text } = await callControl(gateway(), `GET /api-keys/${id}`);
    const whose = { actor: id, client_ip: '127.0.0.1', workspace_id: JSON.parse(text).workspace_id, status: 200 };
    expect(records).toMatchObject([
      { ...whose, action: 'sign_out', method: 'DELETE', uri: '/v1/console/session' },
      { ...whose, action: 'sign_in', method: 'POST', uri: '/v1/console/session' },
    ]);
    expect(await audited(baseUrl)).toEqual(expect.arrayContaining([...records]));
    expect(JSON.stringify(records)).not.toContain(key);
    expect(JSON.stringify(records)).not.toContain(cookie.split('=')[1]);
  });

  it('contains refused keys, with their owner if known, and few records however many are tried', async () => {
    // From here on nobody can sign in, because this address has guessed too often.
    const { baseUrl } = gateway();
    const { id, key = '' } = await control(gateway(), 'POST /api-keys/workspace/service', {
      body: { name: 'gone', scopes: [], workspace_id: 'default' },
    });
    await control(gateway(), `DELETE /api-keys/${id}`);
    await expect.poll(async () => (await refuse(baseUrl, key)).status, patience).toBe(401);
    const guessed = makeKeyText(randomUUID());
    for (let count = 0; count < 40; count += 1)
      await refuse(baseUrl, count === 0 ? guessed : makeKeyText(randomUUID()));
    await expect
      .poll(() => audited(baseUrl), patience)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ actor: id, action: 'refused', status: 401, client_ip: '127.0.0.1' }),
          expect.objectContaining({ actor: 'unknown', action: 'refused', status: 401, client_ip: '127.0.0.1' }),
        ]),
      );
    const records = await audited(baseUrl);
    expect(records.filter(({ action }) => action === 'refused').length).toBeLessThan(5);
    for (const secret of [key, guessed]) expect(JSON.stringify(records)).not.toContain(secret);
  });
});
