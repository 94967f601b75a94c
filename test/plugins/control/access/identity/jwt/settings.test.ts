import { describe, expect, it } from 'vitest';
import {
  grantableScopes,
  readJwtSettings,
} from '../../../../../../plugins/control/access/identity/jwt/read-jwt-settings.ts';
import type { Json, JsonObject } from '../../../../../../schema/json/json.ts';
import { scopes } from './support.ts';

const least = { issuer: 'https://idp.test/', audience: 'gateway', jwks_url: 'https://idp.test/keys' };

const readProblems = (value: Json, trustedHosts: readonly string[] = []) => {
  const read = readJwtSettings(value, { scopes, trustedHosts });
  return 'problems' in read ? read.problems : [];
};

const readPointers = (more: JsonObject) => readProblems({ ...least, ...more }).map(({ pointer }) => pointer);

describe('the settings for tokens', () => {
  it('have defaults', () => {
    expect(readJwtSettings(least, { scopes })).toEqual({
      settings: {
        issuer: 'https://idp.test/',
        audiences: ['gateway'],
        jwksUrl: 'https://idp.test/keys',
        algorithms: ['RS256', 'ES256', 'EdDSA', 'PS256'],
        claims: { user: 'sub', metadata: new Map() },
        scopeMap: new Map(),
        defaultScopes: [],
        clockToleranceS: 5,
      },
    });
  });

  it('accept every member', () => {
    const read = readJwtSettings(
      {
        ...least,
        audience: ['gateway', 'https://gateway.test'],
        algorithms: ['ES384'],
        claims: { workspace: 'ws', user: 'email', scopes: 'realm_access.roles', metadata: { team: 'dept' } },
        scope_map: { editor: ['configs.read', 'configs:update'] },
        default_scopes: ['completions.write'],
        clock_tolerance_s: 300,
      },
      { scopes },
    );
    expect(read).toEqual({
      settings: {
        issuer: 'https://idp.test/',
        audiences: ['gateway', 'https://gateway.test'],
        jwksUrl: 'https://idp.test/keys',
        algorithms: ['ES384'],
        claims: { workspace: 'ws', user: 'email', scopes: 'realm_access.roles', metadata: new Map([['team', 'dept']]) },
        scopeMap: new Map([['editor', ['configs.read', 'configs.update']]]),
        defaultScopes: ['completions.write'],
        clockToleranceS: 300,
      },
    });
    expect('settings' in read && [...grantableScopes(read.settings)].sort()).toEqual([
      'completions.write',
      'configs.read',
      'configs.update',
    ]);
  });

  it('are refused with every problem, its pointer and a hint', () => {
    expect(
      readProblems({
        audience: [],
        jwks_url: 'http://idp.test/keys',
        algoritms: ['RS256'],
        algorithms: ['RS256', 'HS256', 'none'],
        claims: { user: 7, metadata: { _user: 'sub' } },
        scope_map: { admin: ['configs.reed'] },
        default_scopes: 'all',
        clock_tolerance_s: 301,
      }),
    ).toEqual([
      { pointer: '/algoritms', message: 'There is no such setting.', hint: 'Did you mean "algorithms"?' },
      expect.objectContaining({ pointer: '/claims/user', message: 'It must be a text of 1 to 255 characters.' }),
      {
        pointer: '/claims/metadata/_user',
        message: '"_user" cannot be taken from a claim here.',
        hint: 'Name the claim in "claims.user".',
      },
      expect.objectContaining({ pointer: '/scope_map', hint: expect.stringContaining('"claims": { "scopes"') }),
      expect.objectContaining({
        pointer: '/issuer',
        message: 'It is missing: a text of 1 to 2048 characters.',
        hint: 'Write the "iss" exactly as in the tokens.',
      }),
      expect.objectContaining({ pointer: '/audience', message: 'It must be a list of 1 to 100 texts.' }),
      expect.objectContaining({ pointer: '/jwks_url', message: 'The URL must begin with https://.' }),
      expect.objectContaining({
        pointer: '/algorithms/1',
        message: '"HS256" is not an algorithm for verifying tokens with a public key.',
      }),
      expect.objectContaining({ pointer: '/algorithms/2' }),
      {
        pointer: '/scope_map/admin/0',
        message: 'There is no such scope.',
        hint: 'Did you mean "configs.read"?',
      },
      expect.objectContaining({ pointer: '/default_scopes' }),
      expect.objectContaining({ pointer: '/clock_tolerance_s', message: 'It must be a whole number from 0 to 300.' }),
    ]);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ issuer: '' }, ['/issuer']],
    [{ issuer: 'x'.repeat(2049) }, ['/issuer']],
    [{ audience: ['a', 1, ''] }, ['/audience/1', '/audience/2']],
    [{ audience: null }, ['/audience']],
    [{ jwks_url: 'idp.test' }, ['/jwks_url']],
    [{ jwks_url: 'ftp://idp.test/' }, ['/jwks_url']],
    [{ jwks_url: 'https://u:p@idp.test/' }, ['/jwks_url']],
    [{ algorithms: [] }, ['/algorithms']],
    [{ algorithms: ['HS512', 'rs256'] }, ['/algorithms/0', '/algorithms/1']],
    [{ claims: [] }, ['/claims']],
    [{ claims: { users: 'sub' } }, ['/claims/users']],
    [
      { claims: { metadata: { _prompt: 'p', _organisation: 'o' } } },
      ['/claims/metadata/_prompt', '/claims/metadata/_organisation'],
    ],
    [{ claims: { metadata: { 'a/b': null } } }, ['/claims/metadata/a~1b']],
    [
      { claims: { metadata: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, 'c'])) } },
      ['/claims/metadata'],
    ],
    [{ claims: { scopes: 'scope' }, scope_map: { a: 'configs.read' } }, ['/scope_map/a']],
    [{ default_scopes: ['constructor'] }, ['/default_scopes/0']],
    [{ clock_tolerance_s: -1 }, ['/clock_tolerance_s']],
    [{ clock_tolerance_s: 1.5 }, ['/clock_tolerance_s']],
  ])('are refused with %j', (more, pointers) => {
    expect(readPointers(more)).toEqual(pointers);
  });

  it('must be an object', () => {
    for (const value of [null, [], 'jwt']) expect(readProblems(value).map(({ pointer }) => pointer)).toEqual(['']);
  });

  it('may name a JWKS URL without TLS only on a host that the operator trusts', () => {
    const of = (url: string, trusted: readonly string[]) => readProblems({ ...least, jwks_url: url }, trusted).length;
    expect(of('http://idp.internal:8080/keys', ['idp.internal'])).toBe(0);
    expect(of('http://idp.internal:8080/keys', ['idp.internal:8080'])).toBe(0);
    expect(of('http://idp.internal:8080/keys', ['idp.internal:80'])).toBe(1);
    expect(of('http://idp.internal/keys', ['idp.internal:80'])).toBe(0);
    expect(of('http://[::1]:8080/keys', ['[::1]:8080'])).toBe(0);
    expect(of('http://idp.internal/keys', ['other.internal'])).toBe(1);
  });
});
