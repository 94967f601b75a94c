import type { JsonObject } from '../../../../schema/json/json.ts';
import { textOf } from '../../../../schema/json/loose.ts';

/** The model that an answer or a chunk names in its member `model`. */
export const modelOf = ({ model }: JsonObject): string | undefined => textOf(model);
