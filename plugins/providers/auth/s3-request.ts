import { type AwsCredentials, awsTimestamp, sha256, signV4 } from './sign-v4.ts';

/** A bucket of S3 or of a service that is compatible with it. */
export interface S3Bucket {
  /** `https://host`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Whether the bucket is named in the path rather than in the host name. */
  readonly isPathStyle: boolean;
  readonly credentials: AwsCredentials;
}

/** The parts of a request to a bucket that are signed. */
export interface S3RequestParts {
  readonly method: string;
  /** The name of an object, with unreserved characters and `/` only. It is empty for the bucket itself. */
  readonly key: string;
  /** Encoded, without the `?`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Returns the origin of a bucket: `https://bucket.host`, or that of the service. */
export const s3Origin = ({ endpoint, bucket, isPathStyle }: Omit<S3Bucket, 'credentials' | 'region'>): string => {
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${isPathStyle ? host : `${bucket}.${host}`}`;
};

/** Signs a request to a bucket. The time is in milliseconds since the epoch. */
export const signS3 = (
  { method, key, query = '', headers = {}, body = Buffer.alloc(0) }: S3RequestParts,
  { credentials, ...bucket }: S3Bucket,
  now: number,
): { readonly path: string; readonly headers: Readonly<Record<string, string>> } => {
  const path = `${bucket.isPathStyle ? `/${bucket.bucket}` : ''}/${key}${query === '' ? '' : `?${query}`}`;
  const timestamp = awsTimestamp(now);
  const bodyHash = sha256(body);
  const { sessionToken } = credentials;
  const toSign = {
    ...headers,
    ...{ host: new URL(s3Origin(bucket)).host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': timestamp },
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const authorization = signV4({ method, path, headers: toSign, bodyHash }, credentials, {
    ...{ service: 's3', region: bucket.region, timestamp },
  });
  return { path, headers: { ...toSign, authorization } };
};
