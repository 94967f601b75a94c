import { gunzipSync } from 'node:zlib';
import { fromJson } from '../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { Sent } from '../sdk/delivery/delivery.ts';
import { schemaCheck } from '../sdk/parameters/schema-check.ts';
import { entryMembers } from '../sdk/sink/entry-members.ts';
import type { LogSink, OpenSink, SinkAnswer, SinkRecord, SinkRequest } from '../sdk/sink/sink.ts';
import { refuseErrors } from './errors/reasons.ts';
import { createCancellation } from './route/cancellation.ts';
import { createVirtualClock } from './route/virtual-clock.ts';

export interface SinkCase {
  /** The options of an entry, with values instead of references. */
  readonly options: JsonObject;
  /** How the receiver answers if it accepts all records; 200 without a body if absent. */
  readonly answer?: (request: SinkRequest) => Partial<SinkAnswer>;
}

const endedAt = Date.UTC(2026, 1, 14, 9, 30);

/** Returns records as a gateway creates them: of a success, of an error, and of a request whose bodies are logged. */
export const sampleSinkRecords = (): readonly SinkRecord[] =>
  [
    { is_success: true, status: 200, model: 'gpt-test', input_tokens: 12, output_tokens: 9, cost_nano_usd: 1_500 },
    { is_success: false, status: 503, cause: 'upstream-503', problem: { cause: 'upstream-503', hint: 'Wait.' } },
    {
      ...{ is_success: true, status: 200, model: 'gpt-test', stream: true },
      request: { body: { messages: [{ role: 'user', content: 'Größe “42”\n' }] } },
      response: { body: { choices: [{ message: { role: 'assistant', content: 'Hello!' } }] } },
    },
  ].map((members, index) => {
    const id = `01a1fcb4-d926-73c3-b749-2d95020dfb5${index}`;
    const record = {
      ...{ object: 'log', id, created_at: endedAt / 1000, time: new Date(endedAt).toISOString() },
      ...{ trace_id: `0af7651916cd43dd8448eb211c80319${index}`, workspace_id: 'a-workspace', operation: 'converse' },
      ...{ method: 'POST', path: '/v1/chat/completions', end: 'complete', ms: 1200, input_tokens: 0, output_tokens: 0 },
      ...{ config: 'app', cost_nano_usd: 0, problem: null, metadata: { _user: 'ann', team: 'red' }, source: 'gateway' },
      ...{ attempts: [], checks: [], trail: [], feedback: [] },
      ...members,
    };
    const json = JSON.stringify(record);
    return { id, createdAt: endedAt, workspace: 'a-workspace', json, read: () => fromJson(json) };
  });

const textOf = (body: string | Uint8Array = ''): string => {
  if (typeof body === 'string') return body;
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
  return (isCompressed ? gunzipSync(body) : Buffer.from(body)).toString();
};

interface Run {
  readonly sent: Sent | { readonly kind: 'rejected' };
  readonly requests: readonly SinkRequest[];
}

type Answer = (request: SinkRequest) => Partial<SinkAnswer>;

const kinds: readonly unknown[] = ['delivered', 'refused', 'again'];

class Contract {
  readonly errors: string[] = [];
  readonly #sink: LogSink;
  readonly #options: JsonObject;

  constructor(sink: LogSink, options: JsonObject) {
    this.#sink = sink;
    this.#options = options;
  }

  open(answer: Answer, requests: SinkRequest[]): OpenSink {
    return this.#sink.create(this.#options, {
      timers: createVirtualClock(endedAt),
      http: {
        async send(request) {
          requests.push(request);
          return { status: 200, headers: [], text: '', isWhole: true, ...answer(request) };
        },
      },
    });
  }

  async run(answer: Answer, id = 'a-batch'): Promise<Run> {
    const requests: SinkRequest[] = [];
    const { cancellation } = createCancellation();
    const open = this.open(answer, requests);
    const sent = await open
      .send(sampleSinkRecords(), { id, cancellation })
      .catch(() => ({ kind: 'rejected' }) as const);
    if (sent.kind !== 'rejected' && !kinds.includes(sent.kind))
      this.errors.push(`send must return "delivered", "refused" or "again", not ${JSON.stringify(sent)}`);
    if ('reason' in sent && (typeof sent.reason !== 'string' || sent.reason === ''))
      this.errors.push(`"${sent.kind}" has no reason`);
    for (const request of requests)
      if (request.cancellation !== cancellation)
        this.errors.push('a request does not have the cancellation of its batch');
    await open.close?.();
    return { sent, requests };
  }

  /** Expects that records are kept for a retry if the receiver cannot accept them now. */
  async expectAgain(what: string, answer: Answer): Promise<void> {
    const { sent } = await this.run(answer);
    if (sent.kind !== 'again' && sent.kind !== 'rejected')
      this.errors.push(`${what} is "${sent.kind}", and the records would be lost: return "again"`);
  }
}

const optionErrors = ({ options: schema, faults }: LogSink, options: JsonObject): readonly string[] => {
  const verdict = schemaCheck({ type: 'object', ...schema, properties: schema.properties ?? {} }, options);
  if (verdict.kind === 'errors') return verdict.errors.map(({ message }) => message);
  const taken = Object.keys(schema.properties ?? {}).filter((name) => entryMembers.includes(name));
  return [...taken.map((name) => `its option "${name}" is one that each entry has`), ...(faults?.(options) ?? [])];
};

const withDefaults = ({ options: schema }: LogSink, options: JsonObject): JsonObject => {
  const verdict = schemaCheck({ type: 'object', ...schema, properties: schema.properties ?? {} }, options);
  return verdict.kind === 'fits' && isJsonObject(verdict.value) ? verdict.value : options;
};

/**
 * Tests a log sink: it must send each record, return the outcome, and lose none if its receiver is unavailable, busy or slow.
 * Throws a `ContractError` that lists every error.
 */
export const testLogSink = async (sink: LogSink, { options, answer = () => ({}) }: SinkCase): Promise<void> => {
  const refused = optionErrors(sink, options);
  refuseErrors(`The sink "${sink.id}"`, refused);
  const contract = new Contract(sink, withDefaults(sink, options));
  const { errors } = contract;
  try {
    const { sent, requests } = await contract.run(answer);
    if (sent.kind !== 'delivered') errors.push(`it returns "${sent.kind}" although its receiver accepts all records`);
    const all = requests.map(({ body }) => textOf(body)).join('\n');
    for (const { id } of sampleSinkRecords()) if (!all.includes(id)) errors.push(`the record ${id} is not sent`);
    await contract.expectAgain('a status of 500', () => ({ status: 500 }));
    await contract.expectAgain('a status of 429', () => ({ status: 429, headers: ['retry-after', '2'] }));
    await contract.expectAgain('a receiver that is away', () => {
      throw new Error('The connection was refused.');
    });
  } catch (error) {
    errors.push(errorText(error));
  }
  refuseErrors(`The sink "${sink.id}"`, errors);
};
