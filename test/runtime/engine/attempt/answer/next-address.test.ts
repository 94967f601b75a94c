import { describe, expect, it } from 'vitest';
import type { RawHeaders } from '../../../../../plugins/sdk/http/http.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const upstream = 'https://generativelanguage.googleapis.com';
const upload = `${upstream}/upload/v1beta/files?upload_id=u-1&upload_protocol=resumable`;
const uploadHeader = 'X-Goog-Upload-URL';

/** Returns the headers with which an upload begins for a client with these headers, if the provider sends those lines. */
const begun = async (
  lines: RawHeaders,
  { client = ['Host', 'gw.example:8080'], provider = 'google' }: { client?: RawHeaders; provider?: string } = {},
): Promise<RawHeaders> => {
  const { handle } = runConfig(
    { provider, api_key: '${env:KEY}' },
    { upstream: () => stubAnswer('', { headers: lines }) },
  );
  const exchange = sampleExchange({}, { route: { operation: 'opaque' } });
  const request = { ...exchange.request, path: '/upload/v1beta/files', headers: client };
  return (await handle({ ...exchange, request })).headers;
};

describe('the address at which an upload continues', () => {
  it('is one of the gateway as the client reaches it', async () => {
    const lines = (address: string) => ['X-A', '1', uploadHeader, address, 'X-B', '2'];
    const rest = '/upload/v1beta/files?upload_id=u-1&upload_protocol=resumable';
    expect(await begun(lines(upload))).toEqual(lines(`http://gw.example:8080${rest}`));
    const client = ['host', 'gw.example', 'x-forwarded-proto', 'https'];
    expect(await begun(lines(upload), { client })).toEqual(lines(`https://gw.example${rest}`));
  });

  it.each<[string, { address?: string; client?: RawHeaders; provider?: string }]>([
    ['another host', { address: 'https://storage.example/upload/v1beta/files' }],
    ['another path', { address: `${upstream}/v1beta/files` }],
    ['no valid URL', { address: '/upload/v1beta/files' }],
    ['the provider, for a client that names no host', { client: [] }],
    [
      'a provider without such addresses',
      { provider: 'openai', address: 'https://api.openai.com/upload/v1beta/files' },
    ],
  ])('is unchanged if it is that of %s', async (_what, { address = upload, ...of }) => {
    const lines = ['X-A', '1', uploadHeader, address];
    expect(await begun(lines, of)).toEqual(lines);
  });

  it('is changed only in its own header', async () => {
    const other = ['X-Other', upload, 'X-Header', 'x-goog-upload-url'];
    expect(await begun(other)).toEqual(other);
    const named = [...other, 'x-goog-upload-url', upload];
    expect((await begun(named)).slice(0, -1)).toEqual(named.slice(0, -1));
    expect((await begun(named)).at(-1)).toMatch(/^http:\/\/gw\.example:8080\/upload\//);
  });
});
