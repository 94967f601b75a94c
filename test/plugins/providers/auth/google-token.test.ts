import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { googleToken, parseServiceAccount } from '../../../../plugins/providers/auth/google-token.ts';
import { authorizing, bodyText } from '../../../support/vendors/authorize.ts';
import { verifyJwt } from '../../../support/vendors/jwt-verifier.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  email: 'caller@acme.iam.gserviceaccount.com',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  keyId: 'key-1',
};

describe('a token for a service account', () => {
  it('is requested from Google with an assertion signed by the account', async () => {
    const { context, sent } = authorizing({
      tokenService: () => ({ body: { access_token: 'token-1', expires_in: 3599 } }),
    });
    expect(await googleToken(context, account)).toBe('token-1');
    const [request] = sent;
    expect(request).toMatchObject({ method: 'POST', origin: 'https://oauth2.googleapis.com', path: '/token' });
    const form = new URLSearchParams(request === undefined ? '' : bodyText(request));
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const at = Date.UTC(2026, 0, 1) / 1000;
    expect(verifyJwt(form.get('assertion') ?? '', publicKey)).toEqual({
      header: { alg: 'RS256', typ: 'JWT', kid: 'key-1' },
      claims: {
        iss: account.email,
        scope: 'https://www.googleapis.com/auth/cloud-platform',
        aud: 'https://oauth2.googleapis.com/token',
        iat: at,
        exp: at + 3600,
      },
    });
  });

  it('is kept until it expires', async () => {
    let made = 0;
    const { context, sent, pass } = authorizing({
      tokenService: () => {
        made += 1;
        return { body: { access_token: `token-${made}`, expires_in: 60 } };
      },
    });
    expect([await googleToken(context, account), await googleToken(context, account)]).toEqual(['token-1', 'token-1']);
    pass(60_000);
    expect(await googleToken(context, account)).toBe('token-2');
    expect(sent).toHaveLength(2);
  });

  it('is rejected with only the status and the error code in the message', async () => {
    const { context } = authorizing({
      tokenService: () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'secret-detail' } }),
    });
    await expect(googleToken(context, account)).rejects.toThrow(
      /^oauth2.googleapis.com answered 400 \(invalid_grant\)\.$/,
    );
  });

  it('must be present in the answer', async () => {
    const { context } = authorizing({ tokenService: () => ({ body: 'not JSON' }) });
    await expect(googleToken(context, account)).rejects.toThrow('contains no token');
  });

  it('requires a valid private key, and an invalid one is not quoted', async () => {
    const { context, sent } = authorizing({});
    const failure = googleToken(context, { ...account, privateKey: 'hush-hush' });
    await expect(failure).rejects.toThrow(/^The private_key of the service account is not a key\.$/);
    expect(sent).toEqual([]);
  });
});

describe('a key file', () => {
  const file = { client_email: 'a@b', private_key: 'k', private_key_id: 'i', project_id: 'p' };

  it('is parsed into an account, and its token_uri is ignored', () => {
    expect(parseServiceAccount(JSON.stringify({ ...file, token_uri: 'https://evil.example' }))).toEqual({
      email: 'a@b',
      privateKey: 'k',
      keyId: 'i',
      projectId: 'p',
    });
    expect(parseServiceAccount(JSON.stringify({ client_email: 'a@b', private_key: 'k' }))).toEqual({
      email: 'a@b',
      privateKey: 'k',
    });
  });

  it.each(['', '[]', '{}', '{"client_email":"a"}', '{"client_email":1,"private_key":"k"}'])('cannot be %s', (text) => {
    expect(parseServiceAccount(text)).toBeUndefined();
  });
});
