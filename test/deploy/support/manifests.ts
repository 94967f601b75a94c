import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { manifestSets, manifestsFolder } from '../../../deploy/helm/manifest-sets.ts';

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: object };
  }[];
  readonly securityContext: object;
  readonly volumeMounts?: readonly { readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly startupProbe?: object;
  readonly readinessProbe?: object;
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: { readonly replicas?: number; readonly template: { readonly spec: PodSpec } };
}

export const manifestFiles: readonly (readonly [set: string, file: string])[] = Object.entries(manifestSets);

export const manifestText = (file: string): string => readFileSync(path.join(manifestsFolder, file), 'utf8');

export const readManifests = (file: string): readonly Manifest[] =>
  parseAllDocuments(manifestText(file)).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
    const manifest: Manifest | null = document.toJS();
    return manifest === null ? [] : [manifest];
  });

/** Returns the module with the schema and the type of an object. */
export const modelOf = ({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): string =>
  `${apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`;
