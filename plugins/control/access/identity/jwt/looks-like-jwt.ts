/** The longest token, in characters. */
export const maxTokenCharacters = 8192;

/**
 * Whether a credential is a signed JWT rather than a service key: it begins with `eyJ`, which is `{"` in base64url, and has
 * three parts. Service keys begin with `gw-`. It says nothing of whether the token is valid.
 */
export const looksLikeJwt = (presented: string): boolean =>
  presented.startsWith('eyJ') && presented.split('.', 4).length === 3;
