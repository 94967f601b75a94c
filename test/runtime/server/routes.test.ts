import { describe, expect, it } from 'vitest';
import { matchRoute, modelsRoute } from '../../../runtime/server/routes.ts';

describe('matchRoute', () => {
  it('knows the modelled endpoints by method and path, with or without a query', () => {
    expect(matchRoute('POST', '/v1/chat/completions')).toEqual({
      route: { operation: 'converse', dialect: 'chat' },
      path: '/chat/completions',
    });
    expect(matchRoute('POST', '/v1/messages?beta=true')).toEqual({
      route: { operation: 'converse', dialect: 'messages' },
      path: '/messages?beta=true',
    });
    expect(matchRoute('POST', '/v1/embeddings')?.route.operation).toBe('embed');
  });

  it('passes everything else below /v1 through, whatever its method', () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'])
      expect(matchRoute(method, '/v1/files/f-1/content?x=%2F')).toEqual({
        route: { operation: 'opaque' },
        path: '/files/f-1/content?x=%2F',
      });
    expect(matchRoute('GET', '/v1/chat/completions')?.route.operation).toBe('opaque');
    expect(matchRoute('POST', '/v1/messages/count_tokens')?.route.operation).toBe('opaque');
  });

  it('takes /v1/proxy off and passes modelled paths through as well', () => {
    expect(matchRoute('POST', '/v1/proxy/chat/completions?a=1')).toEqual({
      route: { operation: 'opaque' },
      path: '/chat/completions?a=1',
    });
  });

  it('knows its endpoints to clients that bring the version twice, and passes the rest as it came', () => {
    expect(matchRoute('POST', '/v1/v1/messages?beta=true')).toEqual({
      route: { operation: 'converse', dialect: 'messages' },
      path: '/messages?beta=true',
    });
    expect(matchRoute('GET', '/v1/v1/models')).toEqual({ route: modelsRoute, path: '/models' });
    expect(matchRoute('GET', '/v1/v1/files')?.path).toBe('/v1/files');
  });

  it('lets no control path reach a provider', () => {
    for (const path of [
      '/v1/prompts/p-1/render',
      '/v1/prompts/p-1/render?x=1',
      '/v1/policies/usage-limits',
      '/v1/policies',
      '/v1/proxy/policies/rate-limits',
    ])
      expect(matchRoute('POST', path)).toBeUndefined();
    expect(matchRoute('GET', '/v1/prompts/p-1')).toBeDefined();
  });

  it('has nothing outside /v1', () => {
    for (const path of ['/', '/v1', '/v1/', '/v2/models', '*', 'http://elsewhere/v1/models'])
      expect(matchRoute('GET', path)).toBeUndefined();
  });
});
