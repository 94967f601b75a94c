import { describe, expect, expectTypeOf, it } from 'vitest';
import { isDateTime, isUuid } from '../../../../plugins/sdk/parameters/text-formats.ts';
import { routeRowErrors } from '../../../../plugins/sdk/route/route-row-error.ts';
import { defineRoute } from '../../../../plugins/sdk/sdk.ts';

const row = defineRoute({
  method: 'PUT',
  path: '/acme/{team}/things/{id}',
  operationId: 'put_thing',
  summary: 'Changes a thing.',
  scope: 'acme.update',
  query: { type: 'object', properties: { dry_run: { type: 'boolean', default: false }, tag: { type: 'string' } } },
  body: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, size: { enum: ['s', 'l'] } } },
  replies: { 200: { type: 'object' } },
  handle({ params, query, body }) {
    expectTypeOf(params.team).toEqualTypeOf<string>();
    expectTypeOf<keyof typeof params>().toEqualTypeOf<'team' | 'id'>();
    expectTypeOf(query.dry_run).toEqualTypeOf<boolean>();
    expectTypeOf(query.tag).toEqualTypeOf<string | undefined>();
    expectTypeOf(body.name).toEqualTypeOf<string>();
    expectTypeOf(body.size).toEqualTypeOf<'s' | 'l' | undefined>();
    return { status: 200, body: {} };
  },
});

describe('defineRoute', () => {
  it('infers the types of the handler from its schemas', () => {
    expect(routeRowErrors(row)).toEqual([]);
    defineRoute({
      ...row,
      path: '/acme/{page}',
      params: { type: 'object', properties: { page: { type: 'integer' } } },
      body: null,
      handle({ params, body }) {
        expectTypeOf(params.page).toEqualTypeOf<number>();
        expectTypeOf(body).toEqualTypeOf<undefined>();
        return { status: 204 };
      },
    });
  });

  it.each([
    [{ method: 'TRACE' }, 'method is not one of GET, POST, PUT, PATCH, DELETE'],
    [{ path: '/acme/{team' }, 'path is not of the form /things/{id}: '],
    [{ path: '/acme/a b' }, 'path is not of the form /things/{id}: '],
    [{ path: '/acme/' }, 'path is not of the form /things/{id}: '],
    [{ path: '/acme/..' }, 'path is not of the form /things/{id}: '],
    [{ path: '/acme/:id' }, 'path is not of the form /things/{id}: '],
    [{ path: '/acme/**' }, 'path is not of the form /things/{id}: '],
    [{ path: '/{team}' }, 'the first segment of path cannot be a parameter'],
    [{ path: '/acme/{id}/{id}' }, 'path has two parameters of one name'],
    [{ path: '/models/mine' }, 'the gateway itself answers at /models'],
    [{ path: '/v1/acme' }, 'the gateway itself answers at /v1'],
    [{ operationId: 'put thing' }, 'operationId is not made of'],
    [{ operationId: undefined }, 'operationId is not made of'],
    [{ summary: '' }, 'summary is not a non-empty string'],
    [{ scope: 'everything' }, 'scope is neither null nor of the form resource.verb'],
    [{ scope: undefined }, 'scope is neither null nor of the form resource.verb'],
    [{ idempotent: true }, 'only a POST can be idempotent'],
    [{ method: 'GET' }, 'a GET has no body'],
    [{ params: { type: 'object', properties: { team: {} } } }, 'params describes "team", and path has "id, team"'],
    [{ query: { type: 'array' } }, 'query is not a schema of type object'],
    [{ body: { type: 'thing' } }, 'body is not a valid schema: '],
    [{ body: 'json' }, 'body is not a schema'],
    [{ replies: {} }, 'replies has no status'],
    [{ replies: { 99: {} } }, 'replies has the status 99'],
    [{ replies: { 200: [] } }, 'replies.200 is not a schema'],
    [{ replies: { 200: ['events', 'text'] } }, 'replies.200 is not a schema'],
    [{ replies: { 200: { minimum: 'a' } } }, 'replies.200 is not a valid schema: '],
    [{ handle: undefined }, 'handle is not a function'],
  ])('rejects a route with %j', (wrong, error) => {
    expect(routeRowErrors({ ...row, ...wrong } as never)).toEqual([expect.stringContaining(error)]);
  });
});

describe('string formats', () => {
  it.each([
    ['2030-01-31T12:00:00Z', true],
    ['2030-01-31t12:00:00.123456+05:30', true],
    ['2028-02-29T00:00:00Z', true],
    ['2030-02-29T00:00:00Z', false],
    ['2030-02-30T00:00:00Z', false],
    ['2030-13-01T00:00:00Z', false],
    ['2030-01-31T24:00:00Z', false],
    ['2030-01-31 12:00:00Z', false],
    ['2030-01-31T12:00:00', false],
    ['2030-01-31', false],
  ])('validate a date-time: %s', (text, is) => {
    expect(isDateTime(text)).toBe(is);
  });

  it('validate a UUID', () => {
    expect(isUuid('01890A5D-ac96-774b-bcce-b302099a8057')).toBe(true);
    expect(isUuid('01890a5dac96774bbcceb302099a8057')).toBe(false);
    expect(isUuid('{01890a5d-ac96-774b-bcce-b302099a8057}')).toBe(false);
  });
});
