import type { Symbol as Declared, Type } from 'ts-morph';

/** Whether a type accepts any text. `string & {}` next to known values means that there may be others. */
export const isAnyText = (type: Type): boolean =>
  type.isString() ||
  type.isTemplateLiteral() ||
  (type.isIntersection() && type.getIntersectionTypes().some((each) => each.isString()));

/** A member that a type declares. */
export interface DeclaredMember {
  readonly name: string;
  readonly symbol: Declared;
  readonly type: Type;
}

/** Returns the members that a type declares. */
export const membersOf = (type: Type): readonly DeclaredMember[] =>
  type.getProperties().flatMap((symbol) => {
    const declaration = symbol.getDeclarations()[0];
    return declaration === undefined
      ? []
      : [{ name: symbol.getName(), symbol, type: symbol.getTypeAtLocation(declaration) }];
  });
