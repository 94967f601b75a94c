import type { Strategy } from '../../../schema/generated/config.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrGroup } from '../tree/ir-node.ts';
import { parseQuery } from './parse-query.ts';

/** Builds the conditions and the default of a strategy. */
export const buildConditions = (
  strategy: Strategy | undefined,
  pointer: JsonPointer,
  context: CompileContext,
): Pick<IrGroup, 'conditions' | 'default'> => {
  const { sound } = context;
  const conditions = sound.items(strategy?.conditions, childPointer(pointer, 'conditions')).map((condition) => {
    const queryAt = childPointer(condition.pointer, 'query');
    const when = sound.isUnusable(queryAt)
      ? undefined
      : parseQuery(condition.value.query as JsonObject, queryAt, context);
    const thenAt = childPointer(condition.pointer, 'then');
    return {
      pointer: condition.pointer,
      ...(when === undefined ? {} : { when }),
      ...(sound.isUnusable(thenAt) ? {} : { then: { value: condition.value.then, pointer: thenAt } }),
    };
  });
  return strategy?.default === undefined
    ? { conditions }
    : { conditions, default: { value: strategy.default, pointer: childPointer(pointer, 'default') } };
};
