import { describe, expect, it, vi } from 'vitest';
import { namesIn } from '../../../../plugins/control/cli/resources/flag-values.ts';
import { runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { askApi, type ScriptedAnswer, startApi, useEnvironment } from './support/api-server.ts';
import { commandFiles, everyCommand, secretVariable } from './support/every-command.ts';

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'It is saved.' }, finish_reason: 'stop' }],
};
const error = (status: number, code: string): ScriptedAnswer => ({ status, json: { error: { message: 'No.', code } } });

/** Responses of what is not a control plane: a provider, a gateway without a store, one that forwards everything, a website. */
const strangers: readonly (readonly [string, ScriptedAnswer])[] = [
  ['an empty object', { json: {} }],
  ['an empty list', { json: { object: 'list', total: 0, data: [] } }],
  ['a completion', { json: completion }],
  ['a saved object', { json: { success: true, data: { id: '1', slug: 'a' } } }],
  ['an HTML page', { text: '<html></html>', headers: { 'content-type': 'text/html' } }],
  ['the 401 of a provider', error(401, 'invalid_api_key')],
  ['the 401 of a data path', error(401, 'missing-service-key')],
  ['the error no-control-plane', error(404, 'no-control-plane')],
  ['the error unknown-route', error(404, 'unknown-route')],
  ['the error missing-provider', error(400, 'missing-provider')],
  ['the code of a control plane with another status', error(403, 'AB05')],
];

describe.each(strangers)('a server that is not a control plane and returns %s', (stranger, answer) => {
  const at = strangers.findIndex(([each]) => each === stranger);
  const commands = everyCommand.filter((_, commandAt) => isSampled(at, commandAt, 8));
  it.each(commands.map(({ argv }) => [argv.join(' '), argv] as const))(
    'is reported as such, and gets no secret: gw %s',
    async (_line, argv) => {
      const api = await startApi(answer, { isControlPlane: false });
      useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
      vi.stubEnv(secretVariable, 'sk-secret');
      for (const line of [argv, [...argv, '--format', 'json']]) {
        const { code, out, err } = await runGw(temporaryFolder(commandFiles), line);
        expect({ code, out, err }).toEqual({
          code: 1,
          out: '',
          err: `gw: There is no control plane at ${api.url}/v1. Start the gateway with a store (gw serve --store FILE), or correct --url or GW_URL.\n`,
        });
      }
      const probe = { line: 'GET /v1/api-keys', key: undefined, workspace: undefined, body: undefined };
      expect(api.requests).toEqual([probe, probe]);
    },
  );
});

describe('a gateway that cannot be recognised as a control plane', () => {
  it.each([
    [{ status: 503, json: { error: { message: 'It is draining.' } } }, 'gw: It is draining.\n'],
    [{ status: 429, json: { error: { message: 'Too many.' } } }, 'gw: Too many.\n'],
    [{ status: 404, text: 'not found' }, 'answered with the status 404 and without JSON'],
    [{ status: 302, json: {}, headers: { location: 'http://127.0.0.1:1' } }, 'answered with a redirect'],
  ] as const)('gets no key: %j', async (answer, message) => {
    const api = await startApi(answer, { isControlPlane: false });
    useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const { code, out, err } = await runGw(temporaryFolder(), ['keys', 'list']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(api.requests.map(({ key }) => key)).toEqual([undefined]);
  });

  it.each([['--follow'], ['--follow', '--format', 'json']])('makes gw logs %s fail', async (...flags) => {
    const api = await startApi({ json: { object: 'list', data: [] } }, { isControlPlane: false });
    useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const { code, err } = await runGw(temporaryFolder(), ['logs', ...flags]);
    expect(code).toBe(1);
    expect(err).toContain('gw: There is no control plane at ');
  });

  it('makes gw explain --log fail, and gets no key', async () => {
    const api = await startApi({ json: completion }, { isControlPlane: false });
    useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const folder = temporaryFolder({ 'a.json': { provider: 'echo' } });
    const { code, out, err } = await runGw(folder, ['explain', 'a.json', '--log', 'x']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('There is no control plane at ');
    expect(api.requests.map(({ key }) => key)).toEqual([undefined]);
  });
});

describe('a response that differs from the documented shape', () => {
  const wrong = [[], null, 'saved', { error: 'no' }, { data: 'none' }, { object: 'list', data: [1] }];
  const shown = everyCommand.filter(({ command: { shows } }) => shows.as !== 'completion' && shows.as !== 'lines');

  it.each(shown.map((each, commandAt) => [each.argv.join(' '), commandAt, each] as const))(
    'is not shown: gw %s',
    async (_line, commandAt, { argv, command: { shows, route } }) => {
      vi.stubEnv(secretVariable, 'sk-secret');
      const names = namesIn(route);
      // If the printed sentence needs only the names in the arguments, any object is accepted as the response.
      const needsNothing =
        shows.as === 'said' && [...shows.text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => names.includes(name));
      for (const [at, json] of (needsNothing ? wrong.slice(0, 4) : [...wrong, {}]).entries())
        for (const [lineAt, line] of [argv, [...argv, '--format', 'json']].entries()) {
          if (!isSampled(at + commandAt, lineAt, 4)) continue;
          const isListOfOthers = ['record', 'json', 'request'].includes(shows.as);
          if (isListOfOthers && json !== null && typeof json === 'object' && 'object' in json) continue;
          const { code, out, err } = await askApi(line, { answer: { json }, files: commandFiles });
          expect({ code, out, err }, JSON.stringify(json)).toEqual({
            code: 1,
            out: '',
            err: expect.stringMatching(/^gw: The response is not one that a control plane returns/),
          });
        }
    },
  );

  it('is not printed as lines', async () => {
    const { code, out, err } = await askApi(['logs', 'export'], { answer: { json: { object: 'list', data: [] } } });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('gw: The response is not JSON lines.');
  });
});
