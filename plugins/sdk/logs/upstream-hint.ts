/** What to do about an error that a provider itself answered with, by its status: its own message is for its own customers. */
const hints: ReadonlyMap<number, string> = new Map([
  [400, "Correct the request as the provider's message says, or the override_params of the target."],
  [401, 'Correct the credential of the target: its api_key, or that of its saved provider or virtual key.'],
  [402, "Pay the provider's bill, or add a fallback target."],
  [403, 'Ask the provider to allow this model to the credential of the target, or use another credential.'],
  [404, 'Correct the model that the request names, or that the override_params of the target do, and its custom_host.'],
  [408, 'Send the request again, or add a fallback target.'],
  [413, 'Send a smaller request, or add a target with a larger model.'],
  [422, "Correct the request as the provider's message says, or the override_params of the target."],
  [
    429,
    'Wait for the time in retry-after if the answer has one, add "retry" with use_retry_after_headers, or add a fallback target.',
  ],
]);

/** One or two sentences for whoever operates the gateway. */
export const upstreamHint = (status: number): string =>
  hints.get(status) ??
  (status >= 500
    ? 'Send the request again. If it keeps failing, add "retry" or a fallback target, and look at the status page of the provider.'
    : "Correct the request as the provider's message says.");
