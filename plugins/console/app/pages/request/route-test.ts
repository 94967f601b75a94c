import { texts } from '../../texts/request.ts';
import type { Attempt, WholeRecord } from './whole-record.ts';

/** Quotes a value as JSON, which is valid YAML, so that texts of others stay plain strings. */
const quote = (value: unknown): string => JSON.stringify(value);

const operations: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  '/v1/embeddings': 'embeddings',
};

const toReply = ({ status, origin, cause = '' }: Attempt): string => {
  if (origin === 'upstream') return `{ status: ${status} }`;
  return `{ error: ${/time-?out|deadline/.test(cause) || status === 408 ? 'silent' : 'refused'} }`;
};

/** Returns the name of the file that `gw test` finds. */
export const toRouteTestFile = ({ config }: Pick<WholeRecord, 'config'>): string =>
  `${(config ?? 'config').replaceAll(/[^\w.-]/g, '-')}.route.yaml`;

/** Whether a test can repeat the route of a request. It cannot without a known config or an attempt. */
export const hasRouteTest = ({ config, attempts }: Pick<WholeRecord, 'config' | 'attempts'>): boolean =>
  config !== null || attempts.length > 0;

/** Returns a route test that requires a config to route a request as it did: YAML to save beside the config for `gw test`. */
export const toRouteTest = (record: WholeRecord): string => {
  const { attempts, config, model, requested_model, metadata, path, stream, status, plan_model, trace_id } = record;
  const asked = requested_model ?? model;
  const params = { ...(asked === null ? {} : { model: asked }), ...(stream === true ? { stream: true } : {}) };
  const operation = operations[path];
  const called = Map.groupBy(attempts, ({ target }) => target);
  // The gateway itself writes labels that start with an underscore.
  const written = Object.entries(metadata).filter(([name]) => !name.startsWith('_'));
  const labels = written.length === 0 ? [] : [`      metadata: ${quote(Object.fromEntries(written))}`];
  const lines = [
    `config: ${quote(`${config ?? 'config'}.json`)}`,
    'tests:',
    `  - name: ${quote(texts.routeTestName(trace_id).slice(0, 300))}`,
    '    given:',
    operation === undefined ? `      path: ${quote(path)}` : `      operation: ${operation}`,
    `      params: ${quote(params)}`,
    ...labels,
    ...(plan_model === undefined ? [] : [`      virtual_model: ${quote(plan_model)}`]),
    ...(called.size === 0 ? [] : ['    when:']),
    ...[...called].map(([target, all]) => `      ${quote(target)}: [${all.map(toReply).join(', ')}]`),
    '    expect:',
    `      calls: ${quote(attempts.map(({ target }) => target))}`,
    `      status: ${status}`,
  ];
  return `${lines.join('\n')}\n`;
};
