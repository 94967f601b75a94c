import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerHead,
  passedHeaders,
  withoutContentType,
} from '../../../../runtime/engine/forwarded-headers/answer-head.ts';
import { connectionNames, headerClass } from '../../../../runtime/engine/forwarded-headers/header-class.ts';
import { headerText } from '../../../../runtime/engine/forwarded-headers/header-text.ts';
import { modelledHeaders, passThroughHeaders } from '../../../../runtime/engine/forwarded-headers/outgoing-headers.ts';

const names = (...list: readonly string[]): ReadonlySet<string> => new Set(list);

describe('header classification', () => {
  it.each([
    ['Connection', 'hop-by-hop'],
    ['keep-alive', 'hop-by-hop'],
    ['Transfer-Encoding', 'hop-by-hop'],
    ['TE', 'hop-by-hop'],
    ['Proxy-Authorization', 'hop-by-hop'],
    ['Upgrade', 'hop-by-hop'],
    ['Expect', 'hop-by-hop'],
    ['Trailer', 'hop-by-hop'],
    ['Proxy-Connection', 'hop-by-hop'],
    ['Proxy-Authenticate', 'hop-by-hop'],
    ['X-HTTP-Method', 'hop-by-hop'],
    ['X-Method-Override', 'hop-by-hop'],
    ['X-HTTP-Method-Override', 'hop-by-hop'],
    ['X-Original-URL', 'hop-by-hop'],
    ['X-Rewrite-URL', 'hop-by-hop'],
    ['X-Accel-Redirect', 'hop-by-hop'],
    ['X-Accel-Buffering', 'end-to-end'],
    ['X-Sendfile', 'hop-by-hop'],
    ['X-LIGHTTPD-send-file', 'hop-by-hop'],
    ['X-Reproxy-URL', 'hop-by-hop'],
    ['Content-Length', 'framing'],
    ['HOST', 'host'],
    ['X-GW-Config', 'gateway'],
    ['x-gw-', 'gateway'],
    ['x-gwen', 'end-to-end'],
    ['X-Request-Id', 'end-to-end'],
    ['server', 'end-to-end'],
    ['', 'end-to-end'],
  ])('treats %s as %s', (name, kind) => {
    expect(headerClass(name)).toBe(kind);
  });

  it('ignores case', () => {
    fc.assert(
      fc.property(fc.constantFrom('connection', 'content-length', 'x-gw-config', 'host', 'date'), (name) => {
        expect(headerClass(name.toUpperCase())).toBe(headerClass(name));
      }),
    );
  });

  it('finds further hop-by-hop names in Connection', () => {
    expect(connectionNames('keep-alive, X-Debug ,close,')).toEqual(['x-debug']);
  });
});

describe('a text of header lines', () => {
  it('is a name or a value, or empty if the value is missing', () => {
    expect([0, 1, 2, 3].map((at) => headerText(['A', '1', 'B'], at))).toEqual(['A', '1', 'B', '']);
  });
});

describe('headers of a modelled operation', () => {
  const own = ['content-type', 'application/json', 'Authorization', 'Bearer ours'];

  it("are the target's own array if nothing is forwarded", () => {
    expect(modelledHeaders(own, ['X-Team', 'a'], names())).toBe(own);
    expect(modelledHeaders(own, ['X-Other', 'a'], names('x-team'))).toBe(own);
  });

  it("contain forwarded lines in the client's spelling, in place of the target's", () => {
    expect(
      modelledHeaders(own, ['X-TeAm', 'a', 'authorization', 'Bearer theirs'], names('x-team', 'authorization')),
    ).toEqual(['content-type', 'application/json', 'X-TeAm', 'a', 'authorization', 'Bearer theirs']);
  });

  it('never contain forwarded lines that belong to the hop, the gateway, the host or the body', () => {
    const client = ['x-gw-config', '{}', 'Host', 'a', 'Content-Length', '1', 'Connection', 'close'];
    expect(modelledHeaders(own, client, names('x-gw-config', 'host', 'content-length', 'connection'))).toBe(own);
  });
});

describe('headers of a passed-through request', () => {
  const base = { own: ['x-api-key', 'ours', 'anthropic-version', '2023-06-01'], forward: names(), keepsLength: false };

  it('keep order, spelling and repetition', () => {
    const client = ['X-b', '1', 'accept-Encoding', 'br', 'x-B', '2', 'Cookie', 'c'];
    expect(passThroughHeaders({ ...base, client })).toEqual([...client, ...base.own]);
  });

  it("carry the target's credential instead of the client's", () => {
    const client = ['Authorization', 'Bearer c', 'X-API-Key', 'c', 'api-key', 'c', 'A', 'b'];
    expect(passThroughHeaders({ ...base, client })).toEqual(['A', 'b', ...base.own]);
    expect(passThroughHeaders({ ...base, own: [], client })).toEqual(['A', 'b']);
  });

  it("contain a header that the config forwards in place of the target's", () => {
    expect(
      passThroughHeaders({
        ...base,
        client: ['X-Api-Key', 'theirs', 'Anthropic-Version', '2024-01-01'],
        forward: names('x-api-key', 'anthropic-version'),
      }),
    ).toEqual(['X-Api-Key', 'theirs', 'Anthropic-Version', '2024-01-01']);
  });

  it('omit what is hop-by-hop, by name or by Connection', () => {
    const client = [
      'Connection',
      'X-Hop, close',
      'X-Hop',
      '1',
      'Transfer-Encoding',
      'chunked',
      'X-GW-Trace-Id',
      't',
      'Host',
      'h',
    ];
    expect(passThroughHeaders({ ...base, client, own: [] })).toEqual([]);
  });

  it("contain each of the provider's names once, however a client spells it", () => {
    const client = ['ANTHROPIC-VERSION', '2024-01-01', 'X-Hop', '1'];
    expect(passThroughHeaders({ ...base, own: ['Anthropic-Version', 'a'], client })).toEqual([
      'X-Hop',
      '1',
      'Anthropic-Version',
      'a',
    ]);
  });

  it('omit what a Connection line names, and nothing named by another line', () => {
    const client = ['X-A', 'X-B', 'X-B', '1'];
    expect(passThroughHeaders({ ...base, own: [], client })).toEqual(client);
  });

  it('keep only the length if a body streams, and nothing else of the transfer', () => {
    const client = ['TE', 'trailers', 'Content-Length', '5', 'Host', 'h'];
    expect(passThroughHeaders({ ...base, own: [], client, keepsLength: true })).toEqual(['Content-Length', '5']);
  });

  it('keep the length only for a streamed body', () => {
    const client = ['Content-Length', '5'];
    expect(passThroughHeaders({ ...base, client, own: [] })).toEqual([]);
    expect(passThroughHeaders({ ...base, client, own: [], keepsLength: true })).toEqual(client);
  });
});

describe('headers of an answer', () => {
  const lines = [
    'Content-Type',
    'Text/Event-Stream; charset=utf-8',
    'Content-Encoding',
    ' GZIP',
    'Content-Length',
    '9',
    'X-Id',
    '1',
    'Connection',
    'X-Id',
  ];

  it('determine how to read a modelled body, and omit what reading changes', () => {
    expect(answerHead(lines)).toEqual({
      headers: ['Content-Type', 'Text/Event-Stream; charset=utf-8'],
      contentType: 'text/event-stream; charset=utf-8',
      contentEncoding: 'gzip',
    });
  });

  it('omit what concerns the answering origin, in any spelling, and no other name of that length', () => {
    const kept = ['Warning', '1', 'X-Strict-Transport-Safety', '2', '', '3', 'X-Id', '4'];
    for (const [protocol, transport] of [
      ['Alt-Svc', 'Strict-Transport-Security'],
      ['alt-svc', 'strict-transport-security'],
    ] as const) {
      const rawHeaders = [protocol, 'h3=":443"', ...kept, transport, 'max-age=31536000'];
      expect(answerHead(rawHeaders).headers).toEqual(kept);
    }
  });

  it('omit their content type, in any spelling, if another replaces it', () => {
    const rawHeaders = [
      'X-Type',
      'content-type',
      'Content-Type',
      'text/plain',
      'X-Id',
      '1',
      'content-type',
      'text/html',
    ];
    expect(withoutContentType(rawHeaders)).toEqual(['X-Type', 'content-type', 'X-Id', '1']);
  });

  it('stay unchanged if the body does', () => {
    expect(passedHeaders(lines)).toEqual(lines.slice(0, 6));
    expect(passedHeaders(['ETag', 'a', 'x-gw-provider', 'b', 'keep-alive', '5'])).toEqual(['ETag', 'a']);
  });

  it('omit what any of several Connection lines names, and nothing else', () => {
    const several = ['Connection', 'X-A', 'x-a', '1', 'X-B', '2', 'connection', 'x-c, X-B', 'X-C', '3', 'X-D', '4'];
    expect(answerHead(several).headers).toEqual(['X-D', '4']);
    expect(passedHeaders(several)).toEqual(['X-D', '4']);
    expect(answerHead(['keep-alive', 'x-a', 'X-A', '1']).headers).toEqual(['X-A', '1']);
    expect(passedHeaders(['keep-alive', 'x-a', 'X-A', '1'])).toEqual(['X-A', '1']);
  });

  it('combine the encodings of one or several lines', () => {
    const lines = ['Content-Encoding', 'GZIP ', 'x-a', '1', 'content-encoding', 'br'];
    expect(answerHead(lines)).toEqual({ headers: ['x-a', '1'], contentType: '', contentEncoding: 'gzip, br' });
  });

  it('specify no type and no encoding if no line does', () => {
    const lines = ['content-typo', 'text/event-stream', 'x-content-encode', 'gzip'];
    expect(answerHead(lines)).toEqual({ headers: lines, contentType: '', contentEncoding: '' });
  });
});
