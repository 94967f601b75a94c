import { describe, expect, it } from 'vitest';
import { askApi, startApi, useEnvironment } from './support/api-server.ts';
import { runInTerminal } from './support/run-in-terminal.ts';

const record = {
  ...{ object: 'log', id: 'r-1', trace_id: 't-1', time: '2026-11-20T09:30:00.123Z', method: 'POST' },
  ...{ path: '/v1/chat/completions', config: 'chat', requested_model: 'any', model: null, status: 401, ms: 26.449 },
  ...{ end: 'complete', source: 'gateway', cache_status: null, metadata: { team: 'red', _organisation: 'o-1' } },
  problem: { cause: 'upstream-401', target: 'claude', path: 'config.targets[1]', attempt: 1, hint: 'Correct it.' },
  error: 'invalid \u001b[2Jx-api-key',
  attempts: [
    {
      ...{ path: '/targets/0', target: 'gpt', attempt: 1, status: 500, cause: 'upstream-500' },
      ...{ sent_ms: 1.5, first_byte_ms: 12.5 },
    },
    {
      ...{ path: '/targets/1', target: 'claude', attempt: 1, status: 401, cause: 'upstream-401' },
      ...{ sent_ms: 13, first_byte_ms: 20, last_byte_ms: 26.25 },
    },
  ],
  ...{ checks: [], trail: [], feedback: [] },
};

const short = `time     2026-11-20T09:30:00.123Z
request  POST /v1/chat/completions
status   401, after 26.4 ms
model    any
config   chat
labels   team=red
problem  upstream-401 at claude (config.targets[1]), attempt 1: Correct it.
error    invalid x-api-key

TARGET  PLACE              ATTEMPT  STATUS  CAUSE         TIME
gpt     config.targets[0]  1        500     upstream-500  11 ms
claude  config.targets[1]  1        401     upstream-401  13.3 ms
`;
const whole = 'gw: The whole record: gw logs get r-1 --format json\n';

const inShort = async (changed: object): Promise<string> =>
  (await askApi(['logs', 'r-1', '--format', 'human'], { answer: { json: { ...record, ...changed } } })).out;

describe('gw logs ID', () => {
  it('prints a summary with --format human and on a terminal', async () => {
    const answer = { json: record };
    expect(await askApi(['logs', 'r-1', '--format', 'human'], { answer })).toMatchObject({
      ...{ code: 0, out: short, err: whole },
    });
    const { url } = await startApi(answer);
    const { home } = useEnvironment({ GW_URL: url, GW_API_KEY: 'gw-test' });
    expect(await runInTerminal('logs', home, ['r-1'])).toEqual({ code: 0, out: short, err: whole });
  });

  it('prints the whole record if the output is not a terminal, and with --format json on a terminal', async () => {
    const answer = { json: record };
    const { out, err } = await askApi(['logs', 'r-1'], { answer });
    expect(JSON.parse(out)).toEqual(record);
    expect(err).toBe('');
    const { url } = await startApi(answer);
    const { home } = useEnvironment({ GW_URL: url, GW_API_KEY: 'gw-test' });
    expect(JSON.parse((await runInTerminal('logs', home, ['r-1', '--format', 'json'])).out)).toEqual(record);
    expect((await askApi(['logs', 'r-1', '--format', 'json'], { answer })).out).toBe(out);
  });

  it.each([
    [{ attempts: [], cache_status: 'SEMANTIC HIT' }, '\nNo provider was asked: a cache had the answer.\n'],
    [{ attempts: [], cache_status: 'MISS' }, '\nNo provider was asked.\n'],
    [{ end: 'left' }, 'status   401, the client disconnected before the end of the answer, after 26.4 ms\n'],
    [
      {
        checks: [
          { id: 'words', phase: 'input', verdict: false, deny: true },
          { id: 'tone', verdict: true },
        ],
      },
      '\nchecks   words denied the request\n',
    ],
    [
      { checks: [{ id: 'tone', phase: 'output', verdict: false, deny: false }] },
      '\nchecks   tone did not pass the answer\n',
    ],
    [
      {
        checks: [
          {
            ...{ id: 'words', phase: 'input', verdict: true, deny: false },
            checks: [
              { id: 'own.first', verdict: true, erred: true },
              { id: 'own.second', verdict: true },
              { id: 'own.third', verdict: true, erred: true },
            ],
          },
          {
            ...{ id: 'tone', phase: 'output', verdict: false, deny: true },
            checks: [{ id: 'own.first', verdict: false, erred: true }],
          },
        ],
      },
      '\nchecks   words let pass the request (own.first and own.third failed with an error), tone denied the answer (own.first failed with an error)\n',
    ],
  ])('shows for %j: %s', async (changed, shown) => {
    expect(await inShort(changed)).toContain(shown);
  });

  it('mentions no providers for a request that the gateway has not served', async () => {
    expect(await inShort({ attempts: [], source: 'sent' })).not.toContain('No provider');
  });
});
