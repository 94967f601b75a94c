import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { lookups, noNames } from '../../support/servers/no-names.ts';
import { type Owner, saveOwners, startWorldGateway } from './support/origins-world.ts';

const ofFile = 'models.file.com';
const ofTenant = 'models.tenant.com';

const named = (host: string) => ({
  ...{ 'x-gw-provider': 'openai', authorization: 'Bearer x' },
  'x-gw-custom-host': `http://${host}/v1`,
});

let gateway: GatewayProcess;
let owners: readonly Owner[];

beforeAll(async () => {
  gateway = await startWorldGateway(`http://${ofFile}`, { NODE_OPTIONS: `--import=${noNames}` });
  owners = await saveOwners(gateway, { origin: `http://${ofTenant}` }, builtinProviders);
});
afterAll(() => gateway.stop());

/** Sends a chat to a host whose name does not resolve. */
const send = async ({ key, headers, model = 'm-1' }: Pick<Owner, 'key' | 'headers' | 'model'>): Promise<string> => {
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  return answer.text();
};

/** Returns which resolver was queried for the names with this ending, in the order of the names. */
const asked = (ending: string): readonly string[] =>
  [...new Set(lookups(gateway.printed()).map(({ name, by }) => `${name} by the ${by}`))]
    .filter((each) => each.split(' ')[0]?.endsWith(ending))
    .toSorted();

describe('the name of a host', () => {
  it("is resolved by the system if it is in the operator's files, and by the name servers if a tenant saved it", async () => {
    for (const owner of owners) {
      const answer = await send(owner);
      // Some of the providers with a credential of their own do not support chats.
      if (!owner.name.startsWith('a saved config with its own'))
        expect(answer, owner.name).toContain(owner.secret.startsWith('sk-of-the-file-') ? ofFile : ofTenant);
    }
    // The output of a process arrives in order.
    await send({ key: adminKey, headers: named('last.caller.com') });
    await expect.poll(() => asked('last.caller.com')).toEqual(['last.caller.com by the servers']);
    expect(asked(ofFile)).toEqual([`${ofFile} by the system`]);
    expect(asked(ofTenant)).toEqual([`${ofTenant} by the servers`]);
  });

  it('is resolved by the name servers if a caller sends it', async () => {
    const config = { provider: 'openai', api_key: 'x', custom_host: 'http://config.caller.com/v1' };
    await send({ key: adminKey, headers: { 'x-gw-config': JSON.stringify(config) } });
    await send({ key: adminKey, headers: named('header.caller.com') });
    await expect.poll(() => asked('header.caller.com')).toEqual(['header.caller.com by the servers']);
    expect(asked('config.caller.com')).toEqual(['config.caller.com by the servers']);
  });
});
