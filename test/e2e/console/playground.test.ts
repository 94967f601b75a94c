import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import type { UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { takeScreenshots } from './support/screenshots.ts';

const secret = 'sk-secret-of-the-test';

/** A tool call, each with another city. */
const toToolReply = () => {
  cities += 1;
  return { toolCalls: [{ id: 'call_1', name: 'find_weather', arguments: `{"city":"City ${cities}"}` }] };
};
let cities = 0;

/**
 * A vendor that accepts one key, lists its models, and answers whole or as a stream, with a tool call if the request has tools.
 * The model `cut` breaks off in the middle.
 */
const vendor: UpstreamHandler = (call) => {
  const { request } = call;
  if (request.header('authorization') !== `Bearer ${secret}`)
    return call.json({ error: { message: 'Wrong key.', type: 'x', code: 'x', param: null } }, { status: 401 });
  if (request.method === 'GET') return call.json({ object: 'list', data: [{ id: 'gpt-4o' }, { id: 'gpt-4o-mini' }] });
  const { model, stream, tools } = request.json();
  if (stream !== true) return call.json(openaiAnswer(tools === undefined ? { text: 'Hello, whole!' } : toToolReply()));
  const events = call.sse();
  if (tools !== undefined) {
    for (const event of openaiStream(toToolReply())) events.send(event);
    return events.end();
  }
  const chunk = (delta: object, finish_reason: string | null = null) =>
    events.frame({
      ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model },
      choices: [{ index: 0, delta, finish_reason }],
    });
  chunk({ role: 'assistant', content: 'Hello, ' });
  if (model === 'cut') return events.cut();
  chunk({ content: 'stream!' });
  chunk({}, 'stop');
  return events.done();
};

const toImage = (name: string, bytes: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) });

const send = async (page: Page, { model, text = 'Say hello' }: { readonly model: string; readonly text?: string }) => {
  await page.getByLabel('Model', { exact: true }).fill(model);
  await page.getByLabel('User 1', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
};

describe.skipIf(!hasBrowser)('the console', () => {
  const world = consoleWorld({ upstream: vendor });

  const saveProvider = async (slug: string, { provider = 'openai', key = secret } = {}): Promise<void> => {
    const { gateway, upstream } = world();
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /providers', {
      body: { name: slug, slug, provider, credential: { api_key: key }, settings },
    });
  };

  it('adds a provider by keyboard alone, tries its credential, and never shows it again', async () => {
    const { open, upstream } = world();
    const page = await open('/providers');
    await page.getByRole('button', { name: 'Add provider' }).press('Enter');
    await page.getByLabel('Service').pressSequentially('openai');
    // Its fields arrive with the list of services.
    await page.getByLabel('api_key').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Main');
    await page.keyboard.press('Tab');
    await page.keyboard.type('main');
    await page.keyboard.press('Tab');
    await page.keyboard.type(secret);
    await page.getByText('Settings', { exact: true }).press('Enter');
    await page.getByLabel('custom_host').pressSequentially(`${upstream.origin}/v1`);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '@main' }).waitFor();
    await page.getByRole('button', { name: 'Test credential of Main' }).press('Enter');
    await page.getByText('The provider accepts the credential, and lists 2 models.').waitFor();
    await page.getByRole('cell', { name: 'gpt-4o-mini' }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit Main' }).press('Enter');
    await page.getByLabel('api_key').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.keyboard.press('Escape');
    await takeScreenshots(page, 'providers');
  });

  it('shows the warning for a provider with a host without a path', async () => {
    await saveProvider('pathless');
    const { open, upstream } = world();
    const page = await open('/providers');
    await page.getByRole('button', { name: 'Edit pathless' }).click();
    await page.getByLabel('api_key').fill(secret);
    await page.getByLabel('custom_host').fill(upstream.origin);
    await page.getByRole('button', { name: 'Save' }).click();
    const warning = page.getByText('this one does not end with a path such as "/v1".');
    await warning.waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await warning.waitFor({ state: 'detached' });
  });

  it('sends requests in two APIs, streamed and whole, with code that sends the same', async () => {
    await saveProvider('asked');
    const { open } = world();
    const page = await open('/play?provider=%40asked');
    await send(page, { model: 'gpt-4o' });
    await page.getByText('Hello, stream!').waitFor();
    await page.getByText('The response is complete.').waitFor();
    await page.getByText('As code').click();
    expect(await page.locator('pre').first().textContent()).toContain('$GW_API_KEY');
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'playground');
    await page.getByLabel('API').selectOption('messages');
    await page.getByLabel('Stream the response').uncheck();
    await page.getByLabel('User 1', { exact: true }).press('Control+Enter');
    await page.getByText('Hello, whole!').waitFor();
    await page.getByRole('link', { name: 'Open the request in the log' }).waitFor();
  });

  it('sends without a model through a config that sets it, and shows the name of the key with the request', async () => {
    await saveProvider('filled');
    const { gateway, upstream, open } = world();
    const config = { provider: '@filled', override_params: { model: 'gpt-4o' } };
    await control(gateway, 'POST /configs', { body: { name: 'sets', slug: 'sets', config } });
    const page = await open('/play?config=sets');
    await page.getByLabel('User 1', { exact: true }).fill('Say hello');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The response is complete.').waitFor();
    expect(upstream.requests.at(-1)?.json().model).toBe('gpt-4o');
    await page.getByRole('link', { name: 'Open the request in the log' }).click();
    await page.locator('.request-facts dd').getByText('admin', { exact: true }).waitFor();
  });

  it('reports that a broken stream is not complete, with what arrived before', async () => {
    await saveProvider('cutting');
    const page = await world().open('/play?provider=%40cutting');
    await send(page, { model: 'cut' });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('The response is incomplete');
    await page.getByText('Hello,', { exact: false }).first().waitFor();
    expect(await page.getByText('The response is complete.').count()).toBe(0);
  });

  it('sends images in each API, streamed and whole, and accepts no other file', async () => {
    // A provider with only OpenAI's chat API; the other APIs are translated.
    await saveProvider('seeing', { provider: 'hyperbolic' });
    const { open, upstream } = world();
    const page = await open('/play?provider=%40seeing&model=gpt-4o');
    await page.getByLabel('User 1', { exact: true }).fill('Which colours?');
    const images = page.getByLabel('Image for User 1');
    await images.setInputFiles([toImage('red.png', 'a red dot'), toImage('blue.png', 'a blue dot')]);
    await page.getByRole('img', { name: 'blue.png' }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    for (const [api, stream] of [
      ['chat', true],
      ['messages', false],
      ['responses', true],
      ['gemini', false],
    ] as const) {
      await page.getByLabel('API').selectOption(api);
      await page.getByLabel('Stream the response').setChecked(stream);
      const before = upstream.requests.length;
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText(stream ? 'Hello, stream!' : 'Hello, whole!').waitFor();
      await page.getByText('The response is complete.').waitFor();
      const sent = upstream.requests.slice(before).map(({ body }) => body.toString());
      expect(sent, api).toEqual([expect.stringContaining(Buffer.from('a red dot').toString('base64'))]);
      expect(sent, api).toEqual([expect.stringContaining(Buffer.from('a blue dot').toString('base64'))]);
    }
    await page.getByRole('button', { name: 'Remove the image red.png' }).click();
    expect(await page.locator('.playground-images img').count()).toBe(1);
    await images.setInputFiles([{ ...toImage('page.pdf', '%PDF'), mimeType: 'application/pdf' }]);
    await page.getByText('The image page.pdf cannot be read.').waitFor();
    await images.setInputFiles([toImage('large.png', 'x'.repeat(4 * 1024 * 1024 + 1))]);
    await page.getByText('The image large.png is larger than 4 MB.').waitFor();
    await images.setInputFiles(Array.from({ length: 8 }, (_, at) => toImage(`${at}.png`, 'x')));
    await page.getByText('A request can have at most 8 images here.').waitFor();
    expect(await page.locator('.playground-images img').count()).toBe(1);
  });

  it('sends tools in each API, and shows the calls of the answer, streamed and whole', async () => {
    await saveProvider('calling', { provider: 'hyperbolic' });
    const { open, upstream } = world();
    const page = await open('/play?provider=%40calling&model=gpt-4o');
    await page.getByLabel('User 1', { exact: true }).fill('The weather in Oslo?');
    await page.getByText('Parameters and tools').click();
    const tools = page.getByLabel('Tools (JSON)');
    await tools.fill('[{ "name": "find_weather" ]');
    await page.getByText('This is not valid JSON.').waitFor();
    await tools.fill('[{ "name": "find_weather", "parameters": { "type": "object", "properties": {} } }]');
    for (const [api, stream] of [
      ['chat', true],
      ['messages', true],
      ['responses', false],
      ['gemini', false],
    ] as const) {
      await page.getByLabel('API').selectOption(api);
      await page.getByLabel('Stream the response').setChecked(stream);
      const city = `City ${cities + 1}`;
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('.playground-calls').getByText(`find_weather({"city":"${city}"})`).waitFor();
      await page.getByText('The response is complete.').waitFor();
      expect(upstream.requests.at(-1)?.json().tools[0].function.name).toBe('find_weather');
    }
  });

  it('tries a guardrail on a text before it is saved, and refuses it', async () => {
    const page = await world().open('/guardrails');
    await page.getByRole('button', { name: 'Add guardrail' }).first().click();
    await page.getByLabel('Name').fill('No passwords');
    await page.getByRole('combobox', { name: 'Check 1' }).fill('default.contains');
    await page.getByLabel('words *').fill('password');
    await page.getByLabel('operator *').selectOption('none');
    await page.getByText('Try these checks').click();
    await page.getByLabel('Text', { exact: true }).fill('my password');
    await page.getByRole('button', { name: 'Run checks' }).click();
    await page.getByText('A request with this text would be denied.').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('button', { name: 'Edit No passwords' }).click();
    await page.getByLabel('words *').waitFor();
    expect(await page.getByLabel('words *').inputValue()).toBe('password');
    await page.keyboard.press('Escape');
    await takeScreenshots(page, 'guardrails');
  });
});
