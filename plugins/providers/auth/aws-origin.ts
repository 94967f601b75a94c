/**
 * Returns the origin of an AWS service in a region, whose name has been checked:
 * https://docs.aws.amazon.com/general/latest/gr/rande.html
 */
export const awsOrigin = (service: string, region: string): string =>
  `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
