/** Returns the name of a component: `CreateUsagePolicy` for `create_usage_policy`. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
