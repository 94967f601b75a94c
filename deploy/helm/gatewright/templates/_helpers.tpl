{{- define "gatewright.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "gatewright.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "gatewright.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "gatewright.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gatewright.selector" -}}
app.kubernetes.io/name: {{ include "gatewright.name" . | toYaml }}
app.kubernetes.io/instance: {{ toYaml .Release.Name }}
{{- end -}}

{{- define "gatewright.labels" -}}
{{ include "gatewright.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gatewright.metadata" -}}
name: {{ include "gatewright.fullname" . | toYaml }}
namespace: {{ toYaml .Release.Namespace }}
labels:
  {{- include "gatewright.labels" . | nindent 2 }}
{{- end -}}

{{- define "gatewright.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* gateway.json: what the chart sets, overridden by the values. */}}
{{- define "gatewright.gatewayFile" -}}
{{- $own := dict "spool_dir" "/var/lib/gatewright" -}}
{{- if .Values.configs -}}{{- $_ := set $own "configs" "configs" -}}{{- end -}}
{{- $given := deepCopy .Values.gateway -}}
{{- if include "gatewright.metricsPort" . -}}
{{- $metrics := dict "host" "0.0.0.0" "port" .Values.metrics.port -}}
{{- if .Values.metrics.dashboard.enabled -}}{{- $_ := set $metrics "tokens" true -}}{{- end -}}
{{- $_ := set $own "metrics" $metrics -}}
{{- /* true turns metrics on; the chart serves them on a port of their own. */ -}}
{{- if kindIs "bool" $given.metrics -}}{{- $_ := unset $given "metrics" -}}{{- end -}}
{{- end -}}
{{- mergeOverwrite $own $given | toPrettyJson -}}
{{- end -}}

{{/* The port of metrics, which the gateway file can set too; empty if there is none. */}}
{{- define "gatewright.metricsPort" -}}
{{- $given := .Values.gateway.metrics -}}
{{- if and .Values.metrics.enabled (or $given (not (kindIs "bool" $given))) -}}
{{- $own := kindIs "map" $given | ternary $given dict -}}
{{- $own.port | default .Values.metrics.port | int -}}
{{- end -}}
{{- end -}}

{{/* Refuses values with which the pod would not start or work: names of configs, and references to what the pod does not have. */}}
{{- define "gatewright.check" -}}
{{- $configs := keys .Values.configs -}}
{{- with .Values.gateway.default_config -}}
{{- if not (has . $configs) -}}
{{- fail (printf "gateway.default_config is %s, and configs has none of that name: add it there, or name one that it has." .) -}}
{{- end -}}
{{- end -}}
{{- range $model, $value := .Values.gateway.models -}}
{{- $name := trimPrefix "config:" $value -}}
{{- if and (hasPrefix "config:" $value) (not (has $name $configs)) -}}
{{- fail (printf "gateway.models.%s stands for the config %s, and configs has none of that name: add it there, or name one that it has." $model $name) -}}
{{- end -}}
{{- end -}}
{{- $variables := concat (list "HOST" "PORT") (keys .Values.env) -}}
{{- range .Values.secrets.env -}}
{{- if has .name $variables -}}
{{- fail (printf "The pod would have the variable %s twice: list it once, in secrets.env if it is a secret, and else in env." .name) -}}
{{- end -}}
{{- $variables = append $variables .name -}}
{{- end -}}
{{- $folders := list -}}
{{- range .Values.secrets.files -}}
{{- if has .secret $folders -}}
{{- fail (printf "secrets.files has the Secret %s twice: list it once, which mounts all of its keys." .secret) -}}
{{- end -}}
{{- $folders = append $folders .secret -}}
{{- end -}}
{{- range $name := list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/version" "app.kubernetes.io/managed-by" "helm.sh/chart" -}}
{{- if hasKey $.Values.commonLabels $name -}}
{{- fail (printf "commonLabels cannot have %s, which the chart sets: leave it out, and name the release or nameOverride as you need." $name) -}}
{{- end -}}
{{- end -}}
{{- with .Values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas is %d, and maxReplicas %d: write a maxReplicas that is at least as large." (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- with .Values.drain -}}
{{- if ge (int .delaySeconds) (int .seconds) -}}
{{- fail (printf "drain.delaySeconds (%d) must be less than drain.seconds (%d), which includes it: the rest is the time for the last requests." (int .delaySeconds) (int .seconds)) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.mode "gateway") .Values.networkPolicy.enabled -}}
{{- range $name := list "from" "metricsFrom" -}}
{{- if not (index $.Values.networkPolicy $name) -}}
{{- fail (printf "networkPolicy.%s is null, by which Kubernetes lets everybody in: list who may connect, or set networkPolicy.enabled to false." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq .Values.mode "sidecar" -}}
{{- if .Values.autoscaling.enabled -}}
{{- fail "autoscaling.enabled is true in the mode sidecar, whose gateways run in the pods of the application: set it to false, and scale the application itself." -}}
{{- end -}}
{{- if .Values.metrics.serviceMonitor.enabled -}}
{{- fail "metrics.serviceMonitor.enabled is true in the mode sidecar, which has no Service: set it to false, and select the pods with a PodMonitor of your own." -}}
{{- end -}}
{{- $taken := list 8787 (include "gatewright.metricsPort" . | int) -}}
{{- range .Values.sidecar.app.ports -}}
{{- if has (int .containerPort) $taken -}}
{{- fail (printf "sidecar.app.ports has %d, at which the gateway in the same pod listens: have the application listen at another port." (int .containerPort)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.metrics.serviceMonitor.enabled (not (include "gatewright.metricsPort" .)) -}}
{{- fail "metrics.serviceMonitor.enabled is true, and the gateway has no metrics: set metrics.enabled to true, and gateway.metrics too if it is there." -}}
{{- end -}}
{{- $texts := print (include "gatewright.gatewayFile" .) (toJson .Values.configs) -}}
{{- range regexFindAll "\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}" $texts -1 -}}
{{- $name := . | trimPrefix "${env:" | trimSuffix "}" -}}
{{- if not (has $name $variables) -}}
{{- fail (printf "gateway or configs refer to ${env:%s}, and the pod has no variable %s: list it in secrets.env with the Secret that has it, or in env if it is no secret." $name $name) -}}
{{- end -}}
{{- end -}}
{{- range regexFindAll "\\$\\{file:/run/secrets/[^/{}]+" $texts -1 -}}
{{- $name := . | trimPrefix "${file:/run/secrets/" -}}
{{- if not (has $name $folders) -}}
{{- fail (printf "gateway or configs refer to ${file:/run/secrets/%s/…}, and the pod has no such folder: list the Secret in secrets.files, as { secret: %s }." $name $name) -}}
{{- end -}}
{{- end -}}
{{- $store := .Values.gateway.store | default dict -}}
{{- if and (not .Values.persistence.enabled) (regexMatch "^(\\$|postgres)" ($store.url | default "")) (not $store.master_key) (not (has "GW_MASTER_KEY" $variables)) -}}
{{- fail "A store in PostgreSQL needs a master key, with which it seals credentials: list GW_MASTER_KEY in secrets.env with the Secret that has it, or set gateway.store.master_key." -}}
{{- end -}}
{{- end -}}

{{- define "gatewright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "gatewright.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* The scheme of the gateway's port. */}}
{{- define "gatewright.scheme" -}}
{{- ternary "HTTPS" "HTTP" (not (empty (.Values.gateway.listen | default dict).tls)) -}}
{{- end -}}

{{/* How a probe calls the gateway. The argument has the root as "root", the page as "path", and a flag of gw health as "flag". */}}
{{- define "gatewright.probe" -}}
{{- $tls := (.root.Values.gateway.listen | default dict).tls | default dict -}}
{{- if and $tls.client_ca (ne ($tls.client_certificates | default "require") "request") -}}
# The kubelet has no client certificate.
exec: { command: [gw, health, --config=/etc/gatewright/gateway.json{{ with .flag }}, {{ . }}{{ end }}] }
{{- else -}}
httpGet: { path: {{ .path }}, port: http{{ if $tls }}, scheme: HTTPS{{ end }} }
{{- end -}}
{{- end -}}

{{/* The container without its probes. The argument has the root as "root", and the address to listen on as "host". */}}
{{- define "gatewright.container" -}}
{{- $root := .root -}}
name: gatewright
image: {{ include "gatewright.image" $root | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
args:
  - serve
  - --config=/etc/gatewright/gateway.json
  - --drain-ms={{ mul $root.Values.drain.seconds 1000 }}
  - --drain-delay-ms={{ mul $root.Values.drain.delaySeconds 1000 }}
env:
  - name: HOST
    value: {{ .host | quote }}
  - name: PORT
    value: "8787"
  {{- range $name, $value := $root.Values.env }}
  - name: {{ toYaml $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- range $root.Values.secrets.env }}
  - name: {{ toYaml .name }}
    valueFrom:
      secretKeyRef:
        name: {{ toYaml .secret }}
        key: {{ toYaml .key }}
  {{- end }}
ports:
  {{- if eq .host "0.0.0.0" }}
  - name: http
    containerPort: 8787
  {{- end }}
  {{- with include "gatewright.metricsPort" $root }}
  - name: metrics
    containerPort: {{ . }}
  {{- end }}
securityContext:
  {{- include "gatewright.containerSecurity" $root | nindent 2 }}
resources:
  {{- toYaml $root.Values.resources | nindent 2 }}
volumeMounts:
  - name: config
    mountPath: /etc/gatewright
    readOnly: true
  - name: state
    mountPath: /var/lib/gatewright
  {{- range $at, $file := $root.Values.secrets.files }}
  - name: secret-{{ $at }}
    mountPath: /run/secrets/{{ $file.secret }}
    readOnly: true
  {{- end }}
{{- end -}}

{{- define "gatewright.volumes" -}}
- name: config
  configMap:
    name: {{ include "gatewright.fullname" . | toYaml }}
    items:
      - key: gateway.json
        path: gateway.json
      {{- range $name, $_ := .Values.configs }}
      - key: config.{{ $name }}.json
        path: configs/{{ $name }}.json
      {{- end }}
- name: state
  {{- if .Values.persistence.enabled }}
  persistentVolumeClaim:
    claimName: {{ .Values.persistence.existingClaim | default (include "gatewright.fullname" .) | toYaml }}
  {{- else }}
  emptyDir:
    sizeLimit: {{ .Values.persistence.ephemeralLimit }}
  {{- end }}
{{- /* The name of a Secret may contain dots, and be longer than that of a volume. */ -}}
{{- range $at, $file := .Values.secrets.files }}
- name: secret-{{ $at }}
  secret:
    secretName: {{ toYaml $file.secret }}
    # 0440: the group of the pod may read it.
    defaultMode: 288
{{- end }}
{{- end -}}

{{/* The settings of pods that both modes share. */}}
{{- define "gatewright.podSettings" -}}
serviceAccountName: {{ include "gatewright.fullname" . | toYaml }}
automountServiceAccountToken: false
enableServiceLinks: false
# The time of the drain, and of the writes that follow it.
terminationGracePeriodSeconds: {{ add .Values.drain.seconds 10 }}
securityContext:
  {{- include "gatewright.podSecurity" . | nindent 2 }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "gatewright.selector" $ | nindent 8 }}
  {{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gatewright.podMetadata" -}}
labels:
  {{- include "gatewright.labels" . | nindent 2 }}
annotations:
  # The gateway file is read only at the start; changed configs are reloaded while the gateway runs.
  checksum/gateway: {{ include "gatewright.gatewayFile" . | sha256sum }}
  {{- with .Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
