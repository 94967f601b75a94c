import { slugModel } from '../../../schema/text/slug-model.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { headerModels } from './header-models.ts';
import { type FoundModels, noModels } from './named-models.ts';
import { pathModels } from './path-models.ts';
import { queryModels } from './query-models.ts';

/** Returns the model in a declared path, without the slug of the provider that the target calls. */
export const routeModels = ({ route: { model } }: Pick<Exchange, 'route'>): FoundModels =>
  model === undefined || model === ''
    ? noModels
    : { called: [{ model: slugModel(model)?.model ?? model, place: 'in its path' }], further: [] };

/** Returns the models that a passed-through request names outside of its body. */
export const outsideModels = ({ request, route }: Pick<Exchange, 'request' | 'route'>): readonly FoundModels[] => [
  route.model === undefined ? pathModels(request) : routeModels({ route }),
  queryModels(request),
  headerModels(request),
];
