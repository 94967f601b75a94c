import { describe, expect, it } from 'vitest';
import { watsonx } from '../../../plugins/providers/watsonx/watsonx.ts';
import { headerValue } from '../../../plugins/sdk/http/http.ts';
import { filledSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { aPost, authorizing, bodyText } from '../../support/vendors/authorize.ts';

const filled = (settings: JsonObject): JsonObject => filledSettings(watsonx, settings);

const toPath = (model: string, stream: boolean): string => {
  const { chat } = watsonx.speaks;
  return typeof chat === 'function' ? chat({ settings: filled({}), model, stream }) : expect.unreachable();
};

const adapted = (body: JsonObject, settings: JsonObject): JsonObject | undefined =>
  watsonx.adapt?.(body, 'chat', filled(settings));

describe('watsonx', () => {
  it.each([
    ['ibm/granite-4', false, '/text/chat?version=2024-10-08'],
    ['ibm/granite-4', true, '/text/chat_stream?version=2024-10-08'],
    ['deployment/a/b?', true, '/deployments/a%2Fb%3F/text/chat_stream?version=2024-10-08'],
  ])('chooses the path for %s by whether it is streamed (%s)', (model, stream, path) => {
    expect(toPath(model, stream)).toBe(path);
  });

  it('renames the model, the project and the tool choice', () => {
    const body = { model: 'ibm/granite-4', stream: true, stream_options: {}, tool_choice: 'auto', temperature: 0 };
    const settings = { watsonx_project_id: 'p', watsonx_space_id: 's' };
    expect(adapted(body, settings)).toEqual({
      ...{ model_id: 'ibm/granite-4', project_id: 'p', temperature: 0, tool_choice_option: 'auto' },
    });
    expect(adapted({ model: 'm' }, { watsonx_space_id: 's' })).toEqual({ model_id: 'm', space_id: 's' });
    const named = { type: 'function', function: { name: 'f' } };
    expect(adapted({ model: 'deployment/d', tool_choice: named }, settings)).toEqual({ tool_choice: named });
  });

  it('exchanges its key for a token and keeps the token until it expires', async () => {
    let made = 0;
    const { context, sent, pass } = authorizing({
      credential: { api_key: 'the-key' },
      tokenService: () => {
        made += 1;
        return { body: { access_token: `token-${made}`, expires_in: 3600 } };
      },
    });
    const ask = async (): Promise<string | undefined> =>
      headerValue((await watsonx.authorize?.(aPost, context))?.headers ?? [], 'authorization');
    expect([await ask(), await ask()]).toEqual(['Bearer token-1', 'Bearer token-1']);
    const [request] = sent;
    expect(request).toMatchObject({ method: 'POST', origin: 'https://iam.cloud.ibm.com', path: '/identity/token' });
    expect(Object.fromEntries(new URLSearchParams(request === undefined ? '' : bodyText(request)))).toEqual({
      grant_type: 'urn:ibm:params:oauth:grant-type:apikey',
      apikey: 'the-key',
    });
    pass(3_600_000);
    expect(await ask()).toBe('Bearer token-2');
    expect(sent).toHaveLength(2);
  });

  it("reports the error code of a rejected key without the rest of the token service's answer", async () => {
    const { context } = authorizing({
      credential: { api_key: 'the-key' },
      tokenService: () => ({ status: 400, body: { errorCode: 'BXNIM0415E', errorMessage: 'secret-detail' } }),
    });
    await expect(watsonx.authorize?.(aPost, context)).rejects.toThrow(
      /^iam.cloud.ibm.com answered 400 \(BXNIM0415E\)\.$/,
    );
  });
});
