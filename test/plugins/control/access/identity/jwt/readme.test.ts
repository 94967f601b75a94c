import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../../schema/json/parse-json.ts';
import { readFences } from '../../../../../support/readme/read-fences.ts';
import { createKey, createWorld, readSettings, signToken } from './support.ts';

const readme = readFileSync(
  new URL('../../../../../../plugins/control/access/identity/jwt/README.md', import.meta.url),
  'utf8',
);

it('the settings and claims of the README example produce the caller that it shows', async () => {
  const [settings, claims, caller] = readFences(readme)
    .filter(({ language }) => language === 'json')
    .map(({ text }): JsonObject => parseObject(text) ?? {});
  const key = await createKey('k1');
  const world = await createWorld({ key });
  const own = readSettings(String(settings?.jwks_url), settings);
  world.save({ acme: { ...own, jwksUrl: world.issuer.jwksUrl } });
  const principal = await world.identified(
    await signToken(key, world.clock, { claims: { ...claims, sub: undefined } }),
  );
  expect({
    organisation: principal?.organisation,
    workspace: principal?.workspace?.replace('acme-', ''),
    scopes: [...(principal?.scopes ?? [])],
    metadata: principal?.defaults?.metadata,
  }).toEqual(caller);
});
