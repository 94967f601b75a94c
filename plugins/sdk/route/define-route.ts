import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';
import type { AnyRouteRow, ControlPath, ReceivedBody, RouteContext, RouteReply } from './route-row.ts';

/** The names in braces in a path. */
type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;

type Texts<Names extends string> = {
  type: 'object';
  properties: { [Name in Names]: { type: 'string' } };
  required: readonly Names[];
};

interface Empty {
  type: 'object';
  properties: Record<never, never>;
}

/** A route with typed input. The types are derived from its schemas. */
export interface RouteRow<
  Path extends ControlPath,
  Params extends ParameterSchema,
  Query extends ParameterSchema,
  Body extends ParameterSchema | 'bytes' | 'whole' | null,
  Scope extends AnyRouteRow['scope'] = AnyRouteRow['scope'],
> extends Omit<AnyRouteRow, 'path' | 'scope' | 'params' | 'query' | 'body' | 'handle'> {
  readonly path: Path;
  readonly scope: Scope;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  handle(
    input: {
      /** All parameters are present, because the path contains them. */
      readonly params: Required<FromSchema<Params>>;
      readonly query: FromSchema<Query>;
      readonly body: Body extends ParameterSchema ? FromSchema<Body> : undefined;
      readonly received: ReceivedBody;
    },
    context: RouteContext,
  ): RouteReply | Promise<RouteReply>;
}

/**
 * Defines a route. The types of its input are derived from its schemas, and the type of the route includes the scope that it
 * requires.
 */
export const defineRoute = <
  const Path extends ControlPath,
  const Params extends ParameterSchema = Texts<ParamNames<Path>>,
  const Query extends ParameterSchema = Empty,
  const Body extends ParameterSchema | 'bytes' | 'whole' | null = null,
  const Scope extends AnyRouteRow['scope'] = AnyRouteRow['scope'],
>(
  row: RouteRow<Path, Params, Query, Body, Scope>,
): AnyRouteRow & { readonly scope: Scope } => row as unknown as AnyRouteRow & { readonly scope: Scope };
