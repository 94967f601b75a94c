const names: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An error of Google's APIs, which may contain a retry delay: https://cloud.google.com/apis/design/errors */
export const googleError = (status: number, message: string, waitS?: number): object => ({
  error: {
    code: status,
    message,
    status: names[status] ?? 'UNKNOWN',
    ...(waitS !== undefined && {
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${waitS}s` }],
    }),
  },
});
