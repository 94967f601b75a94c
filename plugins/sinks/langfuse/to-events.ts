import { isJsonObject, type JsonObject, writtenText } from '../../../schema/json/json.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import type { SinkRecord } from '../../sdk/sink/sink.ts';
import { type ReadRecord, readRecord } from '../shared/read-record.ts';

export interface EventOptions {
  readonly environment: string | undefined;
  readonly release: string | undefined;
  /** The label that contains the session. */
  readonly sessionLabel: string;
  /** The label that contains the user. */
  readonly userLabel: string;
  /** The labels that become tags, such as `team:red`. */
  readonly tagLabels: readonly string[];
}

/** The bodies of longer records are only in the generation, because a Langfuse batch may have 3.5 MB. */
const longestTwice = 65_536;
/** A longer record is sent without bodies. */
const longestBodies = 3_000_000;

const levels = { success: 'DEFAULT', warning: 'WARNING', error: 'ERROR' } as const;

const iso = (ms: number): string => new Date(ms).toISOString();

const labelText = (labels: JsonObject, name: string): string | undefined => {
  const value = Object.hasOwn(labels, name) ? labels[name] : undefined;
  return value === undefined || value === null ? undefined : writtenText(value);
};

const sumOf = (attempts: readonly JsonObject[], name: string): number =>
  attempts.reduce((sum, { usage }) => {
    const value = isJsonObject(usage) ? usage[name] : 0;
    return sum + (typeof value === 'number' ? value : 0);
  }, 0);

/** Returns token counts such that no token is counted twice, because Langfuse adds them up by name. */
const toUsage = ({ whole, attempts }: ReadRecord): JsonObject => {
  const [input, output] = [Number(whole.input_tokens), Number(whole.output_tokens)];
  if (input + output === 0) return {};
  const cached = Math.min(input, sumOf(attempts, 'cache_read_tokens'));
  const reasoning = Math.min(output, sumOf(attempts, 'reasoning_tokens'));
  return {
    usageDetails: {
      input: input - cached,
      output: output - reasoning,
      total: input + output,
      ...(cached === 0 ? {} : { input_cached_tokens: cached }),
      ...(reasoning === 0 ? {} : { output_reasoning_tokens: reasoning }),
    },
  };
};

const toCost = ({ whole: { cost_nano_usd: cost } }: ReadRecord): JsonObject =>
  typeof cost === 'number' && cost > 0 ? { costDetails: { total: cost / nanoPerUsd } } : {};

/** Returns when the first byte of the answer was available. */
const toFirstByte = ({ whole, attempts, startedAt }: ReadRecord): JsonObject => {
  const first = attempts.at(-1)?.first_byte_ms;
  return whole.stream === true && typeof first === 'number' ? { completionStartTime: iso(startedAt + first) } : {};
};

const toTexts = ({ requestBody, responseBody }: ReadRecord): JsonObject => ({
  ...(requestBody === undefined ? {} : { input: requestBody }),
  ...(responseBody === undefined ? {} : { output: responseBody }),
});

/** Collects the members of a record for which Langfuse has no field. */
const toMetadata = ({ whole, labels }: ReadRecord): JsonObject => {
  const { id, config, plan, target, provider, slug, key_id, workspace_id, status, cache_status } = whole;
  const { attempt_count, fell_back, problem, checks, requested_model, prompt_slug } = whole;
  return {
    labels,
    ...{ log_id: id ?? null, workspace_id: workspace_id ?? null, key_id: key_id ?? null, config: config ?? null },
    ...{ plan: plan ?? null, target: target ?? null, provider: provider ?? null, slug: slug ?? null },
    ...{ status: status ?? null, cache_status: cache_status ?? null, attempt_count: attempt_count ?? null },
    ...{ fell_back: fell_back ?? null, problem: problem ?? null, checks: checks ?? null },
    ...{ requested_model: requested_model ?? null, prompt_slug: prompt_slug ?? null },
  };
};

const tagsOf = ({ labels, isCopy }: ReadRecord, { tagLabels }: EventOptions): readonly string[] => [
  ...tagLabels.flatMap((name) => {
    const value = labelText(labels, name);
    return value === undefined ? [] : [`${name}:${value}`];
  }),
  ...(isCopy ? ['mirror'] : []),
];

/** Removes members without a value. */
const given = (members: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/**
 * Returns the events of a record: its trace, and the gateway's work as a generation. Their ids are the same each time the record
 * is sent. https://langfuse.com/docs/api-and-data-platform/features/public-api
 */
export const toEvents = (record: SinkRecord, options: EventOptions): readonly JsonObject[] => {
  const read = readRecord(record);
  const { environment, release, sessionLabel, userLabel } = options;
  const texts = record.json.length > longestBodies ? {} : toTexts(read);
  const timestamp = iso(read.endedAt);
  const tags = tagsOf(read, options);
  const trace: JsonObject = {
    id: read.trace,
    timestamp: iso(read.startedAt),
    name: read.title,
    ...given({
      ...{ environment, release, userId: labelText(read.labels, userLabel) },
      sessionId: labelText(read.labels, sessionLabel),
    }),
    ...(tags.length === 0 ? {} : { tags }),
    metadata: { labels: read.labels },
    ...(record.json.length > longestTwice ? {} : texts),
  };
  const generation: JsonObject = {
    id: record.id,
    traceId: read.trace,
    name: read.operation,
    startTime: iso(read.startedAt),
    endTime: iso(read.endedAt),
    ...toFirstByte(read),
    ...given({ environment, model: read.model }),
    ...toUsage(read),
    ...toCost(read),
    level: levels[read.outcome],
    ...given({ statusMessage: read.cause }),
    metadata: toMetadata(read),
    ...texts,
  };
  return [
    { id: `${record.id}-trace`, type: 'trace-create', timestamp, body: trace },
    { id: `${record.id}-generation`, type: 'generation-create', timestamp, body: generation },
  ];
};
