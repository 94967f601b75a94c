import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { allowsModel } from '../../../sdk/models/allows-model.ts';
import { bodyModels } from '../../../sdk/models/body-models.ts';
import { joinModels } from '../../../sdk/models/named-models.ts';
import { modelNotAllowed, refusedModel } from '../../../sdk/models/refused-model.ts';
import type { Account } from './account.ts';

/**
 * Validates the models that a request names before anything of it is sent. Throws the `GatewayError`s `model-not-allowed`, and
 * `unclear-model` where a list of models holds and it is not clear which it names.
 */
export const refuseModels = ({ models, slug }: Account, body: JsonObject): void => {
  if (models === undefined) return;
  const named = joinModels([bodyModels(body)]);
  if (named.kind === 'unclear') throw gatewayError('unclear-model', { reason: named.reason });
  const refused = refusedModel(named, allowsModel(models));
  if (refused !== undefined) throw modelNotAllowed(slug, refused);
};
