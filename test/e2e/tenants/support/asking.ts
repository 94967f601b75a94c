/** The key, headers and body of a request. */
export interface Asking {
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Reads an answer. Event streams have no end, so only their first events are read. */
const readText = async (answer: Response, method: string): Promise<string> => {
  if (method !== 'GET' || answer.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return answer.text();
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? []).toString();
};

/** Sends a request such as `GET /v1/configs`. */
export const ask = async (origin: string, request: string, { key, headers, body }: Asking): Promise<Answered> => {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      'x-gw-api-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await readText(answer, method), headers: answer.headers };
};

/** Returns the content of an answer without a name, and without what differs from one request to the next. */
export const withoutName = ({ status, text, headers }: Answered, name: string): object => {
  const anonymous = text
    .replaceAll(name, '<name>')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replaceAll(/-[\da-f]{6}"/g, '-<random>"')
    .replaceAll(/"(?:created|created_at|last_updated_at)":\d+/g, '<time>')
    .replaceAll(/"(?:id|key)":"[^"]*"/g, '<made>');
  const names = [...headers.keys()].filter((header) => header !== 'content-length').sort();
  return { status, text: anonymous, headers: names };
};
