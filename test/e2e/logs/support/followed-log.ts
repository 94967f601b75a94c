import type { GatewayProcess } from '../../../support/gateways/gateway-process.ts';
import { adminKey } from '../../../support/gateways/stored-gateway.ts';
import type { Logged } from './logged.ts';

export interface FollowOptions {
  readonly key?: string;
  readonly workspace?: string;
  readonly query?: string;
  readonly lastEventId?: string;
}

/** An event of the stream. */
interface LogEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Logged;
}

export interface FollowedLog {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the events so far that have data. */
  events(): readonly LogEvent[];
  /** Returns the records of the `log` events. */
  logs(): readonly Logged[];
  /** Returns how the stream has ended; undefined while it is open. */
  end(): 'complete' | 'torn' | undefined;
  leave(): void;
}

const toEvent = (block: string): LogEvent => {
  const member = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return { id: member('id'), event: member('event'), data: JSON.parse(member('data')) };
};

/** Opens a stream of log events. */
export const followLog = async (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  { key = adminKey, workspace, query = '', lastEventId }: FollowOptions = {},
): Promise<FollowedLog> => {
  const leaving = new AbortController();
  const answer = await fetch(`${baseUrl}/logs/events?${query}`, {
    headers: {
      'x-gw-api-key': key,
      ...(workspace === undefined ? {} : { 'x-gw-workspace': workspace }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: leaving.signal,
  });
  let text = '';
  let end: ReturnType<FollowedLog['end']>;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of answer.body ?? []) text += decoder.decode(bytes, { stream: true });
  };
  void read().then(
    () => {
      end = 'complete';
    },
    () => {
      end = 'torn';
    },
  );
  const events = (): readonly LogEvent[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => /^data: /m.test(block))
      .map(toEvent);
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    logs: () => events().flatMap(({ event, data }) => (event === 'log' ? [data] : [])),
    end: () => end,
    leave: () => leaving.abort(),
  };
};
