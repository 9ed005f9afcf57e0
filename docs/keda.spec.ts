import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { toolWorkerConfig } from '../apps/tool-worker/src/config';
import { readMetricsPage } from '../test/support/metrics-page';

const root = path.join(__dirname, '..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const documents = parseAllDocuments(textOf('deploy/keda/tool-workers.yaml'), { uniqueKeys: true });

const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.undefined().optional(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});

const scaledObjectSchema = z.object({
  kind: z.literal('ScaledObject'),
  spec: z.object({
    scaleTargetRef: z.object({ name: z.string() }),
    triggers: z.array(
      z.object({
        type: z.literal('prometheus'),
        metricType: z.enum(['AverageValue', 'Value']),
        metadata: z.object({
          query: z.string(),
          threshold: z.string(),
          ignoreNullValues: z.literal('false'),
        }),
      }),
    ),
  }),
});

describe('deploy/keda', () => {
  const deployment = deploymentSchema.parse(documents[0]?.toJS());
  const scaled = scaledObjectSchema.parse(documents[1]?.toJS());
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const env = new Map(container.env.map(({ name, value }) => [name, value]));

  it('is two documents without a mistake of form', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(documents).toHaveLength(2);
  });

  it('scales the deployment it comes with, for the pool that serves', () => {
    const pools = scaled.spec.triggers.flatMap(({ metadata }) =>
      [...metadata.query.matchAll(/pool="([^"]*)"/g)].map(([, pool]) => pool),
    );

    expect(scaled.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(new Set(pools)).toEqual(new Set([env.get('TOOL_POOLS')]));
    expect(deployment.spec.template.metadata.labels).toEqual(deployment.spec.selector.matchLabels);
  });

  it('asks for one worker for as many calls as one runs at the same time', () => {
    const [openCalls] = scaled.spec.triggers;

    expect(openCalls?.metricType).toBe('AverageValue');
    expect(openCalls?.metadata.threshold).toBe(env.get('TOOL_CONCURRENCY'));
  });

  it('asks for series the page of metrics has of session-svc, by their labels', () => {
    const known = new Map(readMetricsPage().map((metric) => [metric.name, metric]));

    for (const { metadata } of scaled.spec.triggers) {
      const series = [...metadata.query.matchAll(/\b(skein_\w+)\{pool="/g)].map(([, name = '']) => name);
      expect(series.length).toBeGreaterThan(0);
      for (const name of series) {
        expect(known.get(name)).toMatchObject({ type: 'gauge', labels: ['pool'], apps: ['session-svc'] });
      }
      // Each session-svc tells the same of the whole deployment: a sum would count a call once for each of them.
      expect(metadata.query).not.toMatch(/\bsum\b/);
    }
  });

  it('gives a worker longer than it takes itself, in settings it knows', () => {
    const graceMs = Number(env.get('SHUTDOWN_GRACE_MS'));
    const checked = toolWorkerConfig.safeParse({
      NATS_URL: 'nats://nats:4222',
      ...Object.fromEntries([...env].filter(([name]) => !/^(NATS|S3)_/.test(name))),
    });

    expect(checked.error?.issues).toBeUndefined();
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(graceMs);
    const names = textOf('docs/reference/names.md');
    for (const name of env.keys()) expect(names).toContain(`\`${name.replace(/_FILE$/, '')}\``);
  });

  it('runs a command of the image, and mounts what it names', () => {
    const volumes = pod.volumes.map(({ name }) => name);

    expect(textOf('tools/image/start.mjs')).toContain(`'${container.args[0]}': '`);
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
    for (const path of ['NATS_URL_FILE', 'S3_SECRET_KEY_FILE'].map((name) => env.get(name) ?? '')) {
      expect(container.volumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`))).toBe(true);
    }
  });
});
