/** A pattern for a URL that may have a path but no credentials, or for a reference to one. */
export const urlPattern = '^(https?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$' as const;
