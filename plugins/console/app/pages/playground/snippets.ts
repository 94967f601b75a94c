import { type DialectId, type Routing, routingHeaders } from './prompt.ts';
import type { WireRequest } from './to-request.ts';

/** The languages in which a request can be written. */
export type SnippetId = 'curl' | 'python' | 'javascript';

/** The languages per API. Google's libraries do not set the address of a gateway in the same way in each language. */
export const snippetsOf: Readonly<Record<DialectId, readonly SnippetId[]>> = {
  chat: ['curl', 'python', 'javascript'],
  messages: ['curl', 'python', 'javascript'],
  responses: ['curl', 'python', 'javascript'],
  gemini: ['curl'],
};

export interface SnippetOptions {
  readonly dialect: DialectId;
  readonly request: WireRequest;
  readonly via: Routing;
  /** The origin of the gateway: `https://gateway.example.com`. */
  readonly origin: string;
}

/** The environment variable that holds the user's key. No snippet contains a key. */
const keyName = 'GW_API_KEY';

const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const toCurl = ({ request: { path, body }, via, origin }: SnippetOptions): string =>
  [
    `curl ${inQuotes(`${origin}${path}`)}`,
    `-H "x-gw-api-key: $${keyName}"`,
    ...Object.entries(routingHeaders(via)).map(([name, value]) => `-H ${inQuotes(`${name}: ${value}`)}`),
    `-H 'content-type: application/json'`,
    `-d ${inQuotes(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** Writes a JSON value as a Python literal. */
const toPython = (value: unknown, by = ''): string => {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // A JSON string is also a valid Python string: lone surrogates are escaped in the same way.
  if (typeof value !== 'object') return JSON.stringify(value);
  const further = `${by}    `;
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[\n${value.map((each) => `${further}${toPython(each, further)},\n`).join('')}${by}]`;
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  return `{\n${members.map(([name, each]) => `${further}${JSON.stringify(name)}: ${toPython(each, further)},\n`).join('')}${by}}`;
};

interface Library {
  readonly python: string;
  readonly pythonClass: string;
  readonly javascript: string;
  readonly javascriptClass: string;
  /** The method of the client library. */
  readonly method: string;
  /** The path below the gateway's root. */
  readonly base: string;
  readonly print: { readonly python: string; readonly javascript: string };
}

const openai = {
  ...{ python: 'openai', pythonClass: 'OpenAI', javascript: 'openai', javascriptClass: 'OpenAI', base: '/v1' },
};

const libraries: Readonly<Record<Exclude<DialectId, 'gemini'>, Library>> = {
  chat: {
    ...openai,
    method: 'chat.completions.create',
    print: { python: 'answer.choices[0].message.content', javascript: 'answer.choices[0].message.content' },
  },
  responses: {
    ...openai,
    method: 'responses.create',
    print: { python: 'answer.output_text', javascript: 'answer.output_text' },
  },
  messages: {
    ...{ python: 'anthropic', pythonClass: 'Anthropic', javascript: '@anthropic-ai/sdk', javascriptClass: 'Anthropic' },
    ...{ base: '', method: 'messages.create' },
    print: { python: 'answer.content', javascript: 'answer.content' },
  },
};

const inPython = ({ request: { body }, via, origin }: SnippetOptions, library: Library): string => {
  const headers = routingHeaders(via);
  const { python, pythonClass, method, base, print } = library;
  const members = Object.entries(body).map(([name, value]) => `    ${name}=${toPython(value, '    ')},`);
  return [
    'import os',
    `from ${python} import ${pythonClass}`,
    '',
    `client = ${pythonClass}(`,
    `    base_url=${JSON.stringify(`${origin}${base}`)},`,
    `    api_key=os.environ["${keyName}"],`,
    ...(Object.keys(headers).length === 0 ? [] : [`    default_headers=${toPython(headers, '    ')},`]),
    ')',
    `answer = client.${method}(`,
    ...members,
    ')',
    ...(body.stream === true ? ['for event in answer:', '    print(event)'] : [`print(${print.python})`]),
  ].join('\n');
};

const inJavaScript = ({ request: { body }, via, origin }: SnippetOptions, library: Library): string => {
  const headers = routingHeaders(via);
  const { javascript, javascriptClass, method, base, print } = library;
  return [
    `import ${javascriptClass} from '${javascript}';`,
    '',
    `const client = new ${javascriptClass}({`,
    `  baseURL: ${JSON.stringify(`${origin}${base}`)},`,
    `  apiKey: process.env.${keyName},`,
    ...(Object.keys(headers).length === 0
      ? []
      : [`  defaultHeaders: ${indent(JSON.stringify(headers, null, 2), '  ')},`]),
    '});',
    `const answer = await client.${method}(${JSON.stringify(body, null, 2)});`,
    ...(body.stream === true
      ? ['for await (const event of answer) console.log(event);']
      : [`console.log(${print.javascript});`]),
  ].join('\n');
};

/** Writes a command or a program that sends the same request, with a placeholder for the key. */
export const toSnippet = (id: SnippetId, options: SnippetOptions): string => {
  const { dialect } = options;
  if (id === 'curl' || dialect === 'gemini') return toCurl(options);
  const library = libraries[dialect];
  return id === 'python' ? inPython(options, library) : inJavaScript(options, library);
};
