/** The parameter `baseUrl` of a partner's checks. */
export interface BaseUrlSchema {
  readonly type: 'string';
  readonly format: 'uri';
  readonly maxLength: number;
  readonly description: string;
}

export const baseUrlSchema: BaseUrlSchema = {
  type: 'string',
  format: 'uri',
  maxLength: 2048,
  description: 'Another base URL for the service: that of a region, your own installation, or a proxy.',
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);

/** Returns the errors in a URL that a key is sent to, one sentence each. `name` is the name of its parameter. */
export const serviceUrlErrors = (name: string, value: string | undefined): readonly string[] => {
  const url = value === undefined ? null : URL.parse(value);
  if (url === null) return [];
  const { protocol, hostname, username, password, search, hash } = url;
  const errors: string[] = [];
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    errors.push(`"${name}" must start with https://, because requests to it contain a key.`);
  if (username !== '' || password !== '') errors.push(`"${name}" must not contain credentials; use "credentials".`);
  if (search !== '' || hash !== '') errors.push(`"${name}" must not have a query or a fragment.`);
  return errors;
};

/** Returns the errors in a base URL, one sentence each. Which hosts are allowed is decided by the gateway's egress rules. */
export const baseUrlErrors = ({ baseUrl }: { readonly baseUrl?: string }): readonly string[] =>
  serviceUrlErrors('baseUrl', baseUrl);

/** Returns a URL below a base URL, which may end in a slash. */
export const urlBelow = (baseUrl: string, path: string): string =>
  `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}${path}`;
