import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSavedProviders } from '../../../../../plugins/control/catalog/providers/to-saved-providers.ts';
import {
  encryptKey,
  expired,
  hasOpenssl,
  type IssuedCertificate,
  makeAuthority,
  makeWeak,
  type TestAuthority,
} from '../../../../support/servers/certificates.ts';
import { providerWorld, toPlaces } from './support.ts';

const resources = [
  ['provider', '/providers', 'providers'],
  ['virtual key', '/virtual-keys', 'providers'],
  ['integration', '/integrations', 'integrations'],
] as const;

const settings = { custom_host: 'https://models.example.com/v1' };
const saved = { name: 'Own', slug: 'own', provider: 'openai', settings, key: 'sk-secret' };
const placeholders = { ca: 'gw-sealed:/tls/ca', cert: 'gw-sealed:/tls/cert', key: 'gw-sealed:/tls/key' };

const times = ['20200101000000Z', '20400101000000Z'] as const;

const issueOf = (authority: TestAuthority) => {
  const { cert, key, keyFile } = authority.issue({ name: 'gateway', times });
  return { tls: { ca: authority.pem, cert, key, server_name: 'models.internal' }, keyFile };
};

/** Certificates and keys that all tests share, because openssl takes more processor time than the tests. */
interface Issued {
  readonly tls: ReturnType<typeof issueOf>['tls'];
  /** A certificate of the same authority for another key. */
  readonly renewed: Issued['tls'];
  readonly encryptedKey: string;
  readonly otherAuthority: string;
  /** Certificates that cannot be used. */
  readonly weak: IssuedCertificate;
  readonly over: IssuedCertificate;
}

let issued: Issued;
const removing: (() => void)[] = [];
beforeAll(() => {
  if (!hasOpenssl) return;
  const whenFinished = (remove: () => void): void => void removing.push(remove);
  const authority = makeAuthority({ whenFinished });
  const { tls, keyFile } = issueOf(authority);
  issued = {
    tls,
    renewed: issueOf(authority).tls,
    encryptedKey: encryptKey(keyFile, 'a secret'),
    otherAuthority: makeAuthority({ whenFinished }).pem,
    weak: makeWeak(whenFinished),
    over: authority.issue(expired),
  };
});
afterAll(() => {
  for (const remove of removing) remove();
});

describe.skipIf(!hasOpenssl).each(resources)('the TLS settings of a %s', (_, path, table) => {
  it('are sealed, and returned as placeholders with the expiry of the certificate', async () => {
    await using world = await providerWorld();
    const { tls } = issued;
    expect((await world.ask(path, { json: { ...saved, tls } })).status).toBe(200);
    const { body } = await world.ask(`${path}/own`);
    expect(body).toMatchObject({
      tls: { ...placeholders, server_name: 'models.internal' },
      tls_expires_at: Date.UTC(2040, 0, 1) / 1000,
    });
    const row = await world.store.db.selectFrom(table).selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('-----BEGIN');
    const compared = await world.ask(`${path}/own/compare`, {
      json: { values: { '/tls/key': tls.key, '/tls/ca': tls.cert } },
    });
    expect(compared.body.equal).toEqual({ '/tls/key': true, '/tls/ca': false });
  });

  it('are kept if a change omits them or sends their placeholders, and removed by null', async () => {
    await using world = await providerWorld();
    const { tls } = issued;
    await world.ask(path, { json: { ...saved, tls } });
    const put = (json: object) => world.ask(`${path}/own`, { method: 'PUT', json });
    const read = async () => (await world.ask(`${path}/own`)).body.tls;
    expect((await put({ name: 'Other' })).status).toBe(200);
    expect((await put({ tls: { ...placeholders, server_name: 'models.internal' } })).status).toBe(200);
    expect(await read()).toEqual({ ...placeholders, server_name: 'models.internal' });
    const { ca, ...renewed } = issued.renewed;
    expect((await put({ tls: { ...renewed, ca: placeholders.ca } })).status).toBe(200);
    expect(toPlaces(await put({ tls: { ...renewed, ca, key: placeholders.cert } }))).toEqual(['400', '/tls/key']);
    expect(toPlaces(await put({ tls: { ...tls, key: placeholders.key } }))).toEqual(['400', '/tls/key']);
    expect((await put({ tls: null, key: 'sk-secret' })).status).toBe(200);
    expect(await read()).toBeUndefined();
    expect(toPlaces(await put({ tls: placeholders }))).toEqual(['400', '/tls/ca', '/tls/cert', '/tls/key']);
  });

  it('cannot send the certificate or the stored credential to another server', async () => {
    await using world = await providerWorld();
    const { tls } = issued;
    await world.ask(path, { json: { ...saved, tls } });
    const put = (json: object) => world.ask(`${path}/own`, { method: 'PUT', json });
    const elsewhere = { custom_host: 'https://elsewhere.example.com/v1' };
    const key = 'sk-secret';
    expect(toPlaces(await put({ settings: elsewhere }))).toEqual(['400', '/credential', '/tls']);
    expect(toPlaces(await put({ settings: elsewhere, key }))).toEqual(['400', '/tls']);
    expect(toPlaces(await put({ settings: elsewhere, key, tls: { ...tls, ...placeholders } }))).toEqual([
      '400',
      '/tls/key',
    ]);
    // A caller who cannot read the credential cannot have it sent to a server with an authority or name of their own.
    const others = [
      { ...tls, ...placeholders, ca: issued.otherAuthority },
      { ...placeholders, server_name: 'elsewhere.example.com' },
      placeholders,
      { server_name: 'models.internal' },
      null,
    ];
    for (const each of others) expect(toPlaces(await put({ tls: each }))).toEqual(['400', '/credential']);
    expect((await put({ tls: others[0], key })).status).toBe(200);
    expect((await put({ tls: null, key })).status).toBe(200);
  });

  it('are refused if no server would accept the certificate, or no server could be verified', async () => {
    await using world = await providerWorld();
    const { tls, weak, over } = issued;
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [
        { ...tls, cert: weak.cert, key: weak.key },
        '/tls/cert',
        /certificate is too weak for TLS: its key is too short/,
      ],
      [{ ...tls, cert: over.cert, key: over.key }, '/tls/cert', /certificate expired on Feb {2}1 .* 2020/],
      [{ ca: weak.cert }, '/tls/ca', /authority is too weak for TLS: its key is too short/],
      [{ ca: over.cert }, '/tls/ca', /authority expired on Feb {2}1 .* 2020/],
    ];
    for (const [given, place, message] of cases) {
      const answer = await world.ask(path, { json: { ...saved, tls: given } });
      expect(toPlaces(answer)).toEqual(['400', place]);
      expect(answer.body.error.errors[0].message).toMatch(message);
    }
    // One usable authority is enough.
    const ca = [weak.cert, over.cert, tls.ca].join('');
    expect((await world.ask(path, { json: { ...saved, tls: { ...tls, ca } } })).status).toBe(200);
  });

  it('can be sent back as placeholders after the certificate has expired', async () => {
    await using world = await providerWorld();
    const { tls } = issued;
    await world.ask(path, { json: { ...saved, tls } });
    world.time.now = Date.UTC(2041, 0, 1);
    const put = (json: object) => world.ask(`${path}/own`, { method: 'PUT', json });
    expect((await put({ name: 'Other', tls: { ...placeholders, server_name: tls.server_name } })).status).toBe(200);
    expect(toPlaces(await put({ tls }))).toEqual(['400', '/tls/ca', '/tls/cert']);
  });

  it('are refused if they cannot be used, and the error shows none of their text', async () => {
    await using world = await providerWorld();
    const { tls, renewed: other, encryptedKey } = issued;
    const long = generateKeyPairSync('dsa', {
      ...{ modulusLength: 1024, divisorLength: 160 },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey;
    const cases: readonly (readonly [object, ...string[]])[] = [
      [{}, '/tls'],
      [{ cert: tls.cert }, '/tls/cert'],
      [{ key: tls.key }, '/tls/key'],
      [{ ...tls, key: other.key }, '/tls/key'],
      [{ ...tls, key: encryptedKey }, '/tls/key'],
      [{ ...tls, key: long }, '/tls/key'],
      [{ ...tls, key: 'sk-1234' }, '/tls/key'],
      [{ ...tls, cert: tls.key }, '/tls/cert'],
      [{ ca: '' }, '/tls/ca'],
      [{ ca: `\${file:/etc/ssl/cert.pem}` }, '/tls/ca'],
      [{ ...tls, key: `\${env:KEY}` }, '/tls/key'],
      [{ ca: tls.ca, server_name: 'a b' }, '/tls/server_name'],
      [{ ca: tls.ca, server_name: '' }, '/tls/server_name'],
      [{ ca: tls.ca, passphrase: 'x' }, '/tls/passphrase'],
      [{ ca: 'x'.repeat(262_145) }, '/tls/ca'],
    ];
    for (const [given, ...places] of cases) {
      const answer = await world.ask(path, { json: { ...saved, tls: given } });
      expect([given, toPlaces(answer)]).toEqual([given, ['400', ...places]]);
      expect(JSON.stringify(answer.body)).not.toMatch(/BEGIN|sk-/);
    }
    const plain = { ...saved, settings: { custom_host: 'http://models.example.com/v1' }, tls };
    expect(toPlaces(await world.ask(path, { json: plain }))).toContain('/tls');
    const inside = { name: 'Echo', slug: 'own', provider: 'echo', tls };
    expect(toPlaces(await world.ask(path, { json: inside }))).toEqual(['400', '/tls']);
    await world.ask(path, { json: { ...saved, tls } });
    const change = { settings: { custom_host: 'http://models.example.com/v1' }, key: 'sk-secret' };
    expect(toPlaces(await world.ask(`${path}/own`, { method: 'PUT', json: change }))).toContain('/tls');
  });
});

it.skipIf(!hasOpenssl)(
  'the providers of an integration use its TLS settings, by references that can be opened',
  async () => {
    await using world = await providerWorld();
    const { tls } = issued;
    const { id } = (await world.ask('/integrations', { json: { ...saved, tls } })).body.data;
    const own = { name: 'A', slug: 'a', integration_id: 'own' };
    expect(toPlaces(await world.ask('/providers', { json: { ...own, tls } }))).toEqual(['400', '/tls']);
    await world.ask('/providers', { json: own });
    const providers = await world.store.db.selectFrom('providers').selectAll().execute();
    const integrations = await world.store.db.selectFrom('integrations').selectAll().execute();
    const found = toSavedProviders(
      { providers, integrations },
      { now: world.time.now, catalogue: world.parts.catalogue },
    );
    const references = Object.fromEntries(
      (['ca', 'cert', 'key'] as const).map((member) => [member, `\${saved:integrations/${id}/tls/${member}}`]),
    );
    expect(found.providers.a?.tls).toEqual({ ...references, server_name: 'models.internal' });
    for (const member of ['ca', 'cert', 'key'] as const) {
      const secret = found.secrets.get(references[member] ?? '');
      expect(secret && (await world.parts.sealer.open(secret.sealed, secret.at))).toBe(tls[member]);
    }
  },
);
