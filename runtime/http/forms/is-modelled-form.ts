import { isMultipartForm } from '../../../plugins/sdk/multipart/find-boundary.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';

/** Whether a request of a modelled operation has a form. Others on the same path may have JSON. */
export const isModelledForm = ({ caller: { contentType = '' }, route }: HttpExchange): boolean =>
  route.hasForms === true && isMultipartForm(contentType);
