type Members = { readonly [name: string]: unknown };

const isTextOrFunction = (value: unknown): boolean => typeof value === 'string' || typeof value === 'function';

const credentialKinds: readonly unknown[] = ['required', 'optional', 'none'];

const endpointError = (endpoint: unknown, place: string): readonly string[] => {
  if (!isTextOrFunction(endpoint)) return [`${place} is not a text or a function`];
  return typeof endpoint === 'string' && !endpoint.startsWith('/') ? [`${place} does not start with a slash`] : [];
};

/** Returns the errors in a provider's credential, base URL and endpoints, which would fail only when it is called. */
export const providerErrors = ({ credential, baseUrl, speaks }: Members, place: string): readonly string[] => [
  ...(typeof credential !== 'string' || credentialKinds.includes(credential)
    ? []
    : [`${place}.credential is not "required", "optional" or "none"`]),
  ...(baseUrl === undefined || isTextOrFunction(baseUrl) ? [] : [`${place}.baseUrl is not a text or a function`]),
  ...(typeof baseUrl === 'string' && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')
    ? [`${place}.baseUrl is not a URL that begins with https:// or http://`]
    : []),
  ...Object.entries(speaks ?? {}).flatMap(([dialect, endpoint]) =>
    endpointError(endpoint, `${place}.speaks.${dialect}`),
  ),
];
