import type { ErrorCode } from '../errors.ts';
import { accessExplanations } from './access-explanations.ts';
import { configExplanations } from './config-explanations.ts';
import type { ErrorExplanation } from './error-explanation.ts';
import { gatewayExplanations } from './gateway-explanations.ts';
import { limitExplanations } from './limit-explanations.ts';
import { providerExplanations } from './provider-explanations.ts';
import { requestExplanations } from './request-explanations.ts';
import { storeExplanations } from './store-explanations.ts';

/** The explanations of all errors. Loaded on demand. */
export const errorExplanations: { readonly [Code in ErrorCode]: ErrorExplanation } = {
  ...accessExplanations,
  ...storeExplanations,
  ...requestExplanations,
  ...configExplanations,
  ...limitExplanations,
  ...providerExplanations,
  ...gatewayExplanations,
};
