import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';

/** The members of a body that are short for settings. */
export interface DeploymentMembers {
  readonly resourceName?: string;
  readonly apiVersion?: string;
  readonly deploymentName?: string;
  readonly deploymentConfig?: readonly {
    readonly apiVersion: string;
    readonly deploymentName: string;
    /** The model that chooses it; its own name if absent. */
    readonly alias?: string;
    readonly is_default?: boolean;
  }[];
}

const settingNames = {
  resourceName: 'resource_name',
  apiVersion: 'api_version',
  deploymentName: 'deployment_id',
  deploymentConfig: 'deployments',
} as const satisfies Record<keyof DeploymentMembers, string>;

const shorthands = Object.entries(settingNames);

/** The settings that such members are short for. */
export const deploymentSettings = ({ deploymentConfig, ...others }: DeploymentMembers): JsonObject => {
  const members: { readonly [name: string]: Json | undefined } = {
    ...others,
    deploymentConfig: deploymentConfig?.map(({ apiVersion, deploymentName, alias = deploymentName, is_default }) => ({
      ...{ deployment_id: deploymentName, alias, api_version: apiVersion },
      ...(is_default !== undefined && { is_default }),
    })),
  };
  return Object.fromEntries(
    shorthands.flatMap(([member, setting]) => {
      const value = members[member];
      return value === undefined ? [] : [[setting, value]];
    }),
  );
};

/** Where a body with such members has what is at a place of the settings. */
export const deploymentPlace = (body: DeploymentMembers, pointer: JsonPointer): JsonPointer => {
  for (const [member, setting] of shorthands) {
    const place = toPointer(['settings', setting]);
    const isSent = body[member as keyof DeploymentMembers] !== undefined;
    if (isSent && (pointer === place || pointer.startsWith(`${place}/`))) return toPointer([member]);
  }
  return pointer;
};
