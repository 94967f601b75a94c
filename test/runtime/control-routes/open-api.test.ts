import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { pageRows } from '../../../runtime/status-pages/page-rows.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { resolved } from '../../support/declared/resolved-references.ts';
import { type NotesServer, startNotes } from '../server/support/start-notes.ts';

interface Operation {
  readonly 'x-gw-dialect'?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly unknown[];
  readonly requestBody: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: unknown;
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
}

const readDocument = async (server: NotesServer): Promise<Document> => {
  const document = (await (await server.ask('/v1/openapi.json')).json()) as JsonObject;
  return resolved(document) as unknown as Document;
};

describe('GET /v1/openapi.json', () => {
  it('returns a valid OpenAPI 3.1 document', async () => {
    await using server = await startNotes();
    const validator = new Validator();
    const result = await validator.validate({
      ...((await (await server.ask('/v1/openapi.json')).json()) as JsonObject),
    });
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('is only for known callers', async () => {
    await using server = await startNotes({ serviceKeys: [{ id: 'a', key: 'key-of-team-a' }] });
    expect((await server.ask('/v1/openapi.json')).status).toBe(401);
    expect((await server.ask('/v1/openapi.json', { headers: { 'x-gw-api-key': 'key-of-team-a' } })).status).toBe(200);
  });

  it('lists every route, with its input and its responses', async () => {
    await using server = await startNotes();
    const { paths, security, components } = await readDocument(server);
    const own = Object.entries(paths).filter(([, methods]) =>
      Object.values(methods).every(({ 'x-gw-dialect': dialect }) => dialect === undefined),
    );
    expect(own.map(([path]) => path)).toEqual([
      ...['/notes/{id}', '/notes', '/notes/{id}/ask', '/openapi.json'],
      ...pageRows.map(({ path }) => path),
    ]);
    expect(paths['/notes/{id}']?.get?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ]);
    expect(paths['/notes']?.get?.parameters?.[0]).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
    const { post } = paths['/notes'] ?? {};
    expect(post).toMatchObject({ operationId: 'create_note', tags: ['notes'], 'x-gw-scope': 'completions.write' });
    expect(post?.requestBody.required).toBe(true);
    expect(post?.requestBody.content['application/json']?.schema).toMatchObject({
      additionalProperties: false,
      properties: { data: { additionalProperties: true } },
    });
    expect(Object.keys(post?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '405',
      '408',
      '409',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect(Object.keys(paths['/notes/{id}/ask']?.post?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/event-stream',
    ]);
    expect(security).toEqual([{ serviceKey: [] }, { bearer: [] }]);
    expect(components.securitySchemes.serviceKey).toEqual({ type: 'apiKey', in: 'header', name: 'x-gw-api-key' });
  });
});
