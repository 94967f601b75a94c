import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';

/** The end of a session as its client sees it. */
export interface SessionClose {
  readonly code: number;
  readonly reason: string;
}

export interface SessionEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A client of a session, which records what it receives. */
export interface SessionClient {
  readonly socket: WebSocket;
  /** The events so far. */
  readonly events: readonly SessionEvent[];
  send(event: object): void;
  /** Resolves to the next event of a type, whether or not it has arrived already. */
  next(type: string): Promise<SessionEvent>;
  /** Resolves to the first event with a type that is wanted, whether or not it has arrived already. */
  nextOf(isWanted: (type: string) => boolean): Promise<SessionEvent>;
  readonly closed: Promise<SessionClose>;
}

export interface SessionTarget {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly options?: ClientOptions;
}

/** Opens a session at a gateway. Rejects with the gateway's answer if it opens none. */
export const openSession = async ({
  origin,
  path = '/v1/realtime?model=priced',
  headers = {},
  protocols = [],
  options = {},
}: SessionTarget): Promise<SessionClient> => {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, [...protocols], { headers, ...options });
  const events: { type: string }[] = [];
  const taken = new Map<string, number>();
  const changed = new EventTarget();
  socket.on('message', (data, isBinary) => {
    events.push(isBinary ? { type: 'binary' } : JSON.parse(String(data)));
    changed.dispatchEvent(new Event('event'));
  });
  const closed = new Promise<SessionClose>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on('error', () => {});
  const refused = new Promise<never>((_, reject) => {
    socket.on('unexpected-response', async (_request, response) => {
      const body: string[] = [];
      for await (const part of response) body.push(String(part));
      reject(new SessionRefusal(response.statusCode ?? 0, body.join('')));
      socket.terminate();
    });
  });
  await Promise.race([once(socket, 'open'), refused]);
  refused.catch(() => {});
  const find = async (isWanted: (type: string) => boolean, skip: number): Promise<SessionEvent> => {
    for (;;) {
      const found = events.filter(({ type }) => isWanted(type))[skip];
      if (found !== undefined) return found;
      await once(changed, 'event');
    }
  };
  return {
    socket,
    events,
    closed,
    send: (event) => socket.send(JSON.stringify(event)),
    next: (type) => {
      const skip = taken.get(type) ?? 0;
      taken.set(type, skip + 1);
      return find((each) => each === type, skip);
    },
    nextOf: (isWanted) => find(isWanted, 0),
  };
};

/** The answer of a gateway that opens no session. */
export class SessionRefusal extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`${status} ${body}`);
    this.status = status;
    this.body = body;
  }
}

/** Returns the refusal of a session that should not open. */
export const refusalOf = async (target: SessionTarget): Promise<SessionRefusal> => {
  try {
    const { socket } = await openSession(target);
    socket.terminate();
  } catch (error) {
    if (error instanceof SessionRefusal) return error;
    throw error;
  }
  throw new Error('The session was opened.');
};
