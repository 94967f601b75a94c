import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { postgresFolder, startPostgres } from '../support/servers/postgres-server.ts';
import { createAnswerErrors, isSecretText } from './document/answer-errors.ts';
import { toOperations } from './document/operations.ts';
import { openConnections } from './run/exchange.ts';
import { runApi } from './run/run-api.ts';
import { type RunningApi, startApi } from './run/start-api.ts';

const requests = Number(process.env.API_RUNS ?? 3000);
const seed = Number(process.env.API_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** From this number of requests on, each operation must succeed at least once. */
const enough = 3000;

const timeout = Math.max(600_000, requests * 60);

/**
 * Operations that need a key in the body, the cookie of a session (see `test/e2e/console`), or the record of a request that was
 * served (see `test/e2e/logs/replay.test.ts`).
 */
const shownElsewhere: ReadonlySet<string> = new Set(['begin_session', 'end_session', 'play_request', 'replay_log']);

const expectDocumented = async (store: string, count: number): Promise<void> => {
  await using running = await startApi(store);
  const all = toOperations(running.document).map(({ operationId }) => operationId);
  const until = count >= enough ? all.filter((id) => !shownElsewhere.has(id)) : [];
  const { findings, statuses } = await runApi(running, { seed, requests: count, until });
  expect(findings, `API_SEED=${seed} API_RUNS=${requests}\n\n${findings.join('\n')}`).toHaveLength(0);
  expect(isSecretText(running.printed())).toBe(false);
  expect(until.filter((id) => !statuses.get(id)?.has(200))).toEqual([]);
};

describe('the OpenAPI document of the control plane', () => {
  let running: RunningApi;

  beforeAll(async () => {
    running = await startApi('gateway.db');
  });
  afterAll(() => running[Symbol.asyncDispose]());

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...running.document });
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('describes the answer to requests whose target is too long', async () => {
    const errors = createAnswerErrors(running.document);
    const connections = openConnections(running.origin);
    onTestFinished(() => connections.close());
    for (const operation of toOperations(running.document)) {
      const { method, path } = operation;
      const answer = await connections.send({ method, target: `/v1${path}?x=${'x'.repeat(70_000)}`, headers: {} });
      expect(answer.status).toBe(431);
      expect(errors(answer, operation, method)).toEqual([]);
    }
  });
});

describe('the control plane', () => {
  it('answers every request as its OpenAPI document says', () => expectDocumented('gateway.db', requests), timeout);

  it.skipIf(postgresFolder() === undefined)(
    'answers every request as its OpenAPI document says if its store is PostgreSQL',
    async () => {
      const server = await startPostgres(postgresFolder() ?? '');
      onTestFinished(() => server.stop());
      await expectDocumented(server.url, Math.ceil(requests / 8));
    },
    timeout,
  );
});
