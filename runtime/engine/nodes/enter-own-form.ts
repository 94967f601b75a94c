import type { LeafCall } from '../call/leaf-call.ts';

/** Where a request has a form of its own for the saved provider that its leaf calls, that is what the leaf sends. */
export const enterOwnForm = (call: LeafCall): void => {
  const own = call.originalExchange.kept?.ownForm;
  if (own !== undefined && own.slug === call.slug) call.replace(own.body, own.bytes);
};
